import * as z from 'zod'
import {
  csv,
  del,
  filter,
  get,
  id,
  instant,
  line,
  listQuery,
  pageFields,
  pageOf,
  paging,
  patch,
  post,
  stored,
  version,
  whole,
} from './kit.ts'
import { binary, files as fileField, GiB } from './transfer.ts'

/** The internal file manager: people §3 File, §7 File manager. */
const base = '/internal-file-manager'

/** Of one file; larger ones are for backups. */
export const LARGEST = 5 * GiB
/** Deleted files can be taken back for so many days. */
export const TRASH_DAYS = 30
/** Levels of folders. */
export const DEPTH = 20

export const fileKind = z.enum(['picture', 'pdf', 'text', 'archive', 'media', 'other'])
export const fileView = z.enum(['all', 'mine', 'shared', 'trash'])
export const accessType = z.enum(['user', 'role', 'department'])

/** A name as a person writes it and every system can save it. */
const fileName = line(200)
  .refine((name) => !/[/\\]/.test(name), 'Slashes are not allowed')
  .refine((name) => !/^\.+$/.test(name), 'Dots alone are no name')
  .refine((name) => !/[\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u.test(name), 'Invisible characters are not allowed')

const Place = z.object({ id: z.int(), name: z.string(), private: z.boolean() })

export const StoredFile = z.object({
  ...stored,
  name: z.string(),
  /** Opaque. `GET private/{path}`, or `public/{path}` where it is not hidden. */
  path: z.string(),
  /** Bytes. */
  size: z.int(),
  /** Told by the first bytes, not by the name. */
  type: z.string(),
  kind: fileKind,
  sha256: z.string(),
  folderId: z.int().nullable(),
  folder: Place.nullable(),
  ownerId: z.int(),
  ownerName: z.string(),
  isPrivate: z.boolean(),
  /** Private itself, or in a folder that is. */
  hidden: z.boolean(),
  /** Grants that hold now. */
  grants: z.int(),
  /** May the caller rename, move, share or delete it? */
  mayChange: z.boolean(),
  deletedAt: instant.nullable(),
})
export type StoredFile = z.output<typeof StoredFile>

export const Folder = z.object({
  ...stored,
  name: z.string(),
  parentId: z.int().nullable(),
  private: z.boolean(),
  /** Private itself, or in a folder that is. */
  hidden: z.boolean(),
  ownerId: z.int(),
  ownerName: z.string(),
  mayChange: z.boolean(),
})
export type Folder = z.output<typeof Folder>

const crumbs = { id: z.int().nullable(), name: z.string(), parents: z.array(Place) }
/** A folder and what the caller may see in it. */
export const FolderContent = z.object({
  items: z.array(StoredFile), // first: a list on a screen reads the first list that it finds
  ...crumbs,
  folder: Folder.nullable(),
  folders: z.array(Folder),
  ...pageFields,
})

/** What a visitor without a session is told: no people, no ids of anything hidden. */
export const PublicFile = z.object({
  id: z.int(),
  name: z.string(),
  path: z.string(),
  size: z.int(),
  type: z.string(),
  kind: fileKind,
  createdAt: instant,
})
export type PublicFile = z.output<typeof PublicFile>

/** Who a file is opened to. `accessType` says what `grantAccessTo` is the id of. */
const grantee = { accessType, grantAccessTo: id, expiresAt: instant.nullable().optional() }
export const Grant = z.object({
  id: z.int(),
  fileId: z.int(),
  accessType,
  grantAccessTo: z.int(),
  name: z.string(),
  expiresAt: instant.nullable(),
  grantedBy: z.string().nullable(),
  createdAt: instant,
})
export type Grant = z.output<typeof Grant>

/** One reason why somebody can open a file. */
export const Opener = z.object({
  why: z.enum(['public', 'owner', 'folder-owner', 'grant', 'administrator']),
  /** Who, in words. */
  name: z.string(),
  /** How many people that is; null for everybody. */
  people: z.int().nullable(),
  grant: Grant.nullable(),
})
export type Opener = z.output<typeof Opener>

/** An upload in pieces. `offset` is what is safe in storage: go on from there after whatever broke. */
export const Unfinished = z.object({
  id: z.int(),
  name: z.string(),
  size: z.int(),
  offset: z.int(),
  /** When it is swept unless it goes on. */
  expiresAt: instant,
})

const where = { folderId: filter(id), isPrivate: z.boolean(), access: z.array(z.object(grantee)).max(50).optional() }
const listing = {
  ...listQuery(['name', 'size', 'createdAt']),
  search: filter(z.string().trim().max(200)),
  kind: filter(csv(fileKind)),
}
/** The key first; a name may follow for people who read addresses. */
const path = z.string().regex(/^[0-9a-f]{32}(\/[^/]{1,250})?$/, 'Not an address of a file')
const inline = { inline: filter(z.enum(['true', 'false'])) }
const ids = csv(id).refine((list) => list.length > 0, 'Required')

export const files = {
  upload: post(`${base}/upload-files`, 'file-manager:file:upload', {
    summary: 'Upload files in one go',
    form: { ...where, files: fileField({ max: 100, bytes: LARGEST }) },
    returns: z.array(StoredFile),
  }),
  remove: del(`${base}/delete-files`, 'file-manager:file:delete', {
    summary: `Move files to the trash, from where they can be taken back for ${TRASH_DAYS} days`,
    query: { ids },
  }),
  grant: post(`${base}/access`, 'file-manager:file:grant-access', {
    summary: 'Open a file to a user, a role or a department, maybe until a time',
    body: { fileId: id, ...grantee },
    returns: Grant,
  }),
  privateFile: get(`${base}/private/:path*`, 'file-manager:file:browse', {
    summary: 'Download a file that the caller may open',
    params: { path },
    query: inline,
    returns: binary,
    ticket: true,
  }),
  publicFile: get(`${base}/public/:path*`, 'public', {
    summary: 'Download a public file, or an avatar',
    params: { path },
    query: inline,
    returns: binary,
  }),
  createFolder: post(`${base}/folders`, 'file-manager:folder:create', {
    summary: 'Make a folder',
    body: { name: fileName, parentId: filter(id), private: z.boolean().optional() },
    returns: Folder,
  }),
  root: get(`${base}/folders/root`, 'file-manager:file:browse', {
    summary: 'What lies at the top',
    query: listing,
    returns: FolderContent,
  }),
  folder: get(`${base}/folders/:id`, 'file-manager:file:browse', {
    summary: 'What lies in a folder',
    query: listing,
    returns: FolderContent,
  }),
  removeFolder: del(`${base}/folders/:id`, 'file-manager:folder:delete', {
    summary: 'Move a folder to the trash with all that is in it',
  }),

  // --- ours, beside the nine of the spec ---------------------------------------------------------------------------

  list: get(`${base}/files`, 'file-manager:file:browse', {
    summary: 'Files by folder, name, kind and owner; those shared with the caller; the trash',
    query: {
      ...listing,
      folderId: filter(z.union([z.literal('root'), id])),
      view: filter(fileView),
      ownerId: filter(csv(id)),
    },
    returns: pageOf(StoredFile),
  }),
  update: patch(`${base}/files/:id`, 'file-manager:file:upload', {
    summary: 'Rename, move, hide or show a file',
    body: {
      name: fileName.optional(),
      folderId: z.union([id, z.null()]).optional(),
      isPrivate: z.boolean().optional(),
      version,
    },
    returns: StoredFile,
  }),
  restore: post(`${base}/files/restore`, 'file-manager:file:delete', {
    summary: 'Take files back out of the trash',
    body: { ids: z.array(id).min(1).max(1000) },
    status: 204,
  }),
  purge: del(`${base}/trash`, 'file-manager:file:delete', {
    summary: 'Delete files of the trash for good',
    query: { ids },
  }),
  trashedFolders: get(`${base}/trash/folders`, 'file-manager:file:browse', {
    summary: 'Folders in the trash, each with all that went with it',
    returns: z.array(Folder),
  }),
  updateFolder: patch(`${base}/folders/:id`, 'file-manager:folder:create', {
    summary: 'Rename, move, hide or show a folder; what is in it follows',
    body: {
      name: fileName.optional(),
      parentId: z.union([id, z.null()]).optional(),
      private: z.boolean().optional(),
      version,
    },
    returns: Folder,
  }),
  restoreFolder: post(`${base}/folders/:id/restore`, 'file-manager:folder:delete', {
    summary: 'Take a folder back out of the trash, with what went with it',
    returns: Folder,
    status: 200,
  }),
  openers: get(`${base}/files/:id/access`, 'file-manager:file:browse', {
    summary: 'Who can open this, and why',
    returns: z.array(Opener),
  }),
  revoke: del(`${base}/access/:id`, 'file-manager:file:grant-access', { summary: 'Take a grant back' }),
  grantees: get(`${base}/grantees`, 'file-manager:file:grant-access', {
    summary: 'Users, roles and departments by name, to open a file to',
    query: { search: filter(z.string().trim().max(100)), accessType: filter(accessType) },
    returns: z.array(z.object({ accessType, id: z.int(), name: z.string(), people: z.int() })),
  }),
  downloads: get(`${base}/files/:id/downloads`, 'file-manager:file:browse', {
    summary: 'Who downloaded a file, newest first',
    query: paging(),
    returns: pageOf(
      z.object({
        id: z.int(),
        at: instant,
        staffId: z.int().nullable(),
        staffName: z.string(),
        ip: z.string().nullable(),
      }),
    ),
  }),
  publicFolder: get(`${base}/public-folders`, 'public', {
    summary: 'What of a folder, or of the top, is public',
    query: { ...listing, folderId: filter(id) },
    returns: z.object({ items: z.array(PublicFile), ...crumbs, folders: z.array(Place), ...pageFields }),
  }),
  ticket: post(`${base}/tickets`, 'signedIn', {
    summary: 'A download address that a browser can open by itself, for a minute',
    body: { path: z.string().regex(/^\/api\/[\w./~%-]{1,600}$/, 'A path below /api') },
    returns: z.object({ ticket: z.string(), expiresAt: instant }),
  }),

  /**
   * Uploads that resume. 1. POST uploads: name, size, place → id, offset 0. 2. PATCH uploads/{id}?offset=N with the bytes
   * from N on, as many as there are; parts of 8 MiB are safe as they land. 3. Whatever breaks: GET uploads/{id} says how far
   * it came, also after a restart of either side; go on with 2. The answer to the last byte holds the file.
   */
  beginUpload: post(`${base}/uploads`, 'file-manager:file:upload', {
    summary: 'Begin an upload in pieces',
    body: { name: fileName, size: whole(0, LARGEST), ...where },
    returns: Unfinished,
  }),
  uploads: get(`${base}/uploads`, 'file-manager:file:upload', {
    summary: "The caller's uploads that are not finished",
    returns: z.array(Unfinished),
  }),
  uploadState: get(`${base}/uploads/:id`, 'file-manager:file:upload', {
    summary: 'How far an upload came',
    returns: Unfinished,
  }),
  continueUpload: patch(`${base}/uploads/:id`, 'file-manager:file:upload', {
    summary: 'Send bytes from the offset on',
    query: { offset: whole(0, LARGEST) },
    content: { bytes: LARGEST },
    effect: 'stream',
    returns: Unfinished.extend({ file: StoredFile.nullable() }),
  }),
  cancelUpload: del(`${base}/uploads/:id`, 'file-manager:file:upload', { summary: 'Give up an upload' }),
}
