import type { Provider } from '@innkeeper/contract/access/providers'
import { authorizationCodeGrant, fetchUserInfo } from 'openid-client'
import type { App } from '../../../kit/app/app.ts'
import type { Claims } from '../people/accounts.ts'
import { connect } from './connect.ts'

/** Bounds of what a provider says about a person. */
const MOST_GROUPS = 500
const TEXT = 200

interface Flow {
  state: string
  nonce: string
  verifier: string
}

/**
 * Exchanges the code of an answer and reads the claims of its verified identity token. Asks for further claims where the
 * token lacks the address or the groups.
 */
export async function claimsOf(
  app: App,
  provider: Provider,
  answer: URL,
  { state, nonce, verifier }: Flow,
): Promise<{ claims: Claims; sid: string | null }> {
  const config = await connect(app, provider, { isFresh: true })
  const tokens = await authorizationCodeGrant(config, answer, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  })
  const own = tokens.claims()
  if (!own) throw new Error('the provider sent no identity token')
  const isWhole = own.email !== undefined && own[provider.groupsClaim] !== undefined
  const more =
    isWhole || !config.serverMetadata().userinfo_endpoint
      ? {}
      : await fetchUserInfo(config, tokens.access_token, own.sub)
  const sid = own.sid
  return {
    claims: read(own.sub, { ...more, ...own }, provider.groupsClaim),
    sid: typeof sid === 'string' ? sid.slice(0, TEXT) : null,
  }
}

const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
        .replace(/\p{Cc}/gu, ' ')
        .trim()
        .slice(0, TEXT)
    : ''

function read(subject: string, said: Record<string, unknown>, groupsClaim: string): Claims {
  const username = textOf(said.preferred_username)
  const email = textOf(said.email)
  const name = textOf(said.name) || username || email
  const [first = '', ...rest] = name.split(/\s+/)
  const verified = said.email_verified
  const groups = [said[groupsClaim] ?? []].flat().map(textOf).filter(Boolean).slice(0, MOST_GROUPS)
  return {
    subject: subject.slice(0, 255),
    username,
    email: /^[^\s@]{1,64}@[^\s@]{1,189}$/.test(email) ? email : '',
    // some providers send it as text
    isEmailVerified: verified === undefined ? undefined : verified === true || verified === 'true',
    firstName: (textOf(said.given_name) || first).slice(0, 80) || 'New',
    lastName: (textOf(said.family_name) || rest.join(' ')).slice(0, 80) || 'person',
    groups: [...new Set(groups)],
  }
}
