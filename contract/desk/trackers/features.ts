import * as z from 'zod'
import { del, filter, get, patch, post } from '../../kit/endpoint.ts'
import {
  changedCommon,
  changedPlaces,
  changedState,
  common,
  itemCalls,
  places,
  retitled,
  state,
  titled,
  withFiles,
} from './items.ts'
import { ItemList, ItemPage } from './shapes.ts'
import { itemQuery, longText } from './values.ts'

const base = '/bug-report/features'

/** Feature requests: specification people §7. */
export const features = {
  ...itemCalls(
    base,
    { comment: 'comment', note: 'note' },
    {
      read: 'feature-request:feature:read',
      create: 'feature-request:feature:create',
      update: 'feature-request:feature:update',
      merge: 'feature-request:feature:update',
      remove: 'feature-request:feature:delete',
      archive: 'feature-request:feature:archive',
      files: 'feature-request:feature:delete-files',
      comment: 'feature-request:feature:comment',
      note: 'feature-request:feature:note',
      settings: 'feature-request:feature:settings',
    },
  ),
  create: post(base, 'feature-request:feature:create', {
    summary: 'Request a feature',
    form: { ...titled, ...common, ...places, ...state, ...withFiles },
    returns: ItemPage,
  }),
  update: patch(`${base}/:id`, 'feature-request:feature:update', {
    summary: 'Change a feature request',
    body: { ...changedCommon, ...changedPlaces, ...changedState, releaseNote: longText.optional(), ...retitled },
    returns: ItemPage,
  }),
  search: get(`${base}/search`, 'feature-request:feature:read', {
    summary: 'Search feature requests by filters[key], dates and flags',
    query: itemQuery,
    returns: ItemList,
  }),
  archive: get(`${base}/archive`, 'feature-request:feature:archive', {
    summary: 'Archived feature requests',
    query: itemQuery,
    returns: ItemList,
  }),
  ofTickets: get('/internal-tickets/features', 'feature-request:feature:read', {
    summary: 'Feature requests, as the area of internal tickets lists them',
    query: itemQuery,
    returns: ItemList,
  }),
  vote: post(`${base}/:id/vote`, 'feature-request:feature:read', {
    summary: 'Vote for a feature request. Voters are notified of the release',
    status: 200,
    returns: ItemPage,
  }),
  unvote: del(`${base}/:id/vote`, 'feature-request:feature:read', {
    summary: 'Withdraw one’s vote',
    returns: ItemPage,
  }),
  releaseNote: get(`${base}/release-note`, 'feature-request:feature:read', {
    summary:
      'A release note in Markdown on items completed in a period: feature requests, and bugs if the caller sees bugs',
    query: { dateFrom: z.iso.date(), dateTo: filter(z.iso.date()) },
    returns: z.object({ text: z.string(), features: z.int(), bugs: z.int() }),
  }),
}
