import type { qcCalibrations as contract } from '@innkeeper/contract/quality/qc/calibrations'
import { type Kind, kinds } from '@innkeeper/contract/quality/qc/values'
import { eq, type SQL, sql } from 'drizzle-orm'
import { notify } from '../../../access/notifications/notify.ts'
import { checkPeople } from '../../../access/users/exist.ts'
import { checkReaders } from '../../../access/users/readers.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { pageKeys } from '../../../kit/db/page.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { conflict, notFound, outOfReach, refused } from '../../../kit/http/errors.ts'
import { changed } from '../../../kit/live/live.ts'
import { holdConversation, refuseErased } from '../conversations/queue.ts'
import { readConversation } from '../conversations/view.ts'
import { checkReach, checkReachOf } from '../reach.ts'
import { checkEvidence, freeze, readRubric } from '../reviews/score.ts'
import { checkMayRead, isManager, mayRead } from '../rights.ts'
import { qcCalibrationReviews, qcCalibrations as s } from './tables.ts'
import { readCalibrations, readSession } from './view.ts'

export const calibrationHandlers: Handlers<typeof contract> = {
  async calibrations(input, { db, staff }) {
    const where: SQL[] = [sql`${s.kind} = any(${sql.param(kinds.filter((kind) => mayRead(staff, kind)))}::text[])`]
    if (!isManager(staff))
      where.push(sql`${s.id} in (select calibration_id from qc_calibration_reviews where reviewer_id = ${staff.id})`)
    if (input.open) where.push(sql`(${s.closedAt} is null) = ${input.open === 'true'}`)
    const order = { column: s.createdAt, type: 'instant', direction: 'DESC' } as const
    const { ids, ...page } = await pageKeys(db, input, { from: sql`${s}`, where, key: s.id, order })
    return { items: await readCalibrations(db, ids), ...page }
  },

  calibration: ({ id }, { db, staff }) => readSession(db, id, staff),

  async createCalibration({ conversationId, title, participants, dueAt }, { db, staff, audit }) {
    await holdConversation(db, conversationId)
    const conversation = await readConversation(db, conversationId)
    const { kind, agents, externalId } = conversation
    checkMayRead(staff, kind)
    await checkReach({ db, staff }, conversationId)
    refuseErased(conversation)
    const people = [...new Set(participants)]
    await checkPeople(db, people, 'participants')
    await checkReaders(db, people, 'participants', { may: [`qa:${kind}:read`], what: `${kind}s` })
    for (const one of people) await checkReachOf(db, one, conversationId, 'participants')
    const own = agents.find((agent) => people.includes(agent.id))
    if (own) throw refused(`${own.name} wrote in the ${kind}`, { participants: `${own.name} is an agent of it` })
    if (people.length < 2)
      throw refused('A calibration needs at least two people', { participants: 'Choose at least two people' })
    const values = { conversationId, kind, title, dueAt: dueAt ?? null, createdBy: staff.id }
    const [made] = await db.insert(s).values(values).returning({ id: s.id })
    const { id } = made! // one inserted row returns one row
    await db.insert(qcCalibrationReviews).values(people.map((reviewerId) => ({ calibrationId: id, reviewerId })))
    await notify(db, {
      to: people.filter((one) => one !== staff.id),
      reason: 'quality',
      title: `A calibration of ${kind} ${externalId}`,
      body: `${staff.name} asks you to review a ${kind} blind.`,
      link: `/qc-v2/calibrations/${id}`,
    })
    const [session] = await readCalibrations(db, [id])
    audit.of('calibration', id)
    audit.after(session)
    await changed(db, 'qc')
    return session!
  },

  async submitCalibration({ id, data }, { db, staff, audit }) {
    await holdWords(db, id)
    const session = await hold(db, id)
    const [own] = await rows<{ submitted: boolean }>(
      db,
      sql`select submitted_at is not null as submitted from qc_calibration_reviews
        where calibration_id = ${id} and reviewer_id = ${staff.id}`,
    )
    if (!own) throw outOfReach('You are not invited to this session')
    if (session.closed) throw conflict('The session is closed', { current: { closedAt: session.closed } })
    if (own.submitted) throw conflict('You have already submitted', { current: { id } })
    refuseErased(await readConversation(db, session.conversationId))
    const scores = freeze(await readRubric(db, session.kind), data.scores ?? [], staff.id)
    await checkEvidence(db, session.conversationId, scores)
    await db.execute(sql`update qc_calibration_reviews set submitted_at = now(), comment = ${data.comment ?? ''},
      scores = ${JSON.stringify(scores)}::jsonb where calibration_id = ${id} and reviewer_id = ${staff.id}`)
    audit.of('calibration', id)
    audit.after({ id, kind: session.kind, conversationId: session.conversationId })
    await changed(db, 'qc')
    return readSession(db, id, staff)
  },

  async closeCalibration({ id }, { db, staff, audit }) {
    audit.of('calibration', id)
    const { closed, kind } = await hold(db, id)
    checkMayRead(staff, kind)
    if (closed) throw conflict('The session is already closed', { current: { closedAt: closed } })
    await db.execute(sql`update qc_calibrations set closed_at = now(), version = version + 1, updated_at = now()
      where qc_calibration_id = ${id}`)
    await changed(db, 'qc')
    return readSession(db, id, staff)
  },
}

interface Held {
  conversationId: number
  kind: Kind
  closed: string | null
}
/** Locks the conversation before its session, as an erasure does. */
async function holdWords(db: Db, id: number): Promise<void> {
  const [found] = await db.select({ of: s.conversationId }).from(s).where(eq(s.id, id))
  if (!found) throw notFound('calibration session', id)
  await holdConversation(db, found.of)
}

async function hold(db: Db, id: number): Promise<Held> {
  const [found] = await rows<Held>(
    db,
    sql`select conversation_id as "conversationId", kind, closed_at::text as closed from qc_calibrations
      where qc_calibration_id = ${id} for update`,
  )
  if (!found) throw notFound('calibration session', id)
  return found
}
