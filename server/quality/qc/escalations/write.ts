import type { escalationFields } from '@innkeeper/contract/quality/qc/conversations'
import type { Escalation } from '@innkeeper/contract/quality/qc/shapes'
import type { Kind } from '@innkeeper/contract/quality/qc/values'
import { eq, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { notify } from '../../../access/notifications/notify.ts'
import { checkPeople } from '../../../access/users/exist.ts'
import { checkReaders } from '../../../access/users/readers.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import type { Context } from '../../../kit/http/api.ts'
import { conflict, notFound, refused } from '../../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { holdConversation, holdToWrite } from '../conversations/queue.ts'
import { readConversation } from '../conversations/view.ts'
import { placeOf } from '../ids.ts'
import { checkReach } from '../reach.ts'
import { checkMayRead } from '../rights.ts'
import { readEscalation } from './list.ts'
import { qcEscalations } from './tables.ts'

export type Fields = z.output<z.ZodObject<typeof escalationFields>>

const e = qcEscalations
export async function escalate(context: Context, kind: Kind, id: number, fields: Fields): Promise<Escalation> {
  const { db, staff, audit } = context
  await holdToWrite(db, id, kind)
  const { agent, agents: wrote, externalId } = await readConversation(db, id, kind)
  checkMayRead(
    staff,
    kind,
    wrote.map((one) => one.id),
  )
  await checkReach(context, id)
  const { agents = agent ? [agent.id] : [], escalationDTO: dto = {} } = fields
  await checkPeople(db, agents, 'agents')
  if (dto.assigneeId) await checkAssignee(db, dto.assigneeId)
  const [open] = await rows<{ id: number }>(
    db,
    sql`select qc_escalation_id as id from qc_escalations where conversation_id = ${id} and status <> 'reviewed'`,
  )
  if (open)
    throw conflict(`The ${kind} ${externalId} is already escalated`, {
      current: await readEscalation(context, open.id),
    })
  const [made] = await db
    .insert(e)
    .values({
      ...dto,
      reason: dto.reason ?? 'Escalated',
      kind,
      conversationId: id,
      agentIds: [...new Set(agents)],
      createdBy: staff.id,
    })
    .returning({ id: e.id })
  const escalation = await readEscalation(context, made!.id) // one inserted row returns one row
  await inform(context, escalation)
  audit.after(escalation)
  await changed(db, 'qc', id)
  return escalation
}

async function checkAssignee(db: Db, id: number): Promise<void> {
  await checkPeople(db, [id], 'escalationDTO.assigneeId')
  await checkReaders(db, [id], 'escalationDTO.assigneeId', { may: ['qa:escalation:read'], what: 'escalations' })
}

export async function updateEscalation(context: Context, id: number, fields: Fields, version?: number) {
  const { db, audit } = context
  const before = await hold(context, id, undefined, version)
  const { agents, escalationDTO: dto = {} } = fields
  // agents who were named before are accepted even after they have left
  const known = new Set(before.agents.map((agent) => agent.id))
  const added = (agents ?? []).filter((agentId) => !known.has(agentId))
  await checkPeople(db, added, 'agents')
  if (dto.assigneeId && dto.assigneeId !== before.assignee?.id) await checkAssignee(db, dto.assigneeId)
  await db
    .update(e)
    .set({ ...dto, ...(agents && { agentIds: [...new Set(agents)] }), ...nextVersion })
    .where(eq(e.id, id))
  const after = await readEscalation(context, id)
  if (after.assignee?.id !== before.assignee?.id) await inform(context, after)
  audit.after(after)
  await changed(db, 'qc', before.conversationId)
  return after
}

/** Sets the status. Refuses to reopen a reviewed escalation while another one of the conversation is open. */
export async function setStatus(
  context: Context,
  id: number,
  status: Escalation['status'],
  { kind, version }: { kind?: Kind; version?: number | undefined } = {},
): Promise<Escalation> {
  const { db, staff, audit } = context
  const before = await hold(context, id, kind, version)
  const opens = before.status === 'reviewed' && status !== 'reviewed'
  if (opens) {
    const others = await rows(
      db,
      sql`select from qc_escalations where conversation_id = ${before.conversationId} and status <> 'reviewed'`,
    )
    if (others.length) throw refused('Another escalation of the conversation is open')
  }
  const reviewed = status === 'reviewed'
  if (status !== before.status)
    await db
      .update(e)
      .set({ status, reviewedAt: reviewed ? sql`now()` : null, reviewedBy: reviewed ? staff.id : null, ...nextVersion })
      .where(eq(e.id, id))
  // offboarding reassigns only open escalations, so that a reopened one may have an assignee who has left
  if (opens)
    await db.execute(sql`update qc_escalations set assignee_id = null where qc_escalation_id = ${id}
      and assignee_id in (select user_id from users where deleted_at is not null)`)
  const after = await readEscalation(context, id)
  audit.after(after)
  await changed(db, 'qc', before.conversationId)
  return after
}

/** Locks and reads an escalation. Its conversation comes first, as for everything that is written about one. */
async function hold(context: Context, id: number, kind?: Kind, version?: number): Promise<Escalation> {
  const place = await placeOf(context.db, 'qc_escalations', 'qc_escalation_id', id)
  if (place === undefined) throw notFound('escalation', id)
  await holdConversation(context.db, place)
  await rows(context.db, sql`select from qc_escalations where qc_escalation_id = ${id} for update`)
  const escalation = await readEscalation(context, id, kind)
  context.audit.before(escalation)
  checkVersion(escalation, version, 'The escalation')
  return escalation
}

/** Notifies the assignee without quoting: notifications stay when people lose a permission, or customers are erased. */
async function inform({ db, staff }: Context, { id, kind, assignee, externalId }: Escalation): Promise<void> {
  if (assignee && assignee.id !== staff.id)
    await notify(db, {
      to: [assignee.id],
      reason: 'quality',
      title: `An escalation is yours: ${externalId}`,
      body: `${staff.name} assigned the escalation to you.`,
      link: `/qc-v2/${kind}-escalations/${id}`,
    })
}
