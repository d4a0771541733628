import { readdir, rm } from 'node:fs/promises'
import { absent, ensureDirectory, places, read, replace } from '../../kit/host.ts'
import { type Asking, ask, type Reached, type Remote, remote, type Said } from './ask.ts'
import { leaveLock, programOf } from './locks.ts'

const folder = `${places.state}/backup`
const PREFIX = 'running-'
/** Programs that a marked process runs: `view` of backup.ts starts restic through the others. */
const starting = new Set(['restic', 'unshare', 'sh', 'ionice', 'nice'])

/**
 * Runs restic on a repository of another machine. A killed process leaves a lock for which prune and check would wait, so
 * this removes the lock. If the whole agent is killed, a mark with the process id lets the next run on this repository
 * remove the lock. The backup server removes any other lock after half an hour.
 */
export async function leavingNoLock(
  input: Remote,
  what: string,
  reached: Reached,
  words: string[],
  asking: Asking = {},
): Promise<Said> {
  await ensureDirectory(folder, { mode: 0o700 }) // a backup server that only sends copies lacks it
  const mark = `${folder}/${PREFIX}${input.account}-${what}`
  await dropDeadLocks(input, reached)
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

/** Removes the locks of processes that ended together with the agent that started them. */
export async function dropDeadLocks(input: Remote, known?: Reached): Promise<void> {
  const all = (await readdir(folder).catch(absent)) ?? []
  const marks = all.filter((name) => name.startsWith(`${PREFIX}${input.account}-`))
  for (const name of marks) {
    const pid = Number(await read(`${folder}/${name}`))
    if (pid && starting.has(await programOf(pid))) continue
    try {
      if (pid) await leaveLock(input, known ?? (await remote(input)), pid)
      await rm(`${folder}/${name}`, { force: true })
    } catch {
      return // the repository cannot be reached: the next run tries again, and the backup server removes the lock later
    }
  }
}
