import type { Owes } from '@innkeeper/contract/auth'
import type { ErrorBody } from '@innkeeper/contract/kit'

/** An answer that is not success, thrown by whoever notices. */
export class Refusal extends Error {
  readonly status: number
  readonly body: ErrorBody
  constructor(status: number, body: ErrorBody) {
    super([body.message].flat().join('\n'))
    this.status = status
    this.body = body
  }
}

/** 400: what came in is not what the contract says. `fields`: path → plain text. */
export const invalid = (fields: Record<string, string>) =>
  new Refusal(400, {
    code: 'invalid',
    fields,
    message: Object.entries(fields).map(([f, text]) => (f ? `${f}: ${text}` : text)),
  })

/** 401 of a session that never was or was ended. The words are the spec's (§8). */
export const unknownSession = () =>
  new Refusal(401, { code: 'unknown-session', message: "No credentials found for given 'iss'" })
export const tokenExpired = () => new Refusal(401, { code: 'token-expired', message: 'token expired' })
export const signInFirst = () => new Refusal(401, { code: 'signed-out', message: 'Sign in first' })

/** 403, naming what is missing. */
export const denied = (scopes: readonly string[]) =>
  new Refusal(403, { code: 'denied', message: `Needs ${scopes.join(' and ')}` })

/** 403 until a person has done what comes first. */
export const owing = (owes: Owes) =>
  new Refusal(403, {
    code: `owes-${owes}`,
    message: owes === 'password' ? 'Choose a new password first' : 'Set up your second factor first',
  })

/** 404, also for what the caller may not see. */
export const notFound = (what: string, id?: number | string) =>
  new Refusal(404, { code: 'not-found', message: id === undefined ? `No such ${what}` : `No ${what} ${id}` })

/** 409: somebody else was first. `current` is the stored row, so that a form can show both. */
export const conflict = (message: string, more: { current?: unknown; fields?: Record<string, string> } = {}) =>
  new Refusal(409, { code: 'conflict', message, ...more })

/** 422: well formed and against a rule. */
export const refused = (message: string, fields?: Record<string, string>) =>
  new Refusal(422, { code: 'refused', message, ...(fields && { fields }) })

/** 429, with how long to wait. */
export const tooMany = (message: string) => new Refusal(429, { code: 'too-many', message })

/** 503: ask again in a moment. */
export const unavailable = (message: string) => new Refusal(503, { code: 'unavailable', message })

/** 507: nothing can be written, and what was written is kept. */
export const diskFull = () =>
  new Refusal(507, {
    code: 'disk-full',
    message: 'The disk of the database is full. Nothing was changed; it goes on as soon as there is room.',
  })
