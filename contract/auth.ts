import * as z from 'zod'
import { get, post } from './kit.ts'

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

export const auth = {
  token: post('/auth/token', 'public', {
    summary: 'Sign in',
    effect: 'stream', // a wrong guess has to stay counted
    body: { user: z.string().trim().min(1, 'Required').max(200), password: z.string().min(1, 'Required').max(1000) },
    status: 200,
    returns: z.object({ token: z.string() }),
  }),
  logout: get('/auth/logout', 'signedIn', { summary: 'Sign out: ends this session', effect: 'write', status: 204 }),
  validate: get('/auth/validate', 'signedIn', {
    summary: 'Is this session good, and whose is it',
    returns: z.object({ valid: z.boolean(), user: SessionUser, preferences: Preferences }),
  }),
}
