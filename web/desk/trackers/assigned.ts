import type { Tracker } from '@innkeeper/contract/desk/trackers/values'
import { wait } from '../../kit/home/wait.ts'
import { apiOf } from './api.ts'

/** Items that are assigned to the signed-in person and not closed. */
export const assigned = (tracker: Tracker) =>
  wait(
    apiOf(tracker).list.query({ assignee: 'me', group: 'backlog,open,in-progress', itemsPerPage: 1 }),
    ({ total }) => ({
      count: total,
    }),
  )
