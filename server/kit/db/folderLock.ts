import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Error whose message names the process that has locked the data folder. */
class FolderInUse extends Error {}

/**
 * Locks a folder for this process, or throws `FolderInUse`. Takes over the lock of a dead process. Returns the unlock
 * function.
 */
export function lockFolder(folder: string): () => void {
  const file = join(folder, 'innkeeper.lock')
  for (let tries = 0; tries < 3; tries++) {
    try {
      writeFileSync(file, `${process.pid} ${startOf(process.pid)}`, { flag: 'wx', mode: 0o600 })
      return () => rmSync(file, { force: true })
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
      const [pid = '0', start] = readFileSync(file, 'utf8').split(' ')
      if (start && startOf(Number(pid)) === start)
        throw new FolderInUse(`${folder} is in use by process ${pid}: stop it, or set INNKEEPER_DATA to another folder`)
      rmSync(file, { force: true })
    }
  }
  throw new FolderInUse(`${folder} is being locked by another process`)
}

/** Ticks since boot at which a process started. With the pid, this identifies a process even if pids are reused. */
function startOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19]
  } catch {
    return pid === process.pid ? '0' : undefined // the process does not exist, or this system has no /proc
  }
}
