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
} from '../kit/endpoint.ts'
import { binary, files as fileField, GiB } from '../kit/transfer.ts'

/** The internal file manager: specification people §3 File, §7 File manager. */
const base = '/internal-file-manager'

/** Maximum size of one file; use backups for larger ones. */
export const LARGEST = 5 * GiB
/** Days for which deleted files can be restored. */
export const TRASH_DAYS = 30
/** Maximum depth of folders. */
export const DEPTH = 20

export const fileKind = z.enum(['picture', 'pdf', 'text', 'archive', 'media', 'other'])
export const fileView = z.enum(['all', 'mine', 'shared', 'trash'])
export const accessType = z.enum(['user', 'role', 'department'])

/** A file name that every operating system can store. */
const fileName = line(200)
  .refine((name) => !/[/\\]/.test(name), 'Slashes are not allowed')
  .refine((name) => !/^\.+$/.test(name), 'Not a name: only dots')
  .refine((name) => !/[\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u.test(name), 'Invisible characters are not allowed')

const Place = z.object({ id: z.int(), name: z.string(), private: z.boolean() })

export const StoredFile = z.object({
  ...stored,
  name: z.string(),
  /** Opaque path for `GET private/{path}`, or `public/{path}` if the file is public. */
  path: z.string(),
  /** Size in bytes. */
  size: z.int(),
  /** Detected from the first bytes, not from the name. */
  type: z.string(),
  kind: fileKind,
  sha256: z.string(),
  folderId: z.int().nullable(),
  folder: Place.nullable(),
  ownerId: z.int(),
  ownerName: z.string(),
  isPrivate: z.boolean(),
  /** True: the file or one of its folders is private. */
  hidden: z.boolean(),
  /** Number of valid grants. */
  grants: z.int(),
  /** Whether the caller may rename, move, share or delete the file. */
  mayChange: z.boolean(),
  deletedAt: instant.nullable(),
})
export type StoredFile = z.output<typeof StoredFile>

export const Folder = z.object({
  ...stored,
  name: z.string(),
  parentId: z.int().nullable(),
  private: z.boolean(),
  /** True: the folder or one of its parents is private. */
  hidden: z.boolean(),
  ownerId: z.int(),
  ownerName: z.string(),
})
export type Folder = z.output<typeof Folder>

const crumbs = { id: z.int().nullable(), name: z.string(), parents: z.array(Place) }
/** A folder and the entries that the caller may see. */
export const FolderContent = z.object({
  items: z.array(StoredFile), // first, because list screens show the first array of an answer
  ...crumbs,
  folder: Folder.nullable(),
  folders: z.array(Folder),
  ...pageFields,
})

/** What visitors without a session see: no people, no ids of private entries. */
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

/** A grant. `accessType` is the type of the id in `grantAccessTo`. */
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

/** One reason why a person can open a file. */
export const Opener = z.object({
  why: z.enum(['public', 'owner', 'folder-owner', 'grant', 'administrator']),
  /** Name of the person, role or department. */
  name: z.string(),
  /** Number of people; null for everybody. */
  people: z.int().nullable(),
  grant: Grant.nullable(),
})
export type Opener = z.output<typeof Opener>

/** A resumable upload. `offset` is the number of stored bytes; continue from there after an interruption. */
export const Unfinished = z.object({
  id: z.int(),
  name: z.string(),
  size: z.int(),
  offset: z.int(),
  /** When an inactive upload is deleted. */
  expiresAt: instant,
})

const where = { folderId: filter(id), isPrivate: z.boolean(), access: z.array(z.object(grantee)).max(50).optional() }
const listing = {
  ...listQuery(['name', 'size', 'createdAt']),
  search: filter(z.string().trim().max(200)),
  kind: filter(csv(fileKind)),
}
/** The key first; a readable name may follow. */
const path = z.string().regex(/^[0-9a-f]{32}(\/[^/]{1,250})?$/, 'Not the path of a file')
/** Number of files that the caller knows to become public by the change; without it, such a change answers 409. */
const publishes = whole(0).optional()
const inline = { inline: filter(z.enum(['true', 'false'])) }
const ids = csv(id).refine((list) => list.length > 0, 'Required')

export const files = {
  upload: post(`${base}/upload-files`, 'file-manager:file:upload', {
    summary: 'Upload files in one request',
    form: { ...where, files: fileField({ max: 100, bytes: LARGEST }) },
    returns: z.array(StoredFile),
  }),
  remove: del(`${base}/delete-files`, 'file-manager:file:delete', {
    summary: `Move files to the trash, which keeps them for ${TRASH_DAYS} days`,
    query: { ids },
  }),
  grant: post(`${base}/access`, 'file-manager:file:grant-access', {
    summary: 'Grant access to a user, a role or a department, optionally until a time',
    body: { fileId: id, ...grantee },
    returns: Grant,
  }),
  privateFile: get(`${base}/private/:path*`, 'file-manager:file:browse', {
    summary: 'Download a private file',
    params: { path },
    query: inline,
    returns: binary,
    ticket: {},
  }),
  publicFile: get(`${base}/public/:path*`, 'public', {
    summary: 'Download a public file, or an avatar',
    params: { path },
    query: inline,
    returns: binary,
  }),
  createFolder: post(`${base}/folders`, 'file-manager:folder:create', {
    summary: 'Create a folder',
    body: { name: fileName, parentId: filter(id), private: z.boolean().optional() },
    returns: Folder,
  }),
  root: get(`${base}/folders/root`, 'file-manager:file:browse', {
    summary: 'Contents of the top folder',
    query: listing,
    returns: FolderContent,
  }),
  folder: get(`${base}/folders/:id`, 'file-manager:file:browse', {
    summary: 'Contents of a folder',
    query: listing,
    returns: FolderContent,
  }),
  removeFolder: del(`${base}/folders/:id`, 'file-manager:folder:delete', {
    summary: 'Move a folder with its contents to the trash',
  }),

  // --- further calls, beside the nine of the specification ----------------------------------------------------------

  list: get(`${base}/files`, 'file-manager:file:browse', {
    summary: 'Find files by folder, name, kind and owner, shared files, or files in the trash',
    query: {
      ...listing,
      folderId: filter(z.union([z.literal('root'), id])),
      view: filter(fileView),
      ownerId: filter(csv(id)),
    },
    returns: pageOf(StoredFile),
  }),
  update: patch(`${base}/files/:id`, 'file-manager:file:upload', {
    summary: 'Rename or move a file, make it private or public',
    body: {
      name: fileName.optional(),
      folderId: z.union([id, z.null()]).optional(),
      isPrivate: z.boolean().optional(),
      publishes,
      version,
    },
    returns: StoredFile,
  }),
  restore: post(`${base}/files/restore`, 'file-manager:file:delete', {
    summary: 'Restore files from the trash',
    body: { ids: z.array(id).min(1).max(1000) },
    status: 204,
  }),
  purge: del(`${base}/trash`, 'file-manager:file:delete', {
    summary: 'Delete files from the trash permanently',
    query: { ids },
  }),
  trashedFolders: get(`${base}/trash/folders`, 'file-manager:file:browse', {
    summary: 'Folders in the trash with their contents',
    returns: z.array(Folder),
  }),
  updateFolder: patch(`${base}/folders/:id`, 'file-manager:folder:create', {
    summary: 'Rename or move a folder, make it private or public with its contents',
    body: {
      name: fileName.optional(),
      parentId: z.union([id, z.null()]).optional(),
      private: z.boolean().optional(),
      publishes,
      version,
    },
    returns: Folder,
  }),
  restoreFolder: post(`${base}/folders/:id/restore`, 'file-manager:folder:delete', {
    summary: 'Restore a folder with its contents from the trash',
    returns: Folder,
    status: 200,
  }),
  openers: get(`${base}/files/:id/access`, 'file-manager:file:browse', {
    summary: 'Who can open a file, and why',
    returns: z.array(Opener),
  }),
  revoke: del(`${base}/access/:id`, 'file-manager:file:grant-access', { summary: 'Revoke a grant' }),
  grantees: get(`${base}/grantees`, 'file-manager:file:grant-access', {
    summary: 'Find users, roles and departments to grant access to',
    query: { search: filter(z.string().trim().max(100)), accessType: filter(accessType) },
    returns: z.array(z.object({ accessType, id: z.int(), name: z.string(), people: z.int() })),
  }),
  downloads: get(`${base}/files/:id/downloads`, 'file-manager:file:browse', {
    summary: 'Downloads of a file, newest first',
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
    summary: 'Public contents of a folder or the top folder',
    query: { ...listing, folderId: filter(id) },
    returns: z.object({ items: z.array(PublicFile), ...crumbs, folders: z.array(Place), ...pageFields }),
  }),
  ticket: post(`${base}/tickets`, 'signedIn', {
    summary: 'A download address that a browser can open without a token, valid once within a minute',
    body: { path: z.string().regex(/^\/api\/[\w./~%-]{1,600}$/, 'A path below /api') },
    returns: z.object({ ticket: z.string(), expiresAt: instant }),
  }),

  /**
   * Resumable uploads. 1. `POST uploads` with name, size and folder answers an id and offset 0. 2. `PATCH
   * uploads/{id}?offset=N` sends bytes from offset N on; each complete part of 8 MiB is stored durably. 3. After an
   * interruption, also after a restart, `GET uploads/{id}` answers the offset; continue with 2. The answer to the last
   * byte contains the file.
   */
  beginUpload: post(`${base}/uploads`, 'file-manager:file:upload', {
    summary: 'Start a resumable upload',
    body: { name: fileName, size: whole(0, LARGEST), ...where },
    returns: Unfinished,
  }),
  uploads: get(`${base}/uploads`, 'file-manager:file:upload', {
    summary: 'Unfinished uploads of the caller',
    returns: z.array(Unfinished),
  }),
  uploadState: get(`${base}/uploads/:id`, 'file-manager:file:upload', {
    summary: 'Progress of an upload',
    returns: Unfinished,
  }),
  continueUpload: patch(`${base}/uploads/:id`, 'file-manager:file:upload', {
    summary: 'Send bytes from an offset on',
    query: { offset: whole(0, LARGEST) },
    content: { bytes: LARGEST },
    effect: 'stream',
    returns: Unfinished.extend({ file: StoredFile.nullable() }),
  }),
  cancelUpload: del(`${base}/uploads/:id`, 'file-manager:file:upload', { summary: 'Cancel an upload' }),
}
