import type { Resolver } from 'node:dns/promises'
import { and, eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { liveRead } from '../../../kit/agents/liveRead.ts'
import type { App } from '../../../kit/app/app.ts'
import { secrets } from '../../../kit/app/tables.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { Refusal } from '../../../kit/http/errors.ts'
import { nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { automatic, nextTry } from '../../../kit/work/automatic.ts'
import { eachOf, failedLast } from '../../../kit/work/round.ts'
import { describe, onEnd, rollBackWhen, type Workflow, whyStopped } from '../../../kit/work/workflow.ts'
import { servers } from '../../../machines/servers/tables.ts'
import { resolverOf } from '../dns.ts'
import { mailboxes, mailMoves } from '../tables.ts'
import { retire } from './handlers.ts'
import { namesOf, transferKeyOf } from './plan.ts'

type Change = Partial<typeof mailMoves.$inferInsert>
async function becomes(tx: Db, { id, subjectId }: Workflow, set: Change): Promise<number | undefined> {
  const [move] = await tx
    .update(mailMoves)
    .set({ ...set, ...nextVersion })
    .where(eq(mailMoves.workflowId, id))
    .returning({ id: mailMoves.id })
  await changed(tx, 'mailboxes', subjectId)
  return move?.id
}
const now = () => new Date().toISOString()

const AT_ONCE = 10
const LOOK_MINUTES = 10
/** Time for which others may cache the former addresses of the names. */
const CLEAR_MS = 3_600_000
/** Title of the round. */
const ROUND = 'a former mail server could not be looked at'
const WHO = { id: null, name: 'Innkeeper' }

/** Clears former servers whose queue is empty and to which no name points any more. */
export async function retireMoved(app: App): Promise<number> {
  const due = await app.db
    .select({
      id: mailMoves.id,
      move: mailMoves,
      domain: mailboxes.domain,
      address: servers.address,
      server: servers.name,
    })
    .from(mailMoves)
    .innerJoin(mailboxes, eq(mailboxes.id, mailMoves.mailboxId))
    .innerJoin(servers, eq(servers.id, mailMoves.sourceId))
    .where(and(eq(mailMoves.state, 'passing'), sql`${mailMoves.lookAt} <= now()`))
    .orderBy(failedLast(app, ROUND, sql`${mailMoves.id}`), mailMoves.lookAt)
    .limit(AT_ONCE)
  // a server that does not answer must not delay the others
  await eachOf(app, ROUND, due, (one) => lookAt(app, one), { atOnce: AT_ONCE })
  return due.length
}

interface Former {
  move: typeof mailMoves.$inferSelect
  domain: string
  address: string | null
  server: string
}
async function lookAt(app: App, { move, domain, address, server }: Former): Promise<void> {
  const { db, settings } = app
  const waitsFor =
    (await queueOf(app, move.sourceId, server, domain)) ?? (await named(resolverOf(app), domain, address, server))
  const clearAt = waitsFor === null ? (move.clearAt ?? now()) : null
  const isOver = clearAt !== null && Date.parse(clearAt) <= Date.now() - CLEAR_MS
  await db.transaction(async (tx) => {
    await tx
      .update(mailMoves)
      .set({
        clearAt,
        lookAt: new Date(Date.now() + LOOK_MINUTES * 60_000).toISOString(),
        waitsFor: waitsFor ?? (isOver ? null : 'No name points to the former server any more. It stays for an hour'),
      })
      .where(and(eq(mailMoves.id, move.id), eq(mailMoves.state, 'passing')))
    await changed(tx, 'mailboxes', move.mailboxId)
  })
  if (isOver) await db.transaction((tx) => retire(tx, move, WHO, settings.trashDays))
}

const Waiting = z.object({ waiting: z.int() })
async function queueOf(app: App, serverId: number, name: string, domain: string): Promise<string | null> {
  try {
    const { waiting } = Waiting.parse(await liveRead(app, serverId, 'mail-queue.flush', { domain }))
    return waiting ? `${waiting} messages wait on ${name}` : null
  } catch (error) {
    if (error instanceof Refusal) return `${name} does not say whether mail waits there: ${error.message}`
    throw error
  }
}

/** The first reason why mail or mail programs may still reach the address by name; undefined if there is none. */
async function named(resolver: Resolver, domain: string, address: string | null, server: string) {
  try {
    const exchanges = (await resolver.resolveMx(domain).catch(none)).map(({ exchange }) => exchange.toLowerCase())
    for (const name of new Set([...exchanges, ...namesOf(domain)])) {
      const found = [...(await resolver.resolve4(name).catch(none)), ...(await resolver.resolve6(name).catch(none))]
      if (found.some((one) => one === address)) return `${name} still points to ${server}`
    }
    return null
  } catch {
    return 'No name server answers the MX records'
  }
}
function none(error: Error & { code?: string }): never[] {
  if (error.code === 'ENOTFOUND' || error.code === 'ENODATA') return []
  throw error
}

/** Declares the workflows of this file, for domain.ts. */
export function mailMoveWorkflows(): void {
  describe('mailbox.move', { title: 'Move mail domain', doing: 'moving to another mail server', stopsHalfway: true })
  describe('mailbox.retire', { title: 'Clear former mail server', doing: 'being taken off its former mail server' })
  onEnd('mailbox.move', async (tx, workflow, outcome) => {
    if (outcome === 'running' || outcome === 'failed')
      return void (await becomes(tx, workflow, { state: outcome === 'failed' ? 'failed' : 'moving' }))
    const state = outcome === 'done' ? 'passing' : 'rolled-back'
    const id = await becomes(tx, workflow, { state, ...(outcome === 'done' && { lookAt: now() }) })
    if (id !== undefined) await tx.delete(secrets).where(eq(secrets.name, transferKeyOf(id)))
  })

  // Nobody can sign in while the mail is queued. A move that fails then reopens the domain on the old server.
  rollBackWhen('mailbox.move', async (tx, { id }) => {
    const [found] = await rows<{ held: boolean }>(
      tx,
      sql`select bool_or(input -> 'moving' ->> 'phase' = 'held' and attempt > 0)
        and not bool_or(name = 'mail-move.take-over' and status = 'done') as held
      from actions where workflow_id = ${id}`,
    )
    return found?.held === true
  })

  onEnd('mailbox.retire', async (tx, workflow, outcome) => {
    if (outcome === 'running') return
    const why = outcome === 'failed' ? { waitsFor: await whyStopped(tx, workflow.id) } : {}
    await becomes(tx, workflow, { state: outcome === 'done' ? 'done' : 'passing', ...why })
  })

  automatic('mailbox.retire', async (tx, workflow, { failures }) => {
    await becomes(tx, workflow, { lookAt: nextTry(failures).toISOString() })
  })
}
