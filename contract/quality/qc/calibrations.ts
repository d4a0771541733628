import * as z from 'zod'
import { filter, get, id, instant, line, listQuery, pageOf, post, stored } from '../../kit/endpoint.ts'
import { reviewData } from './conversations.ts'
import { Message, Person, Score } from './shapes.ts'
import { kind } from './values.ts'

/** A session in which several people review one conversation without seeing each other's scores. */
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
  /** Everybody's reviews once the session is closed or all have submitted; before that, only the caller's. */
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
  /** Spread of the values of each score type; empty until the scores are revealed. */
  types: z.array(
    z.object({
      typeId: z.int(),
      typeName: z.string(),
      n: z.int(),
      mean: z.number().nullable(),
      /** Highest minus lowest value. */
      range: z.number().nullable(),
      /** Share of pairs of people who gave the same grade, from 0 to 1. */
      agreement: z.number().nullable(),
    }),
  ),
})
export type CalibrationPage = z.output<typeof CalibrationPage>

const path = '/qa-controller-v2/calibrations'
const reviewer = ['qa:score-type:read', 'qa:score-grade:read'] as const

/** The specification has no path for these calls. Invited people take part; managers start and close the sessions. */
export const qcCalibrations = {
  calibrations: get(path, reviewer, {
    summary: 'Calibration sessions of the caller; managers get all sessions',
    query: { ...listQuery(['createdAt']), open: filter(z.enum(['true', 'false'])) },
    returns: pageOf(Calibration),
  }),
  calibration: get(`${path}/:id`, reviewer, {
    summary: 'One session: the conversation, the caller’s scores, and everybody’s scores once revealed',
    returns: CalibrationPage,
  }),
  createCalibration: post(path, 'qa:manager:access', {
    summary: 'Start a calibration session about a conversation',
    body: {
      conversationId: id,
      title: line(120),
      participants: z.array(id).min(2).max(30),
      dueAt: instant.nullable().optional(),
    },
    returns: Calibration,
  }),
  submitCalibration: post(`${path}/:id/reviews`, reviewer, {
    summary: 'Submit the caller’s scores of a session. Statistics do not include them',
    body: { data: reviewData },
    returns: CalibrationPage,
  }),
  closeCalibration: post(`${path}/:id/close`, 'qa:manager:access', {
    summary: 'Close a session and reveal all scores',
    status: 200,
    returns: CalibrationPage,
  }),
}
