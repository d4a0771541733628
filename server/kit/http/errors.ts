import type { Owes } from '@innkeeper/contract/access/auth'
import type { ErrorBody } from '@innkeeper/contract/kit/endpoint'
import { permissionsWords } from '@innkeeper/contract/permissions/services'
import { languageNow, speakIn } from '../app/language.ts'

/** An error answer, thrown by handlers and the kit. */
export class Refusal extends Error {
  readonly status: number
  readonly body: ErrorBody
  /** False for refusals that anybody can cause without limit: these get no log row. */
  isLogged = true
  /** Text for the action log instead of the message, if the message has figures that readers of the log may not know. */
  inLog?: string
  constructor(status: number, body: ErrorBody) {
    super([body.message].flat().join('\n'))
    this.status = status
    this.body = body
  }
}

/** 400: the input violates the contract. `fields`: path → message. */
export const invalid = (fields: Record<string, string>) =>
  new Refusal(400, {
    code: 'invalid',
    fields,
    message: Object.entries(fields).map(([f, text]) => (f ? `${f}: ${text}` : text)),
  })

/** 401 for a session that does not exist or has ended. The specification gives the message (§8). */
export const unknownSession = () =>
  new Refusal(401, { code: 'unknown-session', message: "No credentials found for given 'iss'" })
export const tokenExpired = () => new Refusal(401, { code: 'token-expired', message: 'token expired' })
export const signInFirst = () => new Refusal(401, { code: 'signed-out', message: 'Sign in first' })

/** 403 with the missing permissions: in words for people, in `scopes` for programs. */
export const denied = (scopes: readonly string[]) =>
  new Refusal(403, { code: 'denied', message: `Needs ${permissionsWords(scopes)}`, scopes: [...scopes] })

/**
 * 403 for an act on a person, role or department beyond the caller's rights. The message names the reason, `fields` the
 * fields of a form.
 */
export const outOfReach = (message: string, fields?: Record<string, string>) =>
  new Refusal(403, { code: 'denied', message, ...(fields && { fields }) })

/** 403 until the person has changed the password or set up the second factor. */
export const owing = (owes: Owes) =>
  new Refusal(403, {
    code: `owes-${owes}`,
    message: owes === 'password' ? 'Choose a new password first' : 'Set up your second factor first',
  })

/** 404, also for resources that the caller may not see. */
export const notFound = (what: string, id?: number | string) =>
  new Refusal(404, { code: 'not-found', message: id === undefined ? `No such ${what}` : `No ${what} ${id}` })

/**
 * 409: somebody changed the resource first. `current` is the stored row, so that a form can show both versions. The kit
 * leaves `current` out for people without the permission to read the resource.
 */
export const conflict = (message: string, more: { current?: unknown; fields?: Record<string, string> } = {}) =>
  new Refusal(409, { code: 'conflict', message, ...more })

/** The same error without the stored row, for people who may change the resource and not read it. */
export function withoutRow(error: unknown): unknown {
  if (!(error instanceof Refusal) || error.body.current === undefined) return error
  const { current: _, ...body } = error.body
  return Object.assign(new Refusal(error.status, body), { isLogged: error.isLogged })
}

/** The same error with another text in the action log, whose readers may not know the figures of the message. */
export const loggedAs = (error: Refusal, text: string): Refusal => Object.assign(error, { inLog: text })

/** A refusal in the language of the caller; the action log has it in English. */
export function said(make: () => Refusal): Refusal {
  const error = make()
  if (languageNow() !== 'en') error.inLog ??= speakIn('en', make).message
  return error
}

/** 422: the input is well-formed, but violates a rule. */
export const refused = (message: string, fields?: Record<string, string>) =>
  new Refusal(422, { code: 'refused', message, ...(fields && { fields }) })

/** 429 with the time to wait. */
export const tooMany = (message: string, { isLogged = true } = {}) =>
  Object.assign(new Refusal(429, { code: 'too-many', message }), { isLogged })

/** 503: a retry may succeed in a moment. */
export const unavailable = (message: string) => new Refusal(503, { code: 'unavailable', message })

export const databaseAway = () => unavailable('The database is unavailable. Try again.')

/** 507: the database disk is full. Reads and stored data are not affected. */
export const diskFull = () =>
  new Refusal(507, {
    code: 'disk-full',
    message: 'The disk of the database is full. Nothing was changed; it goes on as soon as there is room.',
  })
