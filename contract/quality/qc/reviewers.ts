import * as z from 'zod'
import { get, id, listQuery, pageOf, patch, version } from '../../kit/endpoint.ts'
import { Person } from './shapes.ts'

/** A person who may review, with limits, goal and workload. */
export const Reviewer = z.object({
  id: z.int(),
  name: z.string(),
  version: z.int(),
  /** Departments and teams whose conversations the person may read; both empty: all. */
  departments: z.array(Person),
  teams: z.array(Person),
  /** Administrators and quality managers have no limits. */
  isManager: z.boolean(),
  /** Reviews a week that the person is expected to write. */
  weeklyGoal: z.int().nullable(),
  /** Reviews since Monday, and in the week before. */
  reviewedThisWeek: z.int(),
  reviewedLastWeek: z.int(),
  /** What waits for the person: assigned conversations, unfinished reviews, open escalations, open disputes of their reviews. */
  assigned: z.int(),
  drafts: z.int(),
  escalations: z.int(),
  disputes: z.int(),
})
export type Reviewer = z.output<typeof Reviewer>

const path = '/qa-controller-v2/reviewers'

export const qcReviewers = {
  reviewers: get(path, 'qa:manager:access', {
    summary: 'People who may review chats or tickets, with limits, goals and workload',
    query: listQuery(['name']),
    returns: pageOf(Reviewer),
  }),
  updateReviewer: patch(`${path}/:id`, 'qa:manager:access', {
    summary: 'Set the departments, teams and goal of a reviewer',
    body: {
      departmentIds: z.array(id).max(50).optional(),
      teamIds: z.array(id).max(50).optional(),
      weeklyGoal: z.int().min(1).max(1000).nullable().optional(),
      version,
    },
    returns: Reviewer,
  }),
}
