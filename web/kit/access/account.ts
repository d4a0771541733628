import { auth, type Preferences } from '@innkeeper/contract/access/auth'
import type { PasskeyAnswer } from '@innkeeper/contract/access/passkeyAnswer'
import { ANY_SESSION, ApiError, bind } from '../api/client.ts'
import { showTheme } from '../look/colourScheme.ts'
import { setLocale } from '../look/locale.ts'
import { setZone } from '../look/zone.ts'
import { owed } from './owed.ts'
import { session } from './session.ts'

const api = bind('auth', auth)

/** The mark of the session that the server has confirmed since the page was loaded. */
let confirmed = ''
/** Whether the session was checked once since the page was loaded. */
let opened = false
let asking: Promise<boolean> | undefined

/** What proves a sign-in beside the password: a code, or the answer of a passkey. */
export interface Proof {
  code?: string
  passkey?: PasskeyAnswer
}

/** Signs in. Throws ApiError, whose message is shown to people; the code `second-factor` requests a proof. */
export async function signIn(user: string, password: string, proof: Proof = {}): Promise<void> {
  await api.token({ user, password, ...proof })
  await adopt()
}

/** Reads the owner of a one-use link. Throws ApiError if the link is used, expired or unknown. */
export const lookUpLink = (link: string) => api.link({ link })

/** Signs in by a one-use link and sets the chosen password. */
export async function redeemLink(link: string, password: string, proof: Proof): Promise<void> {
  await api.redeem({ link, password, ...proof })
  await adopt()
}

/** Starts the session of the cookie, or of a token, which the server moves into the cookie. */
export async function adopt(jwt = ANY_SESSION): Promise<void> {
  const { user, owes, preferences } = await api.validate({}, { jwt })
  confirmed = user.jwt
  owed.set(owes)
  follow(preferences, true)
  session.signIn(user)
}

/**
 * Checks whether the session is still valid (RP4-008), once per page load and session. Ends an invalid session.
 * Throws ApiError if the server gives no answer.
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

/** Checks the session again, after a change of name or a hint that the session ended. */
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
  confirmed = answer?.valid ? answer.user.jwt : ''
  owed.set(answer?.owes)
  if (answer?.valid) {
    follow(answer.preferences, !opened)
    opened = true
    session.signIn(answer.user)
  } else session.signOut()
  return confirmed !== ''
}

/** Applies the person's theme, time zone and way of writing. The latter two redraw the page, so they apply only on a fresh load. */
function follow({ theme, timeZone, locale }: Preferences, fresh: boolean): void {
  if (theme) showTheme(theme)
  if (!fresh) return
  setZone(timeZone)
  setLocale(locale)
}

/** Ends the session in this browser at once, then on the server without waiting for its answer. */
export function signOut(): void {
  // ignored: an unknown session has ended already, and an unreachable server ends it by age
  api.logout().catch(() => undefined)
  session.signOut()
  history.replaceState(null, '', '/login')
}
