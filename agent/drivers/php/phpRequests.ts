import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { patience } from '../../kit/host.ts'
import { type PoolKey, socketOf } from './phpPoolFile.ts'

/** The inode of connections that wait for accept(): they have none yet and cannot be distinguished. */
const QUEUED = '0'
/** Connection states of proc_net_unix(5): waiting in the pool's queue, or accepted by a process. */
const open = new Set(['02', '03'])

/**
 * Waits until all current requests of a pool are answered; ignores later ones, which may belong to other websites of
 * the account. Returns the number of requests that still run after `waitsMs`.
 */
export async function requestsEnd(pool: PoolKey, waitsMs = patience.requestsMs): Promise<number> {
  const socket = socketOf(pool)
  let left = await requestsOf(socket)
  for (const end = performance.now() + waitsMs; left.size && performance.now() < end; await sleep(50)) {
    const now = await requestsOf(socket)
    left = left.has(QUEUED) ? now : left.intersection(now)
  }
  return left.size
}

/** The inodes of connected sockets. A web server opens one connection per request; see proc_net_unix(5). */
async function requestsOf(socket: string): Promise<Set<string>> {
  const lines = (await readFile('/proc/net/unix', 'latin1')).split('\n').map((line) => line.split(/ +/))
  return new Set(
    lines.flatMap(([, , , , , state, inode, path]) => (open.has(state ?? '') && path === socket ? [inode ?? ''] : [])),
  )
}
