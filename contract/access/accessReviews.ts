import * as z from 'zod'
import { del, filter, get, id, instant, line, listQuery, pageOf, post, stored, whole } from '../kit/endpoint.ts'
import { binary } from '../kit/transfer.ts'

/** Days without use after which a review proposes to remove something. */
export const USUAL_UNUSED_DAYS = 90

export const accessReviewStates = ['open', 'finished', 'cancelled'] as const
export const accessKinds = ['administrator', 'role', 'department', 'elevation', 'token'] as const
export type AccessKind = (typeof accessKinds)[number]
export const accessDecisions = ['keep', 'remove'] as const

/** A round in which people judge who holds what. Its rows are those of its beginning. */
export const AccessReview = z.object({
  ...stored,
  name: z.string(),
  state: z.enum(accessReviewStates),
  unusedDays: z.int(),
  dueOn: z.iso.date(),
  isOverdue: z.boolean(),
  reviewerId: z.int(),
  reviewerName: z.string(),
  endedAt: instant.nullable(),
  endedByName: z.string().nullable(),
  items: z.int(),
  undecided: z.int(),
  toRemove: z.int(),
  /** Since when uses of permissions are recorded; null: none is recorded yet. */
  recordedSince: instant.nullable(),
})
export type AccessReview = z.output<typeof AccessReview>

/** Something that somebody holds. */
export const AccessItem = z.object({
  id: z.int(),
  userId: z.int(),
  userName: z.string(),
  isService: z.boolean(),
  kind: z.enum(accessKinds),
  /** The role, the department, the token, or what is elevated. */
  name: z.string(),
  /** Where it comes from: "by hand", "group support of Company". */
  source: z.string(),
  /** Permissions that it gives, and those of them that were never used since uses are recorded. */
  scopes: z.int(),
  unused: z.array(z.string()),
  lastUsedAt: instant.nullable(),
  /** True: it was not used for the days of the review. */
  isProposed: z.boolean(),
  decision: z.enum(accessDecisions).nullable(),
  decidedByName: z.string().nullable(),
  decidedAt: instant.nullable(),
  note: z.string().nullable(),
  /** What became of it at the end: "Removed", or why not. */
  outcome: z.string().nullable(),
})
export type AccessItem = z.output<typeof AccessItem>

export const accessReviews = {
  list: get('/auth/access-reviews', 'users:access-review:read', {
    summary: 'Access reviews',
    query: {
      ...listQuery(['createdAt', 'dueOn']),
      search: filter(z.string().trim().max(80)),
      state: filter(z.enum(accessReviewStates)),
    },
    returns: pageOf(AccessReview),
  }),
  one: get('/auth/access-reviews/:id', 'users:access-review:read', {
    summary: 'One access review',
    returns: AccessReview,
  }),
  items: get('/auth/access-reviews/:id/items', 'users:access-review:read', {
    summary: 'Who holds what in an access review',
    query: {
      ...listQuery(['userName', 'lastUsedAt']),
      search: filter(z.string().trim().max(80)),
      kind: filter(z.enum(accessKinds)),
      decision: filter(z.enum([...accessDecisions, 'none'])),
      proposed: filter(z.enum(['yes', 'no'])),
    },
    returns: pageOf(AccessItem),
  }),
  create: post('/auth/access-reviews', 'users:access-review:create', {
    summary: 'Begin an access review of people and roles; of nobody named: of everybody',
    body: {
      name: line(120),
      roleIds: z.array(id).max(200).default([]),
      userIds: z.array(id).max(1000).default([]),
      /** Whom Innkeeper reminds. Default: the caller. */
      reviewerId: id.nullable().default(null),
      unusedDays: whole(7, 730).default(USUAL_UNUSED_DAYS),
      dueOn: z.iso.date(),
    },
    returns: AccessReview,
  }),
  decide: post('/auth/access-reviews/:id/decisions', 'users:access-review:decide', {
    summary: 'Decide about rows of an open review, but not about oneself; nothing is removed before its end',
    body: {
      items: z.array(id).min(1, 'Choose at least one row').max(1000),
      decision: z.enum(accessDecisions).nullable(),
      note: line(500).nullable().default(null),
    },
    status: 200,
    returns: z.object({ decided: z.int() }),
  }),
  finish: post('/auth/access-reviews/:id/end', 'users:access-review:create', {
    summary: 'End a review whose rows are all decided, and remove what was decided to be removed',
    status: 200,
    returns: AccessReview,
  }),
  cancel: del('/auth/access-reviews/:id', 'users:access-review:create', {
    summary: 'Cancel an open review; nothing is removed',
  }),
  file: get('/auth/access-reviews/:id/csv', 'users:access-review:read', {
    summary: 'A review with its rows and decisions as CSV, for auditors',
    returns: binary,
  }),
}
