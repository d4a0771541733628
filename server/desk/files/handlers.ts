import type { files as contract } from '@innkeeper/contract/desk/files'
import { eq } from 'drizzle-orm'
import type { Context, Handlers } from '../../kit/http/api.ts'
import { changed } from '../../kit/live/live.ts'
import { keepBlobs } from '../../kit/storage/blobs.ts'
import { blobs } from '../../kit/storage/tables.ts'
import { addFiles } from './add.ts'
import { createFolder, updateFile, updateFolder } from './arrange.ts'
import { downloadsOf } from './downloads.ts'
import { grantTo, openersOf, revokeGrant, searchGrantees } from './grants.ts'
import { folderContent, listFiles, publicContent } from './list.ts'
import { beginUpload, cancelUpload, continueUpload, examine, findUpload, unfinished, uploadsOf } from './resume.ts'
import { sendPrivate, sendPublic } from './send.ts'
import { fileUploads } from './tables.ts'
import { purgeFiles, removeFiles, removeFolder, restoreFiles, restoreFolder, trashedFolders } from './trash.ts'
import { findFile } from './view.ts'

/** Fields for the log: id, name and folder, without fields that depend on the caller. */
const logged = (list: { id: number; name: string; folderId?: number | null }[]) =>
  list.slice(0, 100).map(({ id, name, folderId }) => ({ id, name, folderId }))

/** Notifies open screens; the log names the resource if there is only one. */
async function announce({ db, audit }: Context, resource: 'file' | 'folder', ids: number[]): Promise<void> {
  const [only] = ids.length === 1 ? ids : []
  if (only !== undefined) audit.of(resource, only)
  await changed(db, 'files', only)
}

export const filesHandlers: Handlers<typeof contract> = {
  async upload({ files: uploads, ...place }, context) {
    const added = await addFiles(context.db, context.staff, place, uploads)
    context.audit.after(logged(added))
    await announce(
      context,
      'file',
      added.map(({ id }) => id),
    )
    return added
  },
  async remove({ ids }, context) {
    context.audit.before(logged(await removeFiles(context.db, context.staff, ids)))
    await announce(context, 'file', ids)
  },
  async restore({ ids }, context) {
    context.audit.after(logged(await restoreFiles(context.db, context.staff, ids)))
    await announce(context, 'file', ids)
  },
  async purge({ ids }, context) {
    context.audit.before(logged(await purgeFiles(context.db, context.staff, ids)))
    await announce(context, 'file', ids)
  },
  async update(input, context) {
    const { before, after } = await updateFile(context.db, context.staff, input)
    context.audit.before(before)
    context.audit.after(after)
    await announce(context, 'file', [input.id])
    return after
  },

  privateFile: sendPrivate,
  publicFile: sendPublic,
  root: (input, { db, staff }) => folderContent(db, staff, null, input),
  folder: ({ id, ...input }, { db, staff }) => folderContent(db, staff, id, input),
  list: (input, { db, staff }) => listFiles(db, staff, input),
  publicFolder: (input, { db }) => publicContent(db, input),
  ticket: async ({ path }, { app, staff }) => app.tickets.issue({ path }, staff.sessionKey),

  async createFolder(input, context) {
    const folder = await createFolder(context.db, context.staff, input)
    context.audit.after(folder)
    await announce(context, 'folder', [folder.id])
    return folder
  },
  async updateFolder(input, context) {
    const { before, after } = await updateFolder(context.db, context.staff, input)
    context.audit.before(before)
    context.audit.after(after)
    await announce(context, 'folder', [input.id])
    return after
  },
  async removeFolder({ id }, context) {
    context.audit.before(await removeFolder(context.db, context.staff, id))
    await announce(context, 'folder', [id])
  },
  trashedFolders: (_, { db, staff }) => trashedFolders(db, staff),
  async restoreFolder({ id }, context) {
    const folder = await restoreFolder(context.db, context.staff, id)
    context.audit.after(folder)
    await announce(context, 'folder', [id])
    return folder
  },

  async grant(input, context) {
    const { db, staff, audit } = context
    await findFile(db, staff, input.fileId, { change: true })
    const grant = await grantTo(db, staff, input)
    audit.after(grant)
    await announce(context, 'file', [input.fileId])
    return grant
  },
  async revoke({ id }, context) {
    const grant = await revokeGrant(context.db, context.staff, id)
    context.audit.before(grant)
    await announce(context, 'file', [grant.fileId])
  },
  openers: async ({ id }, { db, staff }) => openersOf(db, await findFile(db, staff, id)),
  grantees: (input, { db }) => searchGrantees(db, input),
  downloads: (input, { db, staff }) => downloadsOf(db, staff, input),

  beginUpload: (input, { db, staff }) => beginUpload(db, staff, input),
  uploads: (_, { db, staff }) => uploadsOf(db, staff),
  uploadState: async ({ id }, { db, staff }) => unfinished(await findUpload(db, staff, id)),
  async cancelUpload({ id }, { db, staff, audit }) {
    const { name, size } = await cancelUpload(db, staff, id)
    audit.before({ name, size })
  },
  async continueUpload(input, context) {
    const { app, staff, audit, lastly } = context
    const row = await continueUpload(app, staff, input)
    if (row.offset < row.size) return { ...unfinished(row), file: null }
    const upload = await examine(app, row)
    return lastly(async (db) => {
      await findUpload(db, staff, row.id) // throws if another request finished this upload
      const { key, size, sha256, type } = upload
      await db.update(blobs).set({ size, sha256, type }).where(eq(blobs.key, key))
      await keepBlobs(db, [key])
      await db.delete(fileUploads).where(eq(fileUploads.id, row.id))
      const [file] = await addFiles(db, staff, { ...row, folderId: row.folderId ?? undefined }, [upload])
      if (!file) throw new Error('an added file is missing')
      audit.after(logged([file]))
      await announce({ ...context, db }, 'file', [file.id])
      return { ...unfinished(row), file }
    })
  },
}
