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
  pageOf,
  patch,
  post,
  stored,
  version,
  whole,
} from '../kit/endpoint.ts'
import { password } from '../kit/passwords.ts'
import { ftpFolder, ftpName } from '../kit/values.ts'
import { guesserFields } from '../machines/ipsets/guessers.ts'

/** `suspended`: open sessions end at once. `disabled`: no new sign-ins; what is being transferred finishes. */
export const ftpStatus = z.enum(['active', 'suspended', 'disabled'])
/** State of the FTP user on the server. `failed`: a workflow has stopped. */
export const ftpState = z.enum(['creating', 'ready', 'failed', 'deleting'])

/**
 * The state that people see: a running workflow, else the status of the user, else its end, else the status of its
 * website.
 */
export const ftpShown = z.enum([...ftpStatus.options, 'expired', ...ftpState.exclude(['ready']).options])

/** A login for a folder of a website. */
export const FtpUser = z.object({
  ...stored,
  username: z.string(),
  /** The login name without the account in front. */
  name: z.string(),
  websiteId: z.int(),
  domain: z.string(),
  ownerId: z.int(),
  ownerName: z.string(),
  systemUserId: z.int(),
  account: z.string(),
  serverId: z.int(),
  serverName: z.string(),
  /** Folder within the website; '' is the whole website. */
  folder: z.string(),
  homeDir: z.string(),
  quotaMb: z.int().nullable(),
  uploadKbps: z.int().nullable(),
  downloadKbps: z.int().nullable(),
  sessions: z.int().nullable(),
  status: ftpStatus,
  reason: z.string().nullable(),
  state: ftpState,
  shown: ftpShown,
  expiresAt: instant.nullable(),
  lastLoginAt: instant.nullable(),
  lastLoginFrom: z.string().nullable(),
  passwordSetAt: instant,
  /** Why nobody can sign in at the moment. */
  refused: z.string().nullable(),
  /** For clients: FTP with explicit TLS on `port`, and with TLS from the first byte on `implicitPort`. */
  connection: z.object({ host: z.string().nullable(), port: z.int(), implicitPort: z.int() }),
  /** The running workflow, or the last one. */
  workflowId: z.int().nullable(),
})
export type FtpUser = z.output<typeof FtpUser>

/** An open session, as its server answers now. */
export const FtpSession = z.object({
  session: z.int(),
  seconds: z.number(),
  state: z.enum(['idle', 'download', 'upload', 'unknown']),
  /** The file in transfer. */
  file: z.string(),
  address: z.string(),
  /** Bytes transferred of the file. */
  bytes: z.number(),
})
export type FtpSession = z.output<typeof FtpSession>

export const FtpTransfer = z.object({
  at: instant,
  address: z.string(),
  upload: z.boolean(),
  bytes: z.number(),
  seconds: z.number(),
  file: z.string(),
})
export type FtpTransfer = z.output<typeof FtpTransfer>

/** The FTP service of a server. */
export const FtpServer = z.object({
  serverId: z.int(),
  serverName: z.string(),
  version: z.int(),
  /** Installed together with the first FTP user of the server. */
  installed: z.boolean(),
  /** True: also admits clients without TLS. */
  plain: z.boolean(),
  users: z.int(),
  ...guesserFields,
})
export type FtpServer = z.output<typeof FtpServer>

const started = z.object({ data: FtpUser, workflowId: z.int() })
/** `workflowId` is null if nothing changed. */
const mayStart = started.extend({ workflowId: z.int().nullable() })
const serverStarted = z.object({ data: FtpServer, workflowId: z.int() })

/** `/` is the whole website. */
const folder = z
  .string()
  .trim()
  .transform((text) => (text === '/' ? '' : text))
  .pipe(ftpFolder)
const limits = {
  quotaMb: whole(1, 16_777_216).nullable().optional(),
  uploadKbps: whole(1, 10_485_760).nullable().optional(),
  downloadKbps: whole(1, 10_485_760).nullable().optional(),
  sessions: whole(1, 100).nullable().optional(),
  expiresAt: instant.nullable().optional(),
}

export const ftpUsers = {
  list: get('/ftp/ftp-users', 'ftp-user:user:read', {
    summary: 'FTP users of all websites by search and filters',
    query: {
      ...listQuery(['username', 'createdAt', 'lastLoginAt']),
      search: filter(z.string().trim().max(120)),
      websiteIds: filter(csv(id)),
      server: filter(csv(id)),
      owner: filter(csv(id)),
      status: filter(csv(ftpShown)),
    },
    returns: pageOf(FtpUser),
  }),
  one: get('/ftp/ftp-users/:id', 'ftp-user:user:read', { summary: 'One FTP user', returns: FtpUser }),
  create: post('/ftp/ftp-users', 'ftp-user:user:create', {
    summary: 'Create an FTP user for a folder of a website; only this answer contains a password that Innkeeper chose',
    body: {
      websiteId: id,
      /** The account is put in front: `kari` becomes `shop_kari`. */
      name: ftpName,
      folder: folder.default('public'),
      password: password.optional(),
      ...limits,
    },
    returns: started.extend({ password: z.string().nullable() }),
  }),
  update: patch('/ftp/ftp-users/:id', 'ftp-user:user:update', {
    summary: 'Change the name, folder, limits, end or status of an FTP user',
    body: {
      name: ftpName.optional(),
      folder: folder.optional(),
      ...limits,
      status: ftpStatus.optional(),
      reason: line(200).nullable().optional(),
      version,
    },
    status: [200, 202],
    returns: mayStart,
  }),
  setPassword: post('/ftp/ftp-users/:id/password', 'ftp-user:user:password', {
    summary: 'Set a new password and end the open sessions; only this answer contains a password that Innkeeper chose',
    body: { password: password.optional(), version },
    status: 202,
    returns: started.extend({ password: z.string().nullable() }),
  }),
  remove: del('/ftp/ftp-users/:id', 'ftp-user:user:delete', {
    summary: 'Delete an FTP user and end its sessions; its files stay',
    body: { version },
    status: 202,
    returns: started,
  }),
  sessions: get('/ftp/ftp-users/:id/sessions', 'ftp-user:user:read', {
    summary: 'Open sessions of an FTP user, read from the server now',
    live: true,
    returns: z.object({ items: z.array(FtpSession), total: z.int(), at: instant }),
  }),
  endSession: del('/ftp/ftp-users/:id/sessions/:session', 'ftp-user:session:end', {
    summary: 'End an open session of an FTP user',
    live: true,
    effect: 'stream',
    status: 204,
  }),
  transfers: get('/ftp/ftp-users/:id/transfers', 'ftp-user:user:read', {
    summary: 'The latest 200 transfers of an FTP user, newest first, read from the server now',
    live: true,
    returns: z.object({ items: z.array(FtpTransfer), total: z.int(), at: instant }),
  }),
  server: get('/ftp/servers/:server', 'ftp-user:user:read', {
    summary: 'The FTP service of a server, with addresses that guess passwords',
    returns: FtpServer,
  }),
  updateServer: patch('/ftp/servers/:server', 'ftp-user:server:update', {
    summary: 'Admit or refuse FTP without TLS on a server',
    body: { plain: z.boolean(), version },
    status: 202,
    returns: serverStarted,
  }),
}
