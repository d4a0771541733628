import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'

/** Minutes for which practice servers go on after the Innkeeper that started them has died. */
const ORPHAN_MIN = 15

/** A socket in Linux's abstract namespace, at which the practice servers of a folder wait for another Innkeeper. */
const placeOf = (dir: string) => `\0innkeeper-practice-${createHash('sha256').update(dir).digest('hex').slice(0, 32)}`

/**
 * Waits for another start on this folder, which then goes on with the running hosts, or for the end of the patience. Answers
 * whether another start has come. It continues once this process has ended, or has closed the connection.
 */
export async function awaitHeir(dir: string, minutes = ORPHAN_MIN): Promise<boolean> {
  const server = createServer()
  const heir = once(server, 'connection').then(() => true)
  server.listen(placeOf(dir))
  const patience = new Promise<false>((resolve) => setTimeout(() => resolve(false), minutes * 60_000))
  return await Promise.race([heir, patience])
}

/** Asks practice servers that have lost their Innkeeper to leave the hosts of this folder to this process. */
export async function inherit(dir: string): Promise<void> {
  const asked = connect(placeOf(dir))
  const isThere = await Promise.race([
    once(asked, 'connect').then(() => true),
    once(asked, 'close').then(() => false),
    once(asked, 'error').then(() => false),
  ]).catch(() => false)
  if (isThere && !asked.destroyed) await once(asked.resume(), 'close').catch(() => {}) // an end that comes as an error is an end, too
}
