import * as z from 'zod'
import { del, get, id, instant, line, patch, post, version } from '../kit/endpoint.ts'
import { sshKeyType } from '../kit/values.ts'

/** Maximum number of keys of one account. */
export const MOST_KEYS = 50
export const sftpState = z.enum(['off', 'enabling', 'on', 'disabling'])

/** A public key that may sign in to an account until it expires. */
export const SftpKey = z.object({
  id: z.int(),
  type: sshKeyType,
  /** Fingerprint as `ssh-keygen -l` shows it: `SHA256:…`. */
  fingerprint: z.string(),
  comment: z.string(),
  addedBy: z.string(),
  addedAt: instant,
  expiresAt: instant.nullable(),
  /** `adding` and `removing`: the server has not applied the change yet. */
  state: z.enum(['adding', 'active', 'removing']),
})
export type SftpKey = z.output<typeof SftpKey>

/** SFTP access of an account. */
export const SftpAccess = z.object({
  systemUserId: z.int(),
  version: z.int(),
  state: sftpState,
  /** Host and port for clients; absent until the server's address is known. */
  host: z.string().nullable(),
  port: z.int(),
  username: z.string(),
  /** Fingerprints of the server's host keys, to compare at the first sign-in. */
  hostKeys: z.array(z.string()),
  /** When the password was set; absent: only keys. */
  passwordSetAt: instant.nullable(),
  keys: z.array(SftpKey),
  /** Why nobody can sign in at the moment. */
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
    summary: 'Add a public key',
    body: {
      /** A line of authorized_keys without options: `ssh-ed25519 AAAA… kari@laptop`. */
      key: line(4000),
      /** Replaces the comment of the line. */
      comment: line(120).optional(),
      expiresAt: instant.optional(),
    },
    status: 202,
    returns: z.object(started),
  }),
  removeKey: del(`${path}/keys/:key`, 'system-user:sftp:remove-key', {
    summary: 'Remove a public key',
    params: { id, key: id },
    status: 202,
    returns: z.object(started),
  }),
  setPassword: post(`${path}/password`, 'system-user:sftp:password', {
    summary: 'Create a new password; only this answer contains it',
    status: 202,
    returns: z.object({ ...started, password: z.string() }),
  }),
  removePassword: del(`${path}/password`, 'system-user:sftp:remove-password', {
    summary: 'Remove the password, so that only keys can sign in',
    status: 202,
    returns: z.object(started),
  }),
}
