import * as z from 'zod'
import { del, get, id, instant, line, patch, post, version } from './kit.ts'
import { sshKeyType } from './values.ts'

/** Of one account. */
export const MOST_KEYS = 50
export const sftpState = z.enum(['off', 'enabling', 'on', 'disabling'])

/** A key that signs in to an account, until it expires. */
export const SftpKey = z.object({
  id: z.int(),
  type: sshKeyType,
  /** As `ssh-keygen -l` shows it: `SHA256:…`. */
  fingerprint: z.string(),
  comment: z.string(),
  addedBy: z.string(),
  addedAt: instant,
  expiresAt: instant.nullable(),
  /** `adding` and `removing`: its server has not done it yet. */
  state: z.enum(['adding', 'active', 'removing']),
})
export type SftpKey = z.output<typeof SftpKey>

/** How the owner of an account brings files to it. */
export const SftpAccess = z.object({
  systemUserId: z.int(),
  version: z.int(),
  state: sftpState,
  /** Where to sign in; absent until its server is known. */
  host: z.string().nullable(),
  port: z.int(),
  username: z.string(),
  /** Of the server, to be compared at the first sign-in. */
  hostKeys: z.array(z.string()),
  /** Since when there is a password; absent: keys alone. */
  passwordSetAt: instant.nullable(),
  keys: z.array(SftpKey),
  /** Nobody signs in now, because of this. */
  refused: z.string().nullable(),
})
export type SftpAccess = z.output<typeof SftpAccess>

const started = { data: SftpAccess, workflowId: z.int() }
const path = '/system-user/system-users/:id/sftp'

export const sftp = {
  read: get(path, 'system-user:user:read', { summary: 'SFTP access of an account', returns: SftpAccess }),
  update: patch(path, 'system-user:sftp:update', {
    summary: 'Turn SFTP access on or off; keys stay',
    body: { on: z.boolean(), version },
    status: 202,
    returns: z.object(started),
  }),
  addKey: post(`${path}/keys`, 'system-user:sftp:add-key', {
    summary: 'Let a public key sign in',
    body: {
      /** A line of authorized_keys without options: `ssh-ed25519 AAAA… kari@laptop`. */
      key: line(4000),
      /** Instead of the comment in the line. */
      comment: line(120).optional(),
      expiresAt: instant.optional(),
    },
    status: 202,
    returns: z.object(started),
  }),
  removeKey: del(`${path}/keys/:key`, 'system-user:sftp:remove-key', {
    summary: 'Let a key sign in no more',
    params: { id, key: id },
    status: 202,
    returns: z.object(started),
  }),
  setPassword: post(`${path}/password`, 'system-user:sftp:password', {
    summary: 'Make a new password, which is answered this once',
    status: 202,
    returns: z.object({ ...started, password: z.string() }),
  }),
  removePassword: del(`${path}/password`, 'system-user:sftp:remove-password', {
    summary: 'Take the password away: keys alone sign in',
    status: 202,
    returns: z.object(started),
  }),
}
