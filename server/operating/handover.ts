import { chownSync, copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { places, readEnvironment, runAsService, serviceUser } from './installation.ts'

/**
 * Runs a task whose file belongs to the caller. The task runs as the user of the services, which cannot read or write
 * everywhere, so that the file goes through a folder of that user.
 */
export async function handedOver(
  [name = '', ...words]: readonly string[],
  use: 'read' | 'written' | 'both',
): Promise<number> {
  const at = words.findIndex((word) => !word.startsWith('-'))
  const given = words[at]
  if (given === undefined) return runAsService([name, ...words])
  const file = resolve(given)
  const user = serviceUser()
  const folder = mkdtempSync(join(readEnvironment().INNKEEPER_DATA ?? places.data, 'handover-'))
  try {
    const inside = join(folder, basename(file))
    const isThere = existsSync(file)
    if (use === 'written' && isThere) throw new Error(`${file} exists already`)
    if (use !== 'written' && isThere) copyFileSync(file, inside)
    if (user) for (const path of existsSync(inside) ? [folder, inside] : [folder]) chownSync(path, user.uid, user.gid)
    const code = await runAsService([name, ...words.with(at, inside)], (text) =>
      process.stdout.write(text.replaceAll(inside, file)),
    )
    if (use !== 'read' && !isThere && existsSync(inside)) copyOut(inside, file)
    return code
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Copies with the rights of the caller's umask and without those of others: a backup has everything. */
function copyOut(from: string, to: string): void {
  process.umask(0o077)
  copyFileSync(from, to)
  if (process.getuid) chownSync(to, process.getuid(), process.getgid?.() ?? 0)
}
