import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Runs `work` while no other process on this machine runs work with the same key, and waits as long as necessary. The
 * lock is a socket in Linux's abstract namespace: it ends with the process and leaves no file.
 */
export async function withLock<T>(key: string, work: () => Promise<T>): Promise<T> {
  const name = `\0innkeeper-lab-${createHash('sha256').update(key).digest('hex').slice(0, 32)}`
  for (;;) {
    const server = createServer()
    try {
      server.listen(name)
      await once(server, 'listening')
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
      await sleep(20)
      continue
    }
    try {
      return await work()
    } finally {
      server.close()
    }
  }
}
