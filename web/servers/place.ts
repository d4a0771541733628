import type { Server } from '@innkeeper/contract/servers'
import { fullness } from './load.ts'

type Known = Pick<
  Server,
  'id' | 'name' | 'type' | 'status' | 'observed' | 'acceptsNew' | 'lastSeenAt' | 'provisioned' | 'load'
>

/** Why no website can be placed on a server; undefined when one can. */
export function closedTo({ status, acceptsNew, lastSeenAt, provisioned }: Known): string | undefined {
  if (status === 'down') return 'set down'
  if (!acceptsNew) return 'accepts no new websites'
  if (!lastSeenAt) return 'has no agent yet'
  if (!provisioned) return 'not provisioned yet'
  return undefined
}

/** Servers that serve websites: open ones first, those that answer before silent ones, the emptiest on top. */
export function placesFor<S extends Known>(servers: readonly S[]): S[] {
  const rank = (server: S) => (closedTo(server) ? 2 : server.observed === 'online' ? 0 : 1)
  return servers
    .filter(({ type }) => type === 'web' || type === 'all-in-one')
    .toSorted((a, b) => rank(a) - rank(b) || fullness(a.load) - fullness(b.load) || a.name.localeCompare(b.name))
}
