import { contract } from '@innkeeper/contract/index'
import { type Endpoint, pathKey } from '@innkeeper/contract/kit'

/** Every call of the contract, those too that nobody has written yet. */
export interface Call {
  /** `websites.create` */
  name: string
  endpoint: Endpoint
  /** What it asks of its caller, as a list; empty for a session alone. */
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

/** Its address with these path parameters. */
export const addressOf = (path: string, params: Record<string, string> = {}) =>
  `/api${path.replace(pathKey, (_, key: string) => params[key] ?? '')}`
