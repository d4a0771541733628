import type { Good, Rows } from '../../../test/hostile/good.ts'

type Tracker = 'bug' | 'feature' | 'ticket'
const item = ({ id }: Rows, tracker: Tracker, state: string) => id('tracker_items', `A ${state} ${tracker}`)
const setting = ({ id }: Rows, tracker: Tracker, kind: string, name: string) =>
  id('tracker_settings', { face: tracker, kind, name })

const common = (tracker: Tracker): Good<'bugs'> => ({
  import: { text: 'Title,Priority\nFrom another tracker,High' },
  undoImport: ({ id }) => ({ id: id('tracker_imports', { face: tracker }) }),
  bulk: (rows) => ({ ids: [item(rows, tracker, 'plain')], priorityId: setting(rows, tracker, 'priority', 'High') }),
  remove: (rows) => ({ id: item(rows, tracker, 'plain') }),
  restore: (rows) => ({ id: item(rows, tracker, 'deleted') }),
  archiveItem: (rows) => ({ id: item(rows, tracker, 'closed') }),
  bringBack: (rows) => ({ id: item(rows, tracker, 'archived') }),
  comment: (rows) => ({ id: item(rows, tracker, 'plain'), body: 'Seen' }),
  note: (rows) => ({ id: item(rows, tracker, 'plain'), body: 'Seen' }),
  updateTalk: ({ id }) => ({ id: id('tracker_talk', `A comment on a ${tracker}`), body: 'Seen again' }),
  removeTalk: ({ id }) => ({ id: id('tracker_talk', `A comment on a ${tracker}`) }),
  attach: (rows) => ({ id: item(rows, tracker, 'plain') }),
  removeFiles: (rows) => {
    const id = item(rows, tracker, 'linked')
    return { id, ids: [Number(rows.row('tracker_files', { item_id: id }).file_id)] }
  },
  updateFileConfig: { maxFiles: 60 },
  link: (rows) => ({ id: item(rows, tracker, 'plain'), kind: 'relates', targetId: item(rows, tracker, 'closed') }),
  unlink: (rows) => {
    const id = item(rows, tracker, 'linked')
    return { id, linkId: rows.id('tracker_links', { item_id: id }) }
  },
  merge: (rows) => ({ id: item(rows, tracker, 'plain'), of: item(rows, tracker, 'linked') }),
  watch: (rows) => ({ id: item(rows, tracker, 'plain') }),
  unwatch: (rows) => ({ id: item(rows, tracker, 'plain') }),
})
const change = (tracker: Tracker) => (rows: Rows) => ({ id: item(rows, tracker, 'plain'), description: 'Clearer now' })

export const bugs: Good<'bugs'> = {
  ...common('bug'),
  create: { title: 'Fresh bug' },
  update: change('bug'),
  fromAction: ({ row }) => ({ actionId: Number(row('actions', { status: 'failed' }).action_id) }),
}
export const features: Good<'features'> = {
  ...(common('feature') as Good<'features'>), // the calls of both are made by one factory
  create: { title: 'Fresh request' },
  update: change('feature'),
  vote: (rows) => ({ id: item(rows, 'feature', 'plain') }),
  unvote: (rows) => ({ id: item(rows, 'feature', 'plain') }),
}
export const internalTickets: Good<'internalTickets'> = {
  ...(common('ticket') as Good<'internalTickets'>), // as above
  create: { title: 'Fresh ticket' },
  update: change('ticket'),
  setStatus: (rows) => ({
    id: item(rows, 'ticket', 'plain'),
    statusId: setting(rows, 'ticket', 'status', 'Completed'),
  }),
  assign: (rows) => ({ id: item(rows, 'ticket', 'plain'), assigneeId: 1 }),
  refreshAssignees: {},
}

const settings = (tracker: Tracker, kind: string): Good<'bugStatuses'> => ({
  create: { name: 'Fresh' },
  update: ({ id }) => ({ id: id('tracker_settings', { face: tracker, kind, name: `Spare ${kind}` }), name: 'Renamed' }),
  remove: ({ id }) => ({ id: id('tracker_settings', { face: tracker, kind, name: `Spare ${kind}` }) }),
})
export const bugStatuses = settings('bug', 'status')
export const bugPriorities = settings('bug', 'priority')
export const bugComponents = settings('bug', 'component')
export const bugFolders = settings('bug', 'folder')
export const bugDepartments = settings('bug', 'department')
export const featureStatuses = settings('feature', 'status')
export const featurePriorities = settings('feature', 'priority')
export const ticketStatuses = settings('ticket', 'status')
export const ticketPriorities = settings('ticket', 'priority')
export const ticketComponents = settings('ticket', 'component')
