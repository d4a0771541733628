import * as z from 'zod'
import { instant, stored } from '../../kit/endpoint.ts'
import { Person } from '../qc/shapes.ts'
import { day } from '../qc/values.ts'
import { named, someone } from './shapes.ts'
import { feedbackState, timelineKind, visibility } from './values.ts'

export const Attachment = z.object({
  id: z.int(),
  name: z.string(),
  type: z.string(),
  size: z.int(),
  /** True: the owner deleted the file. */
  isGone: z.boolean(),
})

export const DossierFeedback = z.object({
  ...stored,
  subject: Person,
  author: Person,
  type: named,
  category: named,
  reviewCategory: named,
  content: z.string(),
  visibility,
  state: feedbackState,
  publishedAt: instant.nullable(),
  mentions: z.array(Person),
  files: z.array(Attachment),
  /** Day of the reminder; only shown to those who follow up. */
  followUpOn: day.nullable(),
  followUpBy: someone,
  acknowledgedAt: instant.nullable(),
  /** Answer of the person. */
  answer: z.string(),
  editedAt: instant.nullable(),
})
export type DossierFeedback = z.output<typeof DossierFeedback>
/** A former version of an entry. Only those who could read that version get it. */
export const FeedbackEdit = z.object({ at: instant, by: Person, content: z.string(), visibility })
export const DossierFeedbackPage = z.object({ ...DossierFeedback.shape, history: z.array(FeedbackEdit) })
export type DossierFeedbackPage = z.output<typeof DossierFeedbackPage>

export const TimelineEntry = z.object({
  kind: timelineKind,
  id: z.int(),
  at: instant,
  by: someone,
  title: z.string(),
  text: z.string(),
  /** Only for feedback. */
  visibility: visibility.nullable(),
  /** Score of a review or an audit, 0 to 100. */
  score: z.number().nullable(),
  /** The conversation of a comment, a review or an escalation. */
  conversationId: z.int().nullable(),
  conversationKind: z.enum(['chat', 'ticket']).nullable(),
})
export type TimelineEntry = z.output<typeof TimelineEntry>
