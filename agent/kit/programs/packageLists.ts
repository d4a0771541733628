import { setTimeout as sleep } from 'node:timers/promises'
import type { Ran } from './run.ts'

const PATIENCE_MS = 300_000
const isHeld = ({ code, stderr }: Ran) => code !== 0 && /Could not get lock \S*\/lists\/lock/.test(stderr)

/**
 * Runs an `apt-get update`, and retries while another process holds the lock of the package lists. apt itself waits only
 * for dpkg's lock (DPkg::Lock::Timeout).
 */
export async function whenListsAreFree(update: () => Promise<Ran>): Promise<Ran> {
  const last = Date.now() + PATIENCE_MS
  let ran = await update()
  while (isHeld(ran) && Date.now() < last) {
    await sleep(2000)
    ran = await update()
  }
  return ran
}
