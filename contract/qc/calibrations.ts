import * as z from 'zod'
import { filter, get, id, instant, line, listQuery, pageOf, post, stored } from '../kit.ts'
import { reviewData } from './conversations.ts'
import { Message, Person, Score } from './shapes.ts'
import { kind } from './values.ts'

/** A session in which several people review one conversation blind. */
export const Calibration = z.object({
  ...stored,
  kind,
  conversationId: z.int(),
  externalId: z.string(),
  subject: z.string(),
  title: z.string(),
  createdBy: Person,
  dueAt: instant.nullable(),
  closedAt: instant.nullable(),
  participants: z.array(z.object({ person: Person, submittedAt: instant.nullable() })),
})
export type Calibration = z.output<typeof Calibration>

export const CalibrationPage = z.object({
  ...Calibration.shape,
  items: z.array(Message),
  /** Of everybody once the session is closed or all have submitted; else of the caller alone. */
  reviews: z.array(
    z.object({
      person: Person,
      score: z.number().nullable(),
      isFailed: z.boolean(),
      comment: z.string(),
      scores: z.array(Score),
    }),
  ),
  isRevealed: z.boolean(),
  /** How far the values of a score type lie apart; filled once revealed. */
  types: z.array(
    z.object({
      typeId: z.int(),
      typeName: z.string(),
      n: z.int(),
      mean: z.number().nullable(),
      /** Highest less lowest value. */
      range: z.number().nullable(),
      /** Share of pairs of people who gave the same grade, 0 to 1. */
      agreement: z.number().nullable(),
    }),
  ),
})
export type CalibrationPage = z.output<typeof CalibrationPage>

const path = '/qa-controller-v2/calibrations'
const reviewer = ['qa:score-type:read', 'qa:score-grade:read'] as const

/** The specification has no path for these calls. Whoever is invited takes part; managers hold the sessions. */
export const qcCalibrations = {
  calibrations: get(path, reviewer, {
    summary: 'Calibration sessions of the caller; for managers all',
    query: { ...listQuery(['createdAt']), open: filter(z.enum(['true', 'false'])) },
    returns: pageOf(Calibration),
  }),
  calibration: get(`${path}/:id`, reviewer, {
    summary: 'One session: the conversation, the own scores, and, once revealed, everybody’s',
    returns: CalibrationPage,
  }),
  createCalibration: post(path, 'qa:manager:access', {
    summary: 'Hold a calibration session about a conversation',
    body: {
      conversationId: id,
      title: line(120),
      participants: z.array(id).min(2).max(30),
      dueAt: instant.nullable().optional(),
    },
    returns: Calibration,
  }),
  submitCalibration: post(`${path}/:id/reviews`, reviewer, {
    summary: 'Submit the own scores of a session. They enter no statistics',
    body: { data: reviewData },
    returns: CalibrationPage,
  }),
  closeCalibration: post(`${path}/:id/close`, 'qa:manager:access', {
    summary: 'Close a session and reveal all scores',
    status: 200,
    returns: CalibrationPage,
  }),
}
