import * as z from 'zod'
import { del, get, instant, patch, post } from '../kit/endpoint.ts'
import { password } from '../kit/passwords.ts'
import { Locale } from './locale.ts'
import { PasskeyAnswer } from './passkeyAnswer.ts'

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

/** Settings that screens need before the first paint. Null: the person has not chosen. */
export const Preferences = z.object({
  theme: z.enum(['dark', 'light']).nullable(),
  timeZone: z.string().nullable(),
  locale: Locale,
})
export type Preferences = z.output<typeof Preferences>

/**
 * Obligations of a person. Until they are met, every other call answers 403 with the code `owes-password` or
 * `owes-second-factor`.
 */
export const owes = z.enum(['password', 'second-factor'])
export type Owes = z.output<typeof owes>

/** A session of the person: one browser or device. */
export const Session = z.object({
  id: z.int(),
  createdAt: instant,
  expiresAt: instant,
  /** The latest call, to the minute. */
  lastSeenAt: instant,
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  /** The session that makes this request. */
  current: z.boolean(),
})
export type Session = z.output<typeof Session>

const secret = z.string().min(1, 'Required').max(1000)
/** Six digits of an authenticator app, or a backup code. Required after a 401 with the code `second-factor`. */
const code = z.string().trim().max(40).optional()
const link = z.string().min(1, 'Required').max(100)

export const auth = {
  token: post('/auth/token', 'public', {
    summary: 'Sign in with a user name or an e-mail address',
    effect: 'stream', // so that failed attempts stay counted
    body: {
      user: z.string().trim().min(1, 'Required').max(254),
      password: secret,
      code,
      passkey: PasskeyAnswer.optional(),
    },
    status: 200,
    returns: z.object({ token: z.string() }),
  }),
  link: post('/auth/link', 'public', {
    summary: 'The person that a sign-in link belongs to',
    effect: 'read',
    body: { link },
    status: 200,
    returns: z.object({ username: z.string(), name: z.string(), expiresAt: instant, secondFactor: z.boolean() }),
  }),
  redeem: post('/auth/link/token', 'public', {
    summary: 'Sign in with a one-use link and choose a password',
    effect: 'stream', // so that failed attempts stay counted
    body: { link, password, code, passkey: PasskeyAnswer.optional() },
    status: 200,
    returns: z.object({ token: z.string() }),
  }),
  logout: get('/auth/logout', 'signedIn', {
    summary: 'Sign out and end this session',
    effect: 'write',
    status: 204,
    whileOwing: true,
  }),
  validate: get('/auth/validate', 'signedIn', {
    summary: 'Validate the session and read its person',
    returns: z.object({
      valid: z.boolean(),
      user: SessionUser,
      preferences: Preferences,
      owes: owes.optional(),
    }),
    whileOwing: true,
  }),
  password: patch('/auth/password', 'signedIn', {
    summary: 'Change my password and end my other sessions',
    effect: 'stream', // so that failed attempts stay counted
    body: { current: secret, password },
    status: 204,
    whileOwing: true,
  }),
  sessions: get('/auth/sessions', 'signedIn', {
    summary: 'My sessions, newest first',
    returns: z.object({ items: z.array(Session), total: z.int() }),
  }),
  endSession: del('/auth/sessions/:id', 'signedIn', { summary: 'End one of my sessions' }),
  endOthers: del('/auth/sessions', 'signedIn', {
    summary: 'End all my other sessions',
    returns: z.object({ ended: z.int() }),
    status: 200,
  }),
}
