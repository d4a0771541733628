import type { bugs } from '@innkeeper/contract/desk/trackers/bugs'
import type { features } from '@innkeeper/contract/desk/trackers/features'
import type { internalTickets } from '@innkeeper/contract/desk/trackers/internalTickets'
import type { Face } from '@innkeeper/contract/desk/trackers/values'
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
import { readersOf } from './people/tell.ts'
import { vote } from './people/votes.ts'
import { watching } from './people/watching.ts'
import { defaultOf, settingsOf } from './settings/find.ts'
import { listTalk } from './talk/view.ts'
import { erase, rewrite, say } from './talk/write.ts'

type Common = Exclude<keyof typeof bugs & keyof typeof features & keyof typeof internalTickets, 'create' | 'update'>

/** The calls that all faces have. */
function itemHandlers(face: Face): Pick<Handlers<typeof bugs>, Common> {
  const list = lister(face)
  const page = (context: Context, id: number) => readPage(context, face, id)
  return {
    list,
    one: ({ id }, context) => page(context, id),
    board: (asked, { db, staff }) => readBoard(db, face, asked, staff.id),
    choices: (_, context) => choicesOf(context, face),
    file: (asked, { db, staff }) => csvFile(db, face, asked, staff.id),
    import: (input, context) => importItems(context, face, input),
    imports: (asked, { db }) => listImports(db, face, asked),
    oneImport: (asked, { db }) => readImport(db, face, asked),
    undoImport: ({ id }, context) => undoImport(context, face, id),
    bulk: (input, context) => bulk(context, face, input),
    async remove({ id, version }, context) {
      await act(face, 'delete')(id, context, version)
    },
    restore: ({ id }, context) => act(face, 'restore')(id, context),
    archiveItem: ({ id, version }, context) => act(face, 'archive')(id, context, version),
    bringBack: ({ id }, context) => act(face, 'unarchive')(id, context),
    async history({ id, ...asked }, { db }) {
      await readWhole(db, face, id)
      return listChanges(db, id, asked)
    },
    comment: (input, context) => say(context, face, 'comment', input),
    note: (input, context) => say(context, face, 'note', input),
    async comments({ id, ...asked }, { db }) {
      await readWhole(db, face, id)
      return listTalk(db, id, 'comment', asked)
    },
    async notes({ id, ...asked }, { db }) {
      await readWhole(db, face, id)
      return listTalk(db, id, 'note', asked)
    },
    updateTalk: (input, context) => rewrite(context, face, input),
    removeTalk: ({ id }, context) => erase(context, face, id),
    attach: (input, context) => attach(context, face, input),
    download: (input, context) => download(context, face, input),
    removeFiles: ({ id, ids }, context) => detach(context, face, id, ids),
    fileConfig: (_, { db }) => readConfig(db, face),
    updateFileConfig: (input, context) => updateConfig(context, face, input),
    async link(input, context) {
      await link(context, face, input)
      return page(context, input.id)
    },
    async unlink({ id, linkId }, context) {
      await unlink(context, face, id, linkId)
      return page(context, id)
    },
    async merge(input, context) {
      await merge(context, face, input)
      return page(context, input.id)
    },
    watch: ({ id }, context) => watching(face, true)(id, context),
    unwatch: ({ id }, context) => watching(face, false)(id, context),
  }
}

const lister = (face: Face) => (asked: Asked, context: Context) => listItems(context.db, face, asked, context.staff.id)
/** Archived items that are not deleted. */
const archive = (face: Face) => (asked: Asked, context: Context) =>
  lister(face)({ ...asked, archived: 'true' }, context)

async function choicesOf({ db }: Context, face: Face) {
  const all = await settingsOf(db, face)
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
    people: await readersOf(db, face),
  }
}

const creator =
  (face: Face) =>
  async ({ files, ...fields }: Fields & { files?: Upload[] | undefined }, context: Context) => {
    const { db, staff, audit } = context
    const hasOtherStatus =
      fields.statusId !== undefined && fields.statusId !== defaultOf(await settingsOf(db, face), 'status')?.id
    checkNew(staff, face, { isAssigned: Boolean(fields.assigneeId), hasOtherStatus })
    const id = await insertItem(db, staff, face, fields)
    await attachUploads(context, face, id, files)
    audit.after(await readWhole(db, face, id))
    return readPage(context, face, id)
  }

const changer =
  (face: Face) =>
  async ({ id, version, ...fields }: Fields & { id: number; version?: number | undefined }, context: Context) => {
    await change(context, await hold(context, face, id, { version }), fields)
    return readPage(context, face, id)
  }

const ofFace = (face: Face) => ({ ...itemHandlers(face), create: creator(face), update: changer(face) })

export const bugHandlers: Handlers<typeof bugs> = {
  ...ofFace('bug'),
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
  ...ofFace('feature'),
  search: lister('feature'),
  archive: archive('feature'),
  ofTickets: lister('feature'),
  vote: ({ id }, context) => vote(true)(id, context),
  unvote: ({ id }, context) => vote(false)(id, context),
  releaseNote: (input, context) => releaseNote(context, input),
}
export const ticketHandlers: Handlers<typeof internalTickets> = {
  ...ofFace('ticket'),
  ...assigneeHandlers,
  setStatus: changer('ticket'),
  assign: changer('ticket'),
}
