import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type PoolKey, socketOf } from './phpPoolFile.ts'

/** Waits to be taken: it has no inode yet, and two of them cannot be told apart. */
const QUEUED = '0'
/** States of proc_net_unix(5): in the queue of the pool, which forks its first process for it; taken by a process. */
const open = new Set(['02', '03'])

/**
 * Waits until every request that a pool has now is answered; later ones, of other websites of its account, do not count.
 * Answers how many are left after `patience` milliseconds.
 */
export async function requestsEnd(pool: PoolKey, patience = 10_000): Promise<number> {
  const socket = socketOf(pool)
  let left = await requestsOf(socket)
  for (const end = performance.now() + patience; left.size && performance.now() < end; await sleep(50)) {
    const now = await requestsOf(socket)
    left = left.has(QUEUED) ? now : left.intersection(now)
  }
  return left.size
}

/** The inode of each connected socket: a web server opens one for a request and closes it with its answer. See proc_net_unix(5). */
async function requestsOf(socket: string): Promise<Set<string>> {
  const lines = (await readFile('/proc/net/unix', 'latin1')).split('\n').map((line) => line.split(/ +/))
  return new Set(
    lines.flatMap(([, , , , , state, inode, path]) => (open.has(state ?? '') && path === socket ? [inode ?? ''] : [])),
  )
}
