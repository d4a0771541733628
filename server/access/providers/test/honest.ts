import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import Provider, { type KoaContextWithOIDC } from 'oidc-provider'

interface Person {
  email: string
  email_verified: boolean
  given_name: string
  family_name: string
  preferred_username: string
  groups: string[]
}

export interface Honest {
  issuer: string
  /** The people of the provider, by their name there. */
  people: Map<string, Person>
  /** Who sits at the browser. */
  signsIn: string
  close(): void
}

/** A certified provider in this process: everybody who is asked for signs in without a form. */
export async function openHonest(redirectUris: string[]): Promise<Honest> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const people = new Map<string, Person>()
  const honest: Honest = {
    issuer,
    people,
    signsIn: '',
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'innkeeper',
        client_secret: 'a secret of the client',
        redirect_uris: redirectUris,
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' }] },
    scopes: ['openid', 'profile', 'email'],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['given_name', 'family_name', 'preferred_username', 'groups'],
    },
    pkce: { required: () => true },
    cookies: { keys: ['a key of cookies'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context: KoaContextWithOIDC, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, ...people.get(id) }) }),
    async loadExistingGrant({ oidc }: KoaContextWithOIDC) {
      const grant = new provider.Grant({
        ...(oidc.client && { clientId: oidc.client.clientId }),
        ...(oidc.session?.accountId && { accountId: oidc.session.accountId }),
      })
      grant.addOIDCScope('openid profile email')
      await grant.save()
      return grant
    },
  })
  const app = provider.callback()
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void app(request, response)
    provider
      .interactionFinished(request, response, { login: { accountId: honest.signsIn } })
      .catch((error: unknown) => {
        response.writeHead(500).end(String(error))
      })
  })
  return honest
}
