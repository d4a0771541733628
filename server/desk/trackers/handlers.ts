import type { bugs } from '@innkeeper/contract/desk/trackers/bugs'
import type { features } from '@innkeeper/contract/desk/trackers/features'
import type { internalTickets } from '@innkeeper/contract/desk/trackers/internalTickets'
import type { Tracker } from '@innkeeper/contract/desk/trackers/values'
import type { Upload } from '@innkeeper/contract/kit/transfer'
import type { Context, Handlers } from '../../kit/http/api.ts'
import { csvFile } from './exchange/csv.ts'
import { fromAction } from './exchange/fromAction.ts'
import { importItems } from './exchange/import.ts'
import { listImports, readImport } from './exchange/imports.ts'
import { releaseNote } from './exchange/releaseNote.ts'
import { undoImport } from './exchange/undo.ts'
import { attach, attachUploads, detach, download } from './files/attach.ts'
import { readConfig, updateConfig } from './files/config.ts'
import { act, bulk } from './items/acts.ts'
import { readBoard } from './items/board.ts'
import { change, hold } from './items/change.ts'
import { listChanges } from './items/history.ts'
import { type Fields, insertItem } from './items/insert.ts'
import { type Asked, listItems } from './items/list.ts'
import { checkNew } from './items/rights.ts'
import { readPage, readWhole } from './items/view.ts'
import { merge } from './links/merge.ts'
import { link, unlink } from './links/write.ts'
import { assigneeHandlers } from './people/assignees.ts'
import { readersOf } from './people/notify.ts'
import { vote } from './people/votes.ts'
import { watching } from './people/watching.ts'
import { defaultOf, settingsOf } from './settings/find.ts'
import { listTalk } from './talk/view.ts'
import { erase, rewrite, say } from './talk/write.ts'

type Common = Exclude<keyof typeof bugs & keyof typeof features & keyof typeof internalTickets, 'create' | 'update'>

/** The calls that all trackers have. */
function itemHandlers(tracker: Tracker): Pick<Handlers<typeof bugs>, Common> {
  const list = lister(tracker)
  const page = (context: Context, id: number) => readPage(context, tracker, id)
  return {
    list,
    one: ({ id }, context) => page(context, id),
    board: (asked, { db, staff }) => readBoard(db, tracker, asked, staff.id),
    choices: (_, context) => choicesOf(context, tracker),
    file: (asked, { db, staff }) => csvFile(db, tracker, asked, staff.id),
    import: (input, context) => importItems(context, tracker, input),
    imports: (asked, { db }) => listImports(db, tracker, asked),
    oneImport: (asked, { db }) => readImport(db, tracker, asked),
    undoImport: ({ id }, context) => undoImport(context, tracker, id),
    bulk: (input, context) => bulk(context, tracker, input),
    async remove({ id, version }, context) {
      await act(tracker, 'delete')(id, context, version)
    },
    restore: ({ id }, context) => act(tracker, 'restore')(id, context),
    archiveItem: ({ id, version }, context) => act(tracker, 'archive')(id, context, version),
    bringBack: ({ id }, context) => act(tracker, 'unarchive')(id, context),
    async history({ id, ...asked }, { db }) {
      await readWhole(db, tracker, id)
      return listChanges(db, id, asked)
    },
    comment: (input, context) => say(context, tracker, 'comment', input),
    note: (input, context) => say(context, tracker, 'note', input),
    async comments({ id, ...asked }, { db }) {
      await readWhole(db, tracker, id)
      return listTalk(db, id, 'comment', asked)
    },
    async notes({ id, ...asked }, { db }) {
      await readWhole(db, tracker, id)
      return listTalk(db, id, 'note', asked)
    },
    updateTalk: (input, context) => rewrite(context, tracker, input),
    removeTalk: ({ id }, context) => erase(context, tracker, id),
    attach: (input, context) => attach(context, tracker, input),
    download: (input, context) => download(context, tracker, input),
    removeFiles: ({ id, ids }, context) => detach(context, tracker, id, ids),
    fileConfig: (_, { db }) => readConfig(db, tracker),
    updateFileConfig: (input, context) => updateConfig(context, tracker, input),
    async link(input, context) {
      await link(context, tracker, input)
      return page(context, input.id)
    },
    async unlink({ id, linkId }, context) {
      await unlink(context, tracker, id, linkId)
      return page(context, id)
    },
    async merge(input, context) {
      await merge(context, tracker, input)
      return page(context, input.id)
    },
    watch: ({ id }, context) => watching(tracker, true)(id, context),
    unwatch: ({ id }, context) => watching(tracker, false)(id, context),
  }
}

const lister = (tracker: Tracker) => (asked: Asked, context: Context) =>
  listItems(context.db, tracker, asked, context.staff.id)
/** Archived items that are not deleted. */
const archive = (tracker: Tracker) => (asked: Asked, context: Context) =>
  lister(tracker)({ ...asked, archived: 'true' }, context)

async function choicesOf({ db }: Context, tracker: Tracker) {
  const all = await settingsOf(db, tracker)
  const of = (wanted: string) =>
    all.flatMap(({ kind, id, name, colour }) => (kind === wanted ? [{ id, name, colour }] : []))
  const statuses = all.flatMap(({ kind, id, name, colour, group, isDefault }) =>
    kind === 'status' ? [{ id, name, colour, group: group ?? ('open' as const), isDefault }] : [],
  )
  return {
    statuses,
    priorities: of('priority'),
    components: of('component'),
    folders: of('folder'),
    departments: of('department'),
    people: await readersOf(db, tracker),
  }
}

const creator =
  (tracker: Tracker) =>
  async ({ files, ...fields }: Fields & { files?: Upload[] | undefined }, context: Context) => {
    const { db, staff, audit } = context
    const hasOtherStatus =
      fields.statusId !== undefined && fields.statusId !== defaultOf(await settingsOf(db, tracker), 'status')?.id
    checkNew(staff, tracker, { isAssigned: Boolean(fields.assigneeId), hasOtherStatus })
    const id = await insertItem(db, staff, tracker, fields)
    await attachUploads(context, tracker, id, files)
    audit.after(await readWhole(db, tracker, id))
    return readPage(context, tracker, id)
  }

const changer =
  (tracker: Tracker) =>
  async ({ id, version, ...fields }: Fields & { id: number; version?: number | undefined }, context: Context) => {
    await change(context, await hold(context, tracker, id, { version }), fields)
    return readPage(context, tracker, id)
  }

const ofTracker = (tracker: Tracker) => ({
  ...itemHandlers(tracker),
  create: creator(tracker),
  update: changer(tracker),
})

export const bugHandlers: Handlers<typeof bugs> = {
  ...ofTracker('bug'),
  search: lister('bug'),
  archive: archive('bug'),
  ofTickets: lister('bug'),
  async fromAction(input, context) {
    const id = await fromAction(context, input)
    context.audit.after(await readWhole(context.db, 'bug', id))
    return readPage(context, 'bug', id)
  },
}
export const featureHandlers: Handlers<typeof features> = {
  ...ofTracker('feature'),
  search: lister('feature'),
  archive: archive('feature'),
  ofTickets: lister('feature'),
  vote: ({ id }, context) => vote(true)(id, context),
  unvote: ({ id }, context) => vote(false)(id, context),
  releaseNote: (input, context) => releaseNote(context, input),
}
export const ticketHandlers: Handlers<typeof internalTickets> = {
  ...ofTracker('ticket'),
  ...assigneeHandlers,
  setStatus: changer('ticket'),
  assign: changer('ticket'),
}
