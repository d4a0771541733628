import { setTimeout as sleep } from 'node:timers/promises'
import { type OperationInput, operations } from '@innkeeper/contract/agent/operations'
import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { App } from '../app/app.ts'
import { sinceText } from '../app/sinceText.ts'
import { type Db, rows } from '../db/db.ts'
import { notFound, refused, unavailable } from '../http/errors.ts'
import { checkInput, type OrReference } from '../work/action.ts'
import { actions, workflows } from '../work/tables.ts'
import { advance } from '../work/workflow.ts'
import { offlineBefore } from './online.ts'

const ANSWER_MS = 10_000
const LOOK_MS = 100
const KIND = 'live-read'
type Look =
  | 'server.inspect'
  | 'system-user.usage'
  | 'website.log-lines'
  | 'redis.status'
  | 'php-extensions.list'
  | 'database.inspect'
  | 'databases.measure'
  | 'remote-access.look'
  | 'database.connections'
  | 'database-connection.end'
  | 'database.query'
  | 'database.browse'
  | 'database.write'
  | 'database.search'
  | 'database.slow'
  | 'ftp.sessions'
  | 'ftp-session.end'
  | 'ftp.transfers'
  | 'ftp.activity'
  | 'migration.look'
  | 'dns-zone.read'
  | 'dns-zone.keys'
  | 'ip-set.look'
  | 'backup-settings.read'
  | 'backup-repository.open'
  | 'backup-tree.list'
  | 'backup-tree.find'
  | 'backup-tree.versions'
  | 'backup-archive.read'
  | 'backup-archive.end'
  | 'restore-files.look'
  | 'website-files.search'
  | 'document-root.changes'
  | 'held-mail.list'
  | 'mail-usage.read'
  | 'mail-trace.read'
  | 'mail-guesses.read'
  | 'mail-queue.read'
  | 'mail-queue.act'
  | 'mail-queue.flush'
  | 'vhost-files.compare'
  | 'edge-sites.compare'
  | 'edge-site.trust'
  | 'edge-traffic.read'
  | 'websites.check'
  | 'configs.list'
  | 'configs.read'
  | 'configs.preview'

/**
 * Sends a read operation to the agent of a server and waits for the answer. The operation is a row in the queue, so
 * that the node with the agent's connection can take it; the row is deleted with the answer. Throws 503 if the server
 * does not answer within 10 s, 422 with the agent's reason if the operation failed. Do not call inside a transaction:
 * the embedded database has one connection and would wait for itself.
 */
export async function liveRead<N extends Look>(
  app: App,
  serverId: number,
  name: N,
  input: OrReference<OperationInput<N>>,
  answerMs = ANSWER_MS,
): Promise<unknown> {
  const { db } = app
  const server = await reachable(db, serverId)
  const workflowId = await ask(db, server, name, checkInput(operations[name] as z.ZodObject, input))
  try {
    for (const end = Date.now() + answerMs; Date.now() < end; await sleep(LOOK_MS)) {
      const [row] = await rows<{ status: string; output: unknown; reason: string | null }>(
        db,
        sql`select status, output, reason from actions where workflow_id = ${workflowId}`,
      )
      if (row?.status === 'done') return row.output
      if (row?.status === 'failed' || row?.status === 'blocked') throw refused(`${server.name}: ${row.reason}`)
    }
    throw unavailable(`${server.name} has not answered within ${answerMs / 1000} s`)
  } finally {
    await remove(db, sql`workflow_id = ${workflowId}`)
  }
}

/** Deletes reads whose node ended while it waited. */
export const sweepReads = (db: Db): Promise<void> =>
  remove(db, sql`kind = ${KIND} and started_at < now() - interval '1 minute'`)

interface Reachable {
  id: number
  name: string
}

/** A server and whether its agent is silent for too long. `seen`: last heartbeat. Throws 404. */
async function heartbeatOf(db: Db, id: number): Promise<Reachable & { seen: string | null; away: boolean }> {
  const [server] = await rows<Reachable & { seen: string | null; away: boolean }>(
    db,
    sql`select s.server_id as id, s.name, t.last_seen_at as seen,
        coalesce(t.last_seen_at < ${offlineBefore}, true) as away
      from servers s left join server_states t on t.server_id = s.server_id where s.server_id = ${id} and s.deleted_at is null`,
  )
  if (!server) throw notFound('server', id)
  return server
}

/** Whether a live read of this server would be refused at once, because its agent is offline. */
export const isOffline = async (db: Db, serverId: number): Promise<boolean> => (await heartbeatOf(db, serverId)).away

/** The server; throws 503 at once if it is offline. */
async function reachable(db: Db, id: number): Promise<Reachable> {
  const { away, seen, ...server } = await heartbeatOf(db, id)
  if (away) throw unavailable(`${server.name} has not been heard from ${seen ? `since ${sinceText(seen)}` : 'yet'}`)
  return server
}

const ask = (db: Db, server: Reachable, name: Look, input: Record<string, unknown>): Promise<number> =>
  db.transaction(async (tx) => {
    const subject = { subjectType: KIND, subjectId: server.id, subjectName: server.name }
    const [row] = await tx
      .insert(workflows)
      .values({ kind: KIND, holder: 'Innkeeper', ...subject })
      .returning()
    if (!row) throw new Error('a workflow was not saved')
    await tx.insert(actions).values({
      workflowId: row.id,
      position: 1,
      name,
      title: name,
      what: '',
      lane: 'read',
      input,
      serverId: server.id,
      resourceType: KIND,
      resourceId: server.id,
      resourceName: server.name,
    })
    await advance(tx, [row.id])
    return row.id
  })

const remove = (db: Db, which: ReturnType<typeof sql>): Promise<void> =>
  db.transaction(async (tx) => {
    const gone = await rows<{ id: number }>(tx, sql`select workflow_id as id from workflows where ${which} for update`)
    if (!gone.length) return
    const ids = gone.map((w) => w.id)
    const theirs = sql`select action_id from actions where workflow_id in ${ids}`
    await tx.execute(sql`delete from action_outputs where action_id in (${theirs})`)
    await tx.execute(sql`delete from actions where workflow_id in ${ids}`)
    await tx.execute(sql`delete from workflows where workflow_id in ${ids}`)
  })
