import * as z from 'zod'
import {
  csv,
  del,
  filter,
  get,
  id,
  listQuery,
  pageFields,
  pageOf,
  paging,
  patch,
  post,
  version,
} from '../../kit/endpoint.ts'
import { binary } from '../../kit/transfer.ts'
import { Person } from '../qc/shapes.ts'
import { day, flag, prose, someProse } from '../qc/values.ts'
import { DossierFeedback, DossierFeedbackPage } from './feedbackShapes.ts'
import { feedbackState, visibility } from './values.ts'

const base = '/dossier-controller/feedbacks'

const fields = {
  typeId: id.nullable().optional(),
  categoryId: id.nullable().optional(),
  reviewCategoryId: id.nullable().optional(),
  /** Staff who are mentioned and notified; each must be able to read the entry. */
  mentions: z.array(id).max(20).optional(),
  /** Files of the caller in the file manager. Readers of the entry may read them. */
  fileIds: z.array(id).max(10).optional(),
  followUpOn: day.nullable().optional(),
  /** Who is reminded on the day; the author by default. */
  followUpById: id.nullable().optional(),
}

export const feedbackCalls = {
  feedbacks: get(base, 'dossier:feedback:read', {
    summary: 'Feedback that the caller may read',
    query: {
      ...listQuery(['createdAt']),
      search: filter(z.string().trim().max(100)),
      userId: filter(csv(id)),
      authorId: filter(csv(id)),
      typeId: filter(csv(id)),
      categoryId: filter(csv(id)),
      reviewCategoryId: filter(csv(id)),
      visibility: filter(csv(visibility)),
      state: filter(feedbackState),
      from: filter(day),
      to: filter(day),
    },
    returns: pageOf(DossierFeedback),
  }),
  mine: get('/dossier-controller/mine', 'signedIn', {
    summary: 'Feedback about the caller that the caller may read, and how many entries wait for an answer',
    query: { ...paging(), waiting: filter(z.enum(['true'])) },
    /** `waiting`: 1000 means at least 1,000. */
    returns: z.object({ items: z.array(DossierFeedback), ...pageFields, waiting: z.int() }),
  }),
  feedback: get(`${base}/:id`, 'dossier:feedback:read', {
    summary: 'One entry with its earlier versions',
    returns: DossierFeedbackPage,
  }),
  createFeedback: post(base, 'dossier:feedback:create', {
    summary: 'Write feedback about a person',
    body: { userId: id, content: someProse(10_000), visibility, isDraft: flag.optional(), ...fields },
    returns: DossierFeedback,
  }),
  updateFeedback: patch(`${base}/:id`, 'dossier:feedback:update', {
    summary: 'Change one’s own entry, or publish a draft. An acknowledged entry waits again',
    body: {
      content: someProse(10_000).optional(),
      visibility: visibility.optional(),
      isDraft: flag.optional(),
      ...fields,
      version,
    },
    returns: DossierFeedback,
  }),
  removeFeedback: del(`${base}/:id`, 'dossier:feedback:delete', {
    summary: 'Delete one’s own entry. The person is notified if the entry was readable to them',
    body: { version },
    status: 204,
  }),
  acknowledge: post(`${base}/:id/acknowledgement`, 'signedIn', {
    summary: 'Acknowledge an entry about oneself, with an answer',
    body: { answer: prose(4000).optional(), version },
    status: 200,
    returns: DossierFeedback,
  }),
  feedbackFile: get(`${base}/:id/files/:fileId`, 'signedIn', {
    summary: 'A file of an entry, for those who may read the entry',
    returns: binary,
  }),
  audience: get('/dossier-controller/audience', 'dossier:feedback:create', {
    summary: 'Who would read an entry of the caller about a person',
    /** `entryId`: an entry that the caller changes; new managers do not read earlier entries. */
    query: { userId: id, visibility, entryId: id.optional() },
    /** `people`: at most 1,000, administrators last. */
    returns: z.object({
      people: z.array(Person.extend({ isAdmin: z.boolean() })),
      total: z.int(),
      administrators: z.int(),
    }),
  }),
}
