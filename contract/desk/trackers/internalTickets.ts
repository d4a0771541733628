import * as z from 'zod'
import { filter, get, id, instant, patch, post, version } from '../../kit/endpoint.ts'
import { changedCommon, common, itemCalls, retitled, state, titled, withFiles } from './items.ts'
import { ItemPage } from './shapes.ts'

const base = '/internal-tickets/tickets'

const Assignees = z.object({
  items: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      departmentName: z.string().nullable(),
      /** Number of tickets of the person that are neither completed nor cancelled. */
      open: z.int(),
    }),
  ),
  total: z.int(),
  /** When the list of assignees was last updated; null: never. */
  refreshedAt: instant.nullable(),
})

/** Internal tickets: specification people §7. */
export const internalTickets = {
  ...itemCalls(
    base,
    { comment: 'comments', note: 'notes' },
    {
      read: 'internal-ticket:ticket:read',
      create: 'internal-ticket:ticket:create',
      update: 'internal-ticket:ticket:update',
      merge: ['internal-ticket:ticket:update', 'internal-ticket:ticket:status'],
      remove: 'internal-ticket:ticket:delete',
      archive: 'internal-ticket:ticket:update',
      files: 'internal-ticket:ticket:update',
      comment: 'internal-ticket:ticket:comment',
      note: 'internal-ticket:ticket:note',
      settings: 'internal-ticket:component:update',
    },
  ),
  create: post(base, 'internal-ticket:ticket:create', {
    summary: 'Open an internal ticket',
    form: { ...titled, ...common, ...state, ...withFiles },
    returns: ItemPage,
  }),
  update: patch(`${base}/:id`, 'internal-ticket:ticket:update', {
    summary: 'Change an internal ticket; its status and its assignee have calls of their own',
    body: { ...changedCommon, ...retitled },
    returns: ItemPage,
  }),
  setStatus: patch(`${base}/:id/status`, 'internal-ticket:ticket:status', {
    summary: 'Change the status of an internal ticket',
    body: { statusId: id, version },
    returns: ItemPage,
  }),
  assign: patch(`${base}/:id/assignee`, 'internal-ticket:ticket:assign', {
    summary: 'Assign an internal ticket, or remove its assignee',
    body: { assigneeId: filter(id.nullable()), version },
    returns: ItemPage,
  }),
  assignees: get('/internal-tickets/assignees', 'internal-ticket:assignee:read', {
    summary: 'People who can be assigned, with their numbers of open tickets',
    returns: Assignees,
  }),
  refreshAssignees: post('/internal-tickets/assignees/refresh', 'internal-ticket:assignee:refresh', {
    summary: 'Update the list of people who can be assigned',
    status: 200,
    returns: Assignees,
  }),
}
