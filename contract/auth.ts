import * as z from 'zod'
import { del, get, instant, patch, post } from './kit.ts'
import { password } from './passwords.ts'

/** The thirteen fields of the signed-in person (RP3-001). */
export const SessionUser = z.object({
  id: z.int(),
  profileId: z.int(),
  username: z.string(),
  email: z.string(),
  name: z.string(),
  jwt: z.string(),
  wsKey: z.string(),
  isAdmin: z.boolean(),
  scopes: z.array(z.string()),
  departmentId: z.int().nullable(),
  darkTheme: z.boolean(),
  showReviewedEscalations: z.boolean(),
  profileImage: z.string().nullable(),
})
export type SessionUser = z.output<typeof SessionUser>

/** What the screens have to know before they are drawn. Null: the person has not chosen. */
export const Preferences = z.object({ theme: z.enum(['dark', 'light']).nullable(), timeZone: z.string().nullable() })
export type Preferences = z.output<typeof Preferences>

/** What a person has to do before anything else: every other call is refused until then (403, code `owes-password` or `owes-second-factor`). */
export const owes = z.enum(['password', 'second-factor'])
export type Owes = z.output<typeof owes>

/** One place where a person is signed in. */
export const Session = z.object({
  id: z.int(),
  createdAt: instant,
  expiresAt: instant,
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  /** The one that asks. */
  current: z.boolean(),
})
export type Session = z.output<typeof Session>

const secret = z.string().min(1, 'Required').max(1000)
/** Six digits of an authenticator, or a backup code; asked for with 401 and code `second-factor`. */
const code = z.string().trim().max(40).optional()
const link = z.string().min(1, 'Required').max(100)

export const auth = {
  token: post('/auth/token', 'public', {
    summary: 'Sign in',
    effect: 'stream', // a wrong guess has to stay counted
    body: { user: z.string().trim().min(1, 'Required').max(200), password: secret, code },
    status: 200,
    returns: z.object({ token: z.string() }),
  }),
  link: post('/auth/link', 'public', {
    summary: 'Whose sign-in link is this',
    effect: 'read',
    body: { link },
    status: 200,
    returns: z.object({ username: z.string(), name: z.string(), expiresAt: instant, secondFactor: z.boolean() }),
  }),
  redeem: post('/auth/link/token', 'public', {
    summary: 'Sign in by a one-use link and choose a password',
    effect: 'stream', // a wrong code has to stay counted
    body: { link, password, code },
    status: 200,
    returns: z.object({ token: z.string() }),
  }),
  logout: get('/auth/logout', 'signedIn', {
    summary: 'Sign out: ends this session',
    effect: 'write',
    status: 204,
    whileOwing: true,
  }),
  validate: get('/auth/validate', 'signedIn', {
    summary: 'Is this session good, and whose is it',
    returns: z.object({
      valid: z.boolean(),
      user: SessionUser,
      preferences: Preferences,
      owes: owes.optional(),
    }),
    whileOwing: true,
  }),
  password: patch('/auth/password', 'signedIn', {
    summary: 'Change my password: every other session of mine ends',
    effect: 'stream', // a wrong guess has to stay counted
    body: { current: secret, password },
    status: 204,
    whileOwing: true,
  }),
  sessions: get('/auth/sessions', 'signedIn', {
    summary: 'Where I am signed in, newest first',
    returns: z.object({ items: z.array(Session), total: z.int() }),
  }),
  endSession: del('/auth/sessions/:id', 'signedIn', { summary: 'Sign me out in one place' }),
  endOthers: del('/auth/sessions', 'signedIn', {
    summary: 'Sign me out everywhere but here',
    returns: z.object({ ended: z.int() }),
    status: 200,
  }),
}
