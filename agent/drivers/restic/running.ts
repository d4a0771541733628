import { rm } from 'node:fs/promises'
import { ensureDirectory, places, read, replace } from '../../kit/host.ts'
import { type Asking, ask, type Reached, type Remote, type Said } from './ask.ts'
import { leaveLock } from './locks.ts'

/**
 * Runs restic on a repository of another machine. A killed process leaves a lock for which prune and check would wait, so
 * this removes the lock. If the whole agent is killed, a mark with the process id lets the next run of the same `what`
 * remove the lock. The backup server removes any other lock after half an hour.
 */
export async function leavingNoLock(
  input: Remote,
  what: string,
  reached: Reached,
  words: string[],
  asking: Asking = {},
): Promise<Said> {
  await ensureDirectory(`${places.state}/backup`, { mode: 0o700 }) // a backup server that only sends copies lacks it
  const mark = `${places.state}/backup/running-${input.account}-${what}`
  const before = Number(await read(mark))
  if (before) await leaveLock(input, reached, before).catch(() => undefined) // the backup server removes it later
  let pid = 0
  let marked: Promise<unknown> | undefined
  const began = (id: number) => {
    pid = id
    marked = replace(mark, `${id}`)
    marked.catch(() => undefined) // thrown below, once restic has ended
  }
  const said = await ask(reached, words, { ...asking, began })
  await marked
  if (said.code !== 0 && said.code !== 3) {
    const gone = await leaveLock(input, reached, pid).then(
      () => true,
      () => false,
    )
    if (!gone) return said // the next run tries again
  }
  await rm(mark, { force: true })
  return said
}
