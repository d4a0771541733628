import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type OperationInput, operations } from '@innkeeper/contract/agent/operations'
import { sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { App } from '../app/app.ts'
import { sinceText } from '../app/sinceText.ts'
import { type Db, rows } from '../db/db.ts'
import { notFound, refused, unavailable } from '../http/errors.ts'
import { checkInput, type OrReference } from '../work/action.ts'
import { workNow } from '../work/atWork.ts'
import { actions, workflows } from '../work/tables.ts'
import { advance } from '../work/workflow.ts'
import { offlineBefore } from './online.ts'

/** How long an answer is waited for. Tests change the values. */
export const patience = {
  /** Until the agent has taken the question. */
  takenMs: 10_000,
  /** Until the answer to a call, which a client and its proxies give up later. */
  answerMs: 58_000,
  /** A look that may fail, because it is repeated later. */
  quickMs: 3000,
  /** An action of a workflow says for what it waits, again at twice the time. */
  sayMs: 10_000,
}
const LOOK_MS = 100
/** Seconds for which the answer of a slow server is kept for whoever asks again. */
const KEPT_S = 60
/** Minutes after which a question that nobody waits for any more is withdrawn, even from a server that still works on it. */
const LONGEST_MIN = 15
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
  | 'mail-senders.read'
  | 'mail-reports.read'
  | 'mail-limits.ensure'
  | 'mail-sender.act'
  | 'vhost-files.compare'
  | 'website-applications.find'
  | 'website-network.find'
  | 'site-rules.check'
  | 'edge-sites.compare'
  | 'edge-site.trust'
  | 'edge-traffic.read'
  | 'websites.check'
  | 'archive.secrets'
  | 'place.look'
  | 'place.certificate'
  | 'configs.list'
  | 'configs.read'
  | 'configs.preview'

/** Questions that change something, or whose answer is for one asker: each is asked by itself. */
const alone: ReadonlySet<Look> = new Set<Look>([
  ...(['ftp-session.end', 'database-connection.end', 'database.query', 'database.write'] as const),
  ...(['mail-limits.ensure', 'mail-sender.act', 'mail-reports.read'] as const),
  ...(['mail-queue.act', 'mail-queue.flush', 'backup-archive.read', 'backup-archive.end', 'archive.secrets'] as const),
  'place.certificate',
])

/**
 * Sends a read operation to the agent of a server and waits for the answer. The operation is a row in the queue, so
 * that the node with the agent's connection can take it; the row is deleted with the answer. A server that is slow goes on
 * when the caller has left: whoever asks the same again gets its answer. An action of a workflow waits for as long as the
 * agent works. Throws 503 if the server does not answer, 422 with the agent's reason if the operation failed. Do not call
 * inside a transaction: the embedded database has one connection and would wait for itself.
 */
export async function liveRead<N extends Look>(
  app: App,
  serverId: number,
  name: N,
  input: OrReference<OperationInput<N>>,
  { quick = false } = {},
): Promise<unknown> {
  const { db } = app
  const server = await reachable(db, serverId)
  const kept = checkInput(operations[name] as z.ZodObject, input)
  const asked = alone.has(name) ? undefined : keyOf(serverId, name, kept)
  for (;;) {
    const workflowId = await ask(db, server, name, kept, asked)
    waiting.set(workflowId, (waiting.get(workflowId) ?? 0) + 1)
    let goesOn = false
    try {
      const row = await answerTo(db, server, workflowId, quick)
      if (row === 'gone') continue // another node took the shared answer
      if (row === 'late') {
        goesOn = asked !== undefined
        throw unavailable(
          `${server.name} is slow and has not answered yet${goesOn ? '. Ask again for its answer' : ''}`,
        )
      }
      if (row.status === 'done') return row.output
      throw refused(`${server.name}: ${row.reason}`)
    } finally {
      const others = (waiting.get(workflowId) ?? 1) - 1
      if (others) waiting.set(workflowId, others)
      else waiting.delete(workflowId)
      if (!others && !goesOn) await remove(db, sql`workflow_id = ${workflowId}`)
    }
  }
}

/** Callers of this node that wait for a question. */
const waiting = new Map<number, number>()

const keyOf = (serverId: number, name: string, input: Record<string, unknown>) =>
  `read:${serverId}:${name}:${createHash('sha256').update(JSON.stringify(input)).digest('base64url')}`

interface Row {
  status: string
  output: unknown
  reason: string | null
}

/** The end of a question; `late` when it is not waited for any longer, `gone` without its row. */
async function answerTo(db: Db, server: Reachable, workflowId: number, quick: boolean): Promise<Row | 'late' | 'gone'> {
  const work = quick ? undefined : workNow()
  const began = performance.now()
  let say = patience.sayMs
  for (;;) {
    const [row] = await rows<Row>(db, sql`select status, output, reason from actions where workflow_id = ${workflowId}`)
    if (!row) return 'gone'
    if (['done', 'failed', 'blocked'].includes(row.status)) return row
    const ms = performance.now() - began
    if (quick ? ms > patience.quickMs : row.status === 'ready' && ms > patience.takenMs) return 'late'
    if (!work && ms > patience.answerMs) return 'late'
    work?.signal.throwIfAborted()
    if (work && ms > say) {
      work.say(`waits for an answer of ${server.name}, which works on it, ${Math.round(ms / 1000)} s so far`)
      await reachable(db, server.id)
      say *= 2
    }
    await sleep(LOOK_MS)
  }
}

/** Deletes questions whose callers have left: late answers that nobody came for, and questions that end never. */
export const sweepReads = (db: Db): Promise<void> =>
  remove(
    db,
    sql`subject_type = ${KIND} and kind = ${KIND} and (ended_at < now() - make_interval(secs => ${KEPT_S}) or started_at < now() - make_interval(mins => ${LONGEST_MIN})
      or request is null and started_at < now() - interval '2 minutes')`,
  )

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

/** Asks a question, or joins the same one that another caller has asked. Answers the id of its workflow. */
const ask = (
  db: Db,
  server: Reachable,
  name: Look,
  input: Record<string, unknown>,
  request?: string,
): Promise<number> =>
  db.transaction(async (tx) => {
    const subject = { subjectType: KIND, subjectId: server.id, subjectName: server.name }
    const [row] = await tx
      .insert(workflows)
      .values({ kind: KIND, holder: 'Innkeeper', request: request ?? null, ...subject })
      .onConflictDoNothing({ target: workflows.request })
      .returning()
    if (!row) return sameAs(tx, request ?? '')
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

async function sameAs(tx: Db, request: string): Promise<number> {
  const [same] = await rows<{ id: number }>(tx, sql`select workflow_id as id from workflows where request = ${request}`)
  return same?.id ?? -1 // its answer was taken a moment ago: the caller asks again
}

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
