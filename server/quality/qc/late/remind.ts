import type { Kind } from '@innkeeper/contract/quality/qc/values'
import { type SQL, sql } from 'drizzle-orm'
import { holdersOf } from '../../../access/notifications/holders.ts'
import { byPerson, LATE_ROWS } from '../../../access/notifications/late.ts'
import { notifyEach } from '../../../access/notifications/notify.ts'
import type { App } from '../../../kit/app/app.ts'
import { type Db, rows } from '../../../kit/db/db.ts'

/** What is past its date: who hears of it, and how one of its kind and several are called. */
interface Late {
  to: readonly number[]
  title: string
  link: string
}
interface Words {
  several: string
  body: string
  list: string
}

/** Reminds people once of each date that passes: of disputes to decide, escalations to handle and calibrations to take part in. */
export const remindOfLate = ({ db }: App): Promise<void> =>
  db.transaction(async (tx) => {
    await tell(tx, await lateDisputes(tx), {
      several: 'disputes are past their date',
      body: 'The agents wait for a decision.',
      list: '/qc-v2/feedbacks?overdue=true',
    })
    await tell(tx, await lateEscalations(tx), {
      several: 'escalations are past their date',
      body: 'Handle them, or set another date.',
      list: '/qc-v2/escalations?overdue=true',
    })
    await tell(tx, await lateCalibrations(tx), {
      several: 'calibrations are past their date',
      body: 'Others see the scores once everybody has submitted theirs.',
      list: '/qc-v2/calibrations?open=true',
    })
  })

/** One notification for each person: it names one thing, and counts several. */
async function tell(db: Db, late: readonly Late[], { several, body, list }: Words): Promise<void> {
  await notifyEach(
    db,
    byPerson(late).map(([userId, [first, ...more]]) => ({
      ...{ to: [userId], reason: 'quality', level: 'warning', body },
      title: more.length || !first ? `${more.length + 1} ${several}` : first.title,
      link: more.length || !first ? list : first.link,
    })),
  )
}

/**
 * Marks open rows whose date has passed, and of which nobody was reminded since the date was set, and returns them. Another
 * worker passes over the rows.
 */
const take = <T>(db: Db, { table, key, open }: { table: string; key: string; open: SQL }, select: SQL): Promise<T[]> =>
  rows<T>(
    db,
    sql`with late as (select ${sql.raw(key)} from ${sql.raw(table)} where ${open} and due_at < now()
        and reminded_for is distinct from due_at order by due_at limit ${LATE_ROWS} for update skip locked)
      update ${sql.raw(table)} v set reminded_for = v.due_at from late, qc_conversations c
      where v.${sql.raw(key)} = late.${sql.raw(key)} and c.qc_conversation_id = v.conversation_id returning ${select}`,
  )

const isOpen = sql`status in ('open', 'in-progress')`

/** Disputes: for the reviewer who decides, and for the managers who do, without the people concerned. */
async function lateDisputes(db: Db): Promise<Late[]> {
  const found = await take<{ id: number; kind: Kind; externalId: string; reviewerId: number | null; people: number[] }>(
    db,
    { table: 'qc_feedbacks', key: 'qc_feedback_id', open: sql`type = 'dispute' and ${isOpen}` },
    sql`v.qc_feedback_id as id, v.kind, c.external_id as "externalId",
      (select r.reviewer_id from qc_reviews r where r.qc_review_id = v.review_id) as "reviewerId",
      array_remove(array[v.created_by, v.agent_id, (v.proposes->>'agentId')::int], null) as people`,
  )
  if (!found.length) return []
  const deciding = new Set(await holdersOf(db, 'qa:feedback:status'))
  const managers = await managersWho(db, deciding)
  return found.map(({ id, kind, externalId, reviewerId, people }) => ({
    to: [...managers, ...(reviewerId !== null && deciding.has(reviewerId) ? [reviewerId] : [])].filter(
      (one) => !people.includes(one),
    ),
    title: `The dispute about ${kind} ${externalId} is past its date`,
    link: `/qc-v2/${kind}-feedbacks/${id}`,
  }))
}

/** Escalations: for their assignee, or for the managers if nobody, or nobody who may read them, is assigned. */
async function lateEscalations(db: Db): Promise<Late[]> {
  const found = await take<{ id: number; kind: Kind; externalId: string; assigneeId: number | null }>(
    db,
    { table: 'qc_escalations', key: 'qc_escalation_id', open: isOpen },
    sql`v.qc_escalation_id as id, v.kind, c.external_id as "externalId", v.assignee_id as "assigneeId"`,
  )
  if (!found.length) return []
  const reading = new Set(await holdersOf(db, 'qa:escalation:read'))
  const managers = await managersWho(db, reading)
  return found.map(({ id, kind, externalId, assigneeId }) => ({
    to: assigneeId !== null && reading.has(assigneeId) ? [assigneeId] : managers,
    title: `The escalation of ${kind} ${externalId} is past its date`,
    link: `/qc-v2/${kind}-escalations/${id}`,
  }))
}

/** Calibrations: for participants who have not submitted their scores, and for who holds them. */
async function lateCalibrations(db: Db): Promise<Late[]> {
  const waiting = sql`from qc_calibration_reviews p where p.calibration_id = v.qc_calibration_id and p.submitted_at is null`
  const found = await take<{ id: number; title: string; to: number[]; by: number }>(
    db,
    {
      table: 'qc_calibrations',
      key: 'qc_calibration_id',
      open: sql`closed_at is null and exists (select from qc_calibration_reviews p
        where p.calibration_id = qc_calibrations.qc_calibration_id and p.submitted_at is null)`,
    },
    sql`v.qc_calibration_id as id, v.title, v.created_by as by, array(select p.reviewer_id ${waiting}) as to`,
  )
  return found.map(({ id, title, to, by }) => ({
    to: [...to, by],
    title: `The calibration ${title} is past its date`,
    link: `/qc-v2/calibrations/${id}`,
  }))
}

async function managersWho(db: Db, able: ReadonlySet<number>): Promise<number[]> {
  return (await holdersOf(db, 'qa:manager:access')).filter((id) => able.has(id))
}
