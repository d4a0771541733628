import * as z from 'zod'
import { del, id, instant, post } from '../../kit/endpoint.ts'

/** Accounts whose password an import could not carry. */
export const newPasswordKinds = ['mailbox', 'ftp', 'database'] as const
const newPasswordKind = z.enum(newPasswordKinds)
export type NewPasswordKind = z.output<typeof newPasswordKind>

/**
 * `waiting`: no link was made yet. `open`: a link waits to be opened. `changed`: somebody has set another password since.
 * `setting`: the password of a new link is being set on the server. `gone`: the account was deleted.
 */
export const newPasswordStates = [
  ...(['waiting', 'open', 'opened', 'expired', 'revoked', 'changed', 'setting', 'gone'] as const),
] as const
export const newPasswordState = z.enum(newPasswordStates)
export type NewPasswordState = z.output<typeof newPasswordState>

export const NewPassword = z.object({
  id: z.int(),
  kind: newPasswordKind,
  login: z.string(),
  state: newPasswordState,
  /** Until then the link opens, or Innkeeper keeps the password for which there is no link yet. */
  until: instant,
  /** A further link shows the same password. False: it sets another one. */
  isKept: z.boolean(),
  madeAt: instant.nullable(),
  madeBy: z.string().nullable(),
  openedAt: instant.nullable(),
  /** Address and browser that opened the link. */
  openedFrom: z.string().nullable(),
  openedBy: z.string().nullable(),
})
export type NewPassword = z.output<typeof NewPassword>

export const MOST_LINK_DAYS = 30
/** For as long a new password is kept for which nobody makes a link. */
export const UNLINKED_DAYS = 30

/** A link, in the only answer that has it. It opens the page of the web app at this path, whose fragment no server sees. */
export const PASSWORD_PAGE = '/new-password'
const MadeLink = z.object({ id: z.int(), login: z.string(), link: z.string(), expiresAt: instant })
export type MadeLink = z.output<typeof MadeLink>

const base = '/archive-imports'

export const passwordLinkCalls = {
  makeLinks: post(`${base}/:id/links`, 'archive-import:link:create', {
    summary:
      'Make a one-use link for each of these new passwords and invalidate the former ones; only this answer contains them',
    body: {
      passwordIds: z.array(id).min(1).max(500),
      days: z.int().min(1).max(MOST_LINK_DAYS).default(7),
    },
    status: 200,
    returns: z.object({ links: z.array(MadeLink) }),
  }),
  revokeLink: del(`${base}/:id/links/:key`, 'archive-import:link:delete', {
    summary: 'Revoke the one-use link of a new password',
  }),
  openLink: post('/new-passwords', 'public', {
    summary: 'Open a one-use link: only this answer contains the password, which Innkeeper forgets',
    effect: 'stream', // so that failed attempts stay counted
    body: { link: z.string().min(1, 'Required').max(100) },
    status: 200,
    returns: z.object({
      kind: newPasswordKind,
      login: z.string(),
      password: z.string(),
      /** Name of the server. */
      server: z.string(),
    }),
  }),
}
