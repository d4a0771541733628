import { get, id, patch, post } from '../../kit/endpoint.ts'
import {
  changedCommon,
  changedPlaces,
  changedState,
  common,
  itemCalls,
  places,
  retitled,
  state,
  steps,
  titled,
  withFiles,
} from './items.ts'
import { ItemList, ItemPage } from './shapes.ts'
import { itemQuery, titleText } from './values.ts'

const base = '/bug-report/bugs'

/** Bug reports: specification people §7. */
export const bugs = {
  ...itemCalls(
    base,
    { comment: 'comment', note: 'note' },
    {
      read: 'bug-report:bug:read',
      create: 'bug-report:bug:create',
      update: 'bug-report:bug:update',
      merge: 'bug-report:bug:update',
      remove: 'bug-report:bug:delete',
      archive: 'bug-report:bug:archive',
      files: 'bug-report:bug:delete-files',
      comment: 'bug-report:bug:comment',
      note: 'bug-report:bug:note',
      settings: 'bug-report:bug:settings',
    },
  ),
  create: post(base, 'bug-report:bug:create', {
    summary: 'Report a bug',
    form: { ...titled, ...common, ...places, ...steps, ...state, ...withFiles },
    returns: ItemPage,
  }),
  update: patch(`${base}/:id`, 'bug-report:bug:update', {
    summary: 'Change a bug',
    body: { ...changedCommon, ...changedPlaces, ...steps, ...changedState, ...retitled },
    returns: ItemPage,
  }),
  search: get(`${base}/search`, 'bug-report:bug:read', {
    summary: 'Search bugs by filters[key], dates and flags',
    query: itemQuery,
    returns: ItemList,
  }),
  archive: get(`${base}/archive`, 'bug-report:bug:archive', {
    summary: 'Archived bugs',
    query: itemQuery,
    returns: ItemList,
  }),
  ofTickets: get('/internal-tickets/bugs', 'bug-report:bug:read', {
    summary: 'Bugs, as the area of internal tickets lists them',
    query: itemQuery,
    returns: ItemList,
  }),
  fromAction: post(`${base}/from-action`, 'bug-report:bug:create', {
    summary: 'Report a bug from a failed action: its output is attached, its workflow, website and server are linked',
    body: { actionId: id, title: titleText.optional() },
    returns: ItemPage,
  }),
}
