import type { Provider } from '@innkeeper/contract/access/providers'
import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  type CustomFetchOptions,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  None,
} from 'openid-client'
import type { App } from '../../../kit/app/app.ts'
import { NotReached } from '../../../kit/outgoing/notReached.ts'
import { reachOf } from '../../../kit/outgoing/reach.ts'
import { send } from '../../../kit/outgoing/send.ts'
import { secretOf } from '../read.ts'

type Known = Pick<Provider, 'id' | 'version' | 'issuer' | 'clientId'>

/** How long a provider may take for one answer, and how long the answer may be. */
const PATIENCE_MS = 10_000
const MOST_BYTES = 500_000
/** How long the settings of a provider are remembered for the start of a sign-in, which anybody can cause. */
const REMEMBERED_MS = 60_000
const remembered = new Map<string, { config: Configuration; until: number }>()

/** Requests of the library, through the guard: the addresses are judged, and redirects are not followed. */
export const fetchOf = (app: Pick<App, 'settings' | 'log'>) => {
  const reach = reachOf(app)
  return async (url: string, { method, headers, body }: CustomFetchOptions): Promise<Response> => {
    const asked = { url: new URL(url), headers, patienceMs: PATIENCE_MS, mostBytes: MOST_BYTES }
    const answer =
      method === 'POST'
        ? await send(reach, { ...asked, method: 'POST', body: String(body ?? '') })
        : await send(reach, { ...asked, method: 'GET' })
    const type = answer.headers['content-type']
    return new Response(answer.status === 204 ? null : answer.text, {
      status: answer.status,
      ...(type && { headers: { 'content-type': type } }),
    })
  }
}

/** The way that the provider names for a client with a secret; a basic header if it names none. */
const bySecret =
  (secret: string): ClientAuth =>
  (as, ...rest) => {
    const known = as.token_endpoint_auth_methods_supported
    const way = known && !known.includes('client_secret_basic') ? ClientSecretPost(secret) : ClientSecretBasic(secret)
    return way(as, ...rest)
  }

/**
 * Reads the settings of a provider (discovery). A sign-in that ends reads them anew, so that changed keys count at once.
 * Signatures of identity tokens are always verified.
 */
export async function connect(app: App, provider: Known, { isFresh }: { isFresh: boolean }): Promise<Configuration> {
  const key = `${provider.id} ${provider.version} ${provider.issuer} ${app.settings.dataDir}`
  const known = remembered.get(key)
  if (!isFresh && known && known.until > Date.now()) return known.config
  const secret = await app.secrets.read(app.db, secretOf(provider.id))
  const issuer = new URL(provider.issuer)
  const config = await discovery(issuer, provider.clientId, undefined, secret ? bySecret(secret) : None(), {
    [customFetch]: fetchOf(app),
    execute: [enableNonRepudiationChecks, ...(issuer.protocol === 'http:' ? [allowInsecureRequests] : [])],
  })
  if (remembered.size > 100) remembered.clear()
  remembered.set(key, { config, until: Date.now() + REMEMBERED_MS })
  return config
}

/** The error and its causes; libraries nest a few. */
function causes(error: unknown): unknown[] {
  const all: unknown[] = []
  for (let one = error; one !== undefined && all.length < 10; one = one instanceof Error ? one.cause : undefined)
    all.push(one)
  return all
}

/** Whether the provider was away, rather than wrong. */
export const isAway = (error: unknown): boolean =>
  causes(error).some((one) => one instanceof NotReached || (one instanceof Response && one.status >= 500))

/** Words for administrators. */
export function reasonOf(error: unknown): string {
  if (isAway(error)) return 'The provider does not answer as it should. The log of Innkeeper has the cause.'
  return error instanceof Error ? `${error.message}.` : 'The provider gave an unknown answer.'
}
