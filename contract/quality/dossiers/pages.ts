import * as z from 'zod'
import { csv, filter, get, id, instant, line, paging, patch, post, version, whole } from '../../kit/endpoint.ts'
import { day, prose } from '../qc/values.ts'
import { DossierFeedbackPage, TimelineEntry } from './feedbackShapes.ts'
import { DossierUser, Membership, Talk, TalkPage, TrendMonth } from './shapes.ts'
import { questions } from './talkTemplates.ts'
import { talkKind, timelineKind } from './values.ts'

const base = '/dossier-controller'

/** Calls about the page of a person. */
export const timelineCalls = {
  timeline: get(`${base}/users/:id/timeline`, 'dossier:comment:read', {
    summary: 'Entries about a person that the caller may read, newest first',
    own: 'id',
    query: {
      kind: filter(csv(timelineKind)),
      itemsPerPage: filter(whole(1, 200)).transform((n) => n ?? 50),
      after: filter(z.string().max(500)),
    },
    returns: z.object({
      items: z.array(TimelineEntry),
      next: z.string().optional(),
      /** Kinds that the caller may read. */
      kinds: z.array(timelineKind),
    }),
  }),
  trend: get(`${base}/users/:id/trend`, 'dossier:comment:read', {
    summary: 'Mean review score of each of the last twelve months',
    own: 'id',
    returns: z.object({ months: z.array(TrendMonth) }),
  }),
  export: post(`${base}/users/:id/export`, 'dossier:user:read', {
    summary: 'Entries about a person that the caller may read, as a file',
    own: 'id',
    status: 200,
    returns: z.object({
      at: instant,
      by: z.string(),
      user: DossierUser,
      memberships: z.array(Membership),
      feedback: z.array(DossierFeedbackPage),
      /** Talks between the person and the caller. */
      talks: z.array(TalkPage),
      timeline: z.array(TimelineEntry),
      /** True: the timeline has more than 100,000 entries, and the file contains only the latest. */
      more: z.boolean(),
    }),
  }),
  erase: post(`${base}/users/:id/erasure`, 'dossier:user:delete', {
    summary: 'Erase texts about a person whose dossier is closed; dates, authors and memberships stay',
    body: { reason: line(300) },
    status: 200,
    returns: z.object({ feedback: z.int(), comments: z.int(), talks: z.int() }),
  }),
}

const answers = z.array(prose(10_000)).max(30)
export const talkCalls = {
  talks: get(`${base}/talks`, 'signedIn', {
    summary: 'Talks of the caller, newest first',
    query: { ...paging(), userId: filter(id) },
    returns: z.object({
      items: z.array(Talk),
      total: z.int(),
      more: z.boolean().optional(),
      next: z.string().optional(),
    }),
  }),
  talk: get(`${base}/talks/:id`, 'signedIn', { summary: 'One talk of the caller', returns: TalkPage }),
  createTalk: post(`${base}/talks`, 'dossier:feedback:create', {
    summary: 'Invite a person to a talk, which both prepare',
    body: {
      userId: id,
      kind: talkKind,
      title: line(120),
      heldOn: day,
      questions,
    },
    returns: TalkPage,
  }),
  prepareTalk: patch(`${base}/talks/:id/answers`, 'signedIn', {
    summary: 'Save one’s own answers. When both sides are ready, the answers of both are released',
    body: { answers, isReady: z.boolean().optional(), version },
    returns: TalkPage,
  }),
  closeTalk: patch(`${base}/talks/:id`, 'signedIn', {
    summary: 'Close a released talk with the agreed goals, or cancel a talk in preparation; only the lead may do so',
    body: { goals: z.array(line(300)).max(20), version },
    returns: TalkPage,
  }),
}
