import type { Server } from '@innkeeper/contract/machines/servers/shapes'
import { serversApi } from '../api.ts'

type Known = Pick<Server, 'status' | 'acceptsNew' | 'lastSeenAt' | 'provisioned'>

/** Why a server accepts no websites; undefined if it does. */
export function closedTo({ status, acceptsNew, lastSeenAt, provisioned }: Known): string | undefined {
  if (status === 'down') return 'set down'
  if (!acceptsNew) return 'accepts no new websites'
  if (!lastSeenAt) return 'has no agent yet'
  if (!provisioned) return 'not provisioned yet'
  return undefined
}

/** Server types that serve websites. */
export const webTypes: Server['type'][] = ['web', 'all-in-one']

/** Servers that serve websites, the emptiest first. */
export const places = {
  query: (input: { search: string; itemsPerPage: number }) =>
    serversApi.list.query({ ...input, type: webTypes, sort: 'place' }),
}
