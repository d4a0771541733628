import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

/** An identity provider of a test, which may lie. */
export interface Hostile {
  issuer: string
  /** Changes of the next identity tokens. */
  lie: Lie
  /** Replaces the keys, as a provider does from time to time. */
  rotate(): Promise<void>
  logoutToken(claims: JWTPayload): Promise<string>
  close(): void
}
interface Lie {
  claims?: JWTPayload
  alg?: 'none' | 'HS256' | 'foreign key'
  /** Status of the answer with the token. */
  status?: number
  /** Issuer in the settings. */
  issuer?: string
  userinfo?: Record<string, unknown>
}

export async function openHostile(): Promise<Hostile> {
  const pair = async () => {
    const made = await generateKeyPair('RS256', { extractable: true })
    return { ...made, kid: crypto.randomUUID() }
  }
  let keys = await pair()
  let nonce = ''
  const lie: Lie = {}
  const hostile = { lie }
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', issuer)
    const json = (body: unknown, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (url.pathname === '/.well-known/openid-configuration')
      return json({
        issuer: hostile.lie.issuer ?? issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/me`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
      })
    if (url.pathname === '/jwks')
      return json({ keys: [{ ...(await exportJWK(keys.publicKey)), kid: keys.kid, alg: 'RS256', use: 'sig' }] })
    if (url.pathname === '/auth') {
      nonce = url.searchParams.get('nonce') ?? ''
      const back = new URL(url.searchParams.get('redirect_uri') ?? '')
      back.searchParams.set('code', 'code')
      back.searchParams.set('state', url.searchParams.get('state') ?? '')
      return response.writeHead(302, { location: back.href }).end()
    }
    if (url.pathname === '/me') return json(hostile.lie.userinfo ?? { sub: 'sub-1' })
    if (url.pathname !== '/token') return response.writeHead(404).end()
    if (hostile.lie.status) return json({ error: 'server_error' }, hostile.lie.status)
    return json({ access_token: 'access', token_type: 'Bearer', id_token: await idToken() })
  }
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function idToken(): Promise<string> {
    const now = Math.floor(Date.now() / 1000)
    const base = { sub: 'sub-1', aud: 'innkeeper', iss: issuer, iat: now, exp: now + 300, nonce }
    const person = { email: 'honest@example.org', email_verified: true, name: 'Honest Person', groups: [] as string[] }
    const claims: JWTPayload = { ...base, ...person, ...hostile.lie.claims }
    if (hostile.lie.alg === 'none') {
      const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
      return `${part({ alg: 'none' })}.${part(claims)}.`
    }
    if (hostile.lie.alg === 'HS256')
      return new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256' })
        .sign(new TextEncoder().encode('a secret of the client, which is long'))
    const signing = hostile.lie.alg === 'foreign key' ? (await pair()).privateKey : keys.privateKey
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: keys.kid }).sign(signing)
  }

  return Object.assign(hostile, {
    issuer,
    async rotate() {
      keys = await pair()
    },
    logoutToken: (claims: JWTPayload) =>
      new SignJWT({
        ...{ iss: issuer, aud: 'innkeeper', iat: Math.floor(Date.now() / 1000), jti: crypto.randomUUID() },
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
        ...claims,
      })
        .setProtectedHeader({ alg: 'RS256', kid: keys.kid, typ: 'logout+jwt' })
        .sign(keys.privateKey),
    close() {
      server.closeAllConnections()
      server.close()
    },
  })
}
