import { missing } from '@innkeeper/contract/kit/access'
import { usersSource } from '../../access/users/source.ts'
import { ownersSource } from '../../hosting/owners/source.ts'
import { websitesSource } from '../../hosting/websites/source.ts'
import { session } from '../../kit/access/session.ts'
import type { Hit, Source } from '../../kit/frame/search.ts'
import { serversSource } from '../../machines/servers/choice/source.ts'
import { zonesSource } from '../../net/dns/source.ts'

/** The kinds of records that Ctrl-K finds besides screens. */
export const sources: Source[] = [websitesSource, serversSource, zonesSource, ownersSource, usersSource]

export const isOpen = ({ access }: Source): boolean => missing(session.user, access).length === 0

/** The id in `#123`, which matches records of every kind. */
export const numberIn = (query: string): number | undefined => {
  const [, digits] = /^#\s*([1-9]\d{0,8})$/.exec(query.trim()) ?? []
  return digits === undefined ? undefined : Number(digits)
}

/** The hits of a source; none for less than two letters. */
export async function look(source: Source, query: string, signal: AbortSignal): Promise<Hit[]> {
  const id = numberIn(query)
  if (id !== undefined) return source.byId?.(id, signal) ?? []
  return query.startsWith('#') ? [] : source.find(query, signal)
}
