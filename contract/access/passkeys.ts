import * as z from 'zod'
import { del, get, instant, line, patch, post } from '../kit/endpoint.ts'
import { bytes, credential, PasskeyAnswer } from './passkeyAnswer.ts'

/** A new passkey (WebAuthn). */
const NewPasskey = z.looseObject({
  ...credential,
  response: z.looseObject({
    clientDataJSON: bytes(4000),
    attestationObject: bytes(20_000),
    transports: z
      .array(z.string().regex(/^[a-z-]{1,20}$/))
      .max(10)
      .optional(),
  }),
})
export type NewPasskey = z.output<typeof NewPasskey>

export const Passkey = z.object({
  id: z.int(),
  name: z.string(),
  createdAt: instant,
  lastUsedAt: instant.nullable(),
  /** Kept in an account of its maker, such as a phone's, and therefore on several devices. */
  isSynced: z.boolean(),
})
export type Passkey = z.output<typeof Passkey>

/** What the browser needs to ask for a passkey; its own types describe it. */
const Options = z.object({ options: z.record(z.string(), z.unknown()) })
const name = line(60)
/** Absent for people who have no password; they add a passkey soon after their sign-in. */
const password = z.string().min(1, 'Required').max(1000).optional()

export const passkeys = {
  list: get('/auth/passkeys', 'signedIn', {
    summary: 'My passkeys',
    returns: z.object({ items: z.array(Passkey), total: z.int() }),
    whileOwing: true,
  }),
  options: post('/auth/passkeys/options', 'signedIn', {
    summary: 'Start adding a passkey',
    effect: 'stream', // so that failed attempts stay counted
    body: { password },
    returns: Options,
    whileOwing: true,
  }),
  add: post('/auth/passkeys', 'signedIn', {
    summary: 'Add a passkey; the first one answers backup codes, which only this answer contains',
    body: { name, passkey: NewPasskey },
    returns: Passkey.extend({ backupCodes: z.array(z.string()).optional() }),
    whileOwing: true,
  }),
  rename: patch('/auth/passkeys/:id', 'signedIn', {
    summary: 'Rename one of my passkeys',
    body: { name },
    returns: Passkey,
  }),
  remove: del('/auth/passkeys/:id', 'signedIn', {
    summary: 'Remove one of my passkeys',
    effect: 'stream', // so that failed attempts stay counted
    body: { password },
  }),
  challenge: post('/auth/passkeys/challenge', 'public', {
    summary: 'Start a sign-in with a passkey',
    effect: 'read', // anybody may ask, and the action log would fill
    body: {},
    status: 200,
    returns: Options,
  }),
  signIn: post('/auth/passkeys/token', 'public', {
    summary: 'Sign in with a passkey alone',
    effect: 'stream', // so that failed attempts stay counted
    body: { passkey: PasskeyAnswer },
    status: 200,
    returns: z.object({ token: z.string() }),
  }),
}
