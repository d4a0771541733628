import { auth, type Preferences } from '@innkeeper/contract/auth'
import { ApiError, bind } from '../api/client.ts'
import { showTheme } from '../look/colourScheme.ts'
import { setZone } from '../look/zone.ts'
import { owed } from './owed.ts'
import { session } from './session.ts'

const api = bind('auth', auth)

/** The token that the server has confirmed since this page was opened. */
let confirmed = ''
/** Nothing was drawn before the first answer. */
let opened = false
let asking: Promise<boolean> | undefined

/** Signs in. Throws ApiError; its message is meant for people, and its code `second-factor` asks for `code`. */
export async function signIn(user: string, password: string, code?: string): Promise<void> {
  const { token } = await api.token({ user, password, ...(code && { code }) })
  await adopt(token)
}

/** Whose one-use link it is. Throws ApiError where it was used, is too old or never was. */
export const lookUpLink = (link: string) => api.link({ link })

/** Signs in by a one-use link, with the password that the person chose. */
export async function redeemLink(link: string, password: string, code: string): Promise<void> {
  const { token } = await api.redeem({ link, password, ...(code && { code }) })
  await adopt(token)
}

/** Makes a token this browser's session, once the server has said whose it is. */
export async function adopt(token: string): Promise<void> {
  const { user, owes, preferences } = await api.validate({}, { jwt: token })
  confirmed = token
  owed.set(owes)
  follow(preferences, true)
  session.signIn({ ...user, jwt: token })
}

/**
 * Is the kept token still good (RP4-008)? Asked once per page and token; a session that is not is ended here.
 * Throws ApiError when the server cannot say.
 */
export async function validSession(): Promise<boolean> {
  const { jwt } = session.user
  if (!jwt) return false
  if (jwt === confirmed) return true
  asking ??= ask(jwt).finally(() => {
    asking = undefined
  })
  return asking
}

/** Asks again: the name has changed, or the socket was told that the session ended. */
export async function revalidate(): Promise<boolean> {
  confirmed = ''
  return validSession()
}

async function ask(jwt: string): Promise<boolean> {
  const answer = await api.validate({}, { jwt }).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 401) return undefined
    throw error
  })
  if (session.user.jwt !== jwt) return session.user.jwt !== ''
  confirmed = answer?.valid ? jwt : ''
  owed.set(answer?.owes)
  if (answer?.valid) {
    follow(answer.preferences, !opened)
    opened = true
    session.signIn({ ...answer.user, jwt })
  } else session.signOut()
  return confirmed !== ''
}

/** Theme and zone are the person's, not this browser's. A new zone draws the page anew: never under somebody's hands. */
function follow({ theme, timeZone }: Preferences, fresh: boolean): void {
  if (theme) showTheme(theme)
  if (fresh) setZone(timeZone)
}

/** This browser forgets the session and the place at once; the server is told and cannot object. */
export function signOut(): void {
  // an unknown session has ended already, an unreachable server ends it by its age
  api.logout().catch(() => undefined)
  session.signOut()
  history.replaceState(null, '', '/login')
}
