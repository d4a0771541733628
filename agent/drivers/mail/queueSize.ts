import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { absent } from '../../kit/host.ts'

const spool = '/var/spool/postfix'
/** The queues of Postfix with messages that have not left; see qmgr(8). */
const queues = ['maildrop', 'incoming', 'active', 'deferred', 'hold']
/** A busy server is not read again for each heartbeat. */
const KEPT_MS = 10_000
let known: { at: number; count: number | undefined } | undefined

/**
 * Counts the messages in the queue of Postfix by its files, because `postqueue` reads each of them. Undefined without a
 * queue. The count may be ten seconds old.
 */
export async function countQueued(): Promise<number | undefined> {
  if (known && performance.now() - known.at < KEPT_MS) return known.count
  const counts = await Promise.all(queues.map((queue) => countIn(join(spool, queue))))
  const found = counts.filter((count) => count !== undefined)
  known = { at: performance.now(), count: found.length ? found.reduce((sum, count) => sum + count, 0) : undefined }
  return known.count
}

/** Files of a queue, which has at most one level of folders named by a digit. */
async function countIn(folder: string): Promise<number | undefined> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(absent)
  if (!entries) return undefined
  const inner = entries.filter((entry) => entry.isDirectory())
  const below = await Promise.all(inner.map(({ name }) => readdir(join(folder, name)).catch(absent)))
  return entries.length - inner.length + below.reduce((sum, files) => sum + (files?.length ?? 0), 0)
}
