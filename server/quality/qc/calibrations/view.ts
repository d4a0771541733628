import type { Calibration, CalibrationPage } from '@innkeeper/contract/quality/qc/calibrations'
import { sql } from 'drizzle-orm'
import type { Staff } from '../../../kit/access/sessions.ts'
import { rowsByIds } from '../../../kit/db/byIds.ts'
import { isoOf, withInstants } from '../../../kit/db/columns.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { inOrder } from '../../../kit/db/page.ts'
import { personOf } from '../../../kit/db/people.ts'
import { notFound } from '../../../kit/http/errors.ts'
import { messagesOf } from '../conversations/readMessages.ts'
import { type FrozenScore, sumUp } from '../reviews/score.ts'
import { checkMayRead, isManager } from '../rights.ts'

const select = rowsByIds<Calibration>(
  (
    isWanted,
  ) => sql`select s.qc_calibration_id as id, s.version, s.created_at as "createdAt", s.updated_at as "updatedAt", s.kind,
    s.conversation_id as "conversationId", c.external_id as "externalId", c.subject, s.title, ${personOf('s.created_by')} as "createdBy",
    s.due_at as "dueAt", s.closed_at as "closedAt",
    (select coalesce(json_agg(json_build_object('person', ${personOf('p.reviewer_id')}, 'submittedAt', p.submitted_at) order by p.reviewer_id), '[]'::json)
      from qc_calibration_reviews p where p.calibration_id = s.qc_calibration_id) as participants
  from qc_calibrations s join qc_conversations c on c.qc_conversation_id = s.conversation_id
  where ${isWanted(sql`s.qc_calibration_id`)}`,
)

export const readCalibrations = async (db: Db, ids: number[]): Promise<Calibration[]> =>
  inOrder(ids, await select(db, ids)).map((row) => ({
    ...withInstants(row, ['createdAt', 'updatedAt', 'dueAt', 'closedAt']),
    participants: row.participants.map(({ person, submittedAt }) => ({
      person,
      submittedAt: submittedAt === null ? null : isoOf(submittedAt),
    })),
  }))

interface Given {
  reviewerId: number
  comment: string
  scores: FrozenScore[]
  isSubmitted: boolean
}

/** A session for one reader: the scores of others stay hidden until it is closed or everybody has submitted. */
export async function readSession(db: Db, id: number, reader: Staff): Promise<CalibrationPage> {
  const [session] = await readCalibrations(db, [id])
  const isInvited = session?.participants.some(({ person }) => person.id === reader.id)
  if (!session || !(isInvited || isManager(reader))) throw notFound('calibration session', id)
  checkMayRead(reader, session.kind)
  const isRevealed = session.closedAt !== null || session.participants.every(({ submittedAt }) => submittedAt !== null)
  const given = await rows<Given>(
    db,
    sql`select reviewer_id as "reviewerId", comment, scores, submitted_at is not null as "isSubmitted"
      from qc_calibration_reviews where calibration_id = ${id} order by reviewer_id`,
  )
  const shown = given.filter(({ isSubmitted, reviewerId }) => isSubmitted && (isRevealed || reviewerId === reader.id))
  return {
    ...session,
    isRevealed,
    items: await messagesOf(db, session.conversationId),
    reviews: shown.map(({ reviewerId, comment, scores }) => ({
      person: session.participants.find(({ person }) => person.id === reviewerId)?.person ?? {
        id: reviewerId,
        name: '',
      },
      ...{ comment, ...sumUp(scores) },
      scores: scores.map(({ position: _, ...score }) => score),
    })),
    types: isRevealed ? compare(shown.map(({ scores }) => scores)) : [],
  }
}

/** Mean, range and agreement of each score type. N/A counts as a grade in the agreement, but not in mean and range. */
function compare(sheets: readonly FrozenScore[][]): CalibrationPage['types'] {
  const types = new Map(sheets.flat().map(({ typeId, typeName }) => [typeId, typeName]))
  return [...types].map(([typeId, typeName]) => {
    const scores = sheets.flatMap((sheet) => sheet.filter((score) => score.typeId === typeId))
    const values = scores.flatMap(({ value }) => (value === null ? [] : [value]))
    const pairs = scores.flatMap((one, n) => scores.slice(n + 1).map((other) => one.gradeId === other.gradeId))
    return {
      ...{ typeId, typeName, n: values.length },
      mean: values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : null,
      range: values.length ? Math.max(...values) - Math.min(...values) : null,
      agreement: pairs.length ? pairs.filter(Boolean).length / pairs.length : null,
    }
  })
}
