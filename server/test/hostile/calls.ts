import { contract } from '@innkeeper/contract/index'
import { type Endpoint, pathKey } from '@innkeeper/contract/kit/endpoint'

/** Every call of the contract, even without a handler. */
export interface Call {
  /** `websites.create` */
  name: string
  endpoint: Endpoint
  /** The required permissions; empty for calls that need only a session. */
  scopes: string[]
}

export const calls: Call[] = Object.entries(contract).flatMap(([domain, entries]) =>
  Object.entries(entries).map(([name, endpoint]: [string, Endpoint]) => ({
    name: `${domain}.${name}`,
    endpoint,
    scopes: endpoint.access === 'public' || endpoint.access === 'signedIn' ? [] : [endpoint.access].flat(),
  })),
)
export const guarded = calls.filter(({ endpoint }) => endpoint.access !== 'public')
export const scoped = calls.filter(({ scopes }) => scopes.length > 0)
export const writing = calls.filter(({ endpoint }) => endpoint.effect !== 'read')

/** The path with these parameters. */
export const addressOf = (path: string, params: Record<string, string> = {}) =>
  `/api${path.replace(pathKey, (_, key: string) => params[key] ?? '')}`
