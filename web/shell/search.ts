import { type Access, missing } from '@innkeeper/contract/access'
import { createSpotlight } from '@mantine/spotlight'
import { session } from '../kit/access/session.ts'
import { ownersSource } from '../owners/source.ts'
import { serversSource } from '../servers/source.ts'
import { usersSource } from '../users/source.ts'
import { websitesSource } from '../websites/source.ts'

/** The Ctrl-K box. Its code comes with the shell; anybody may open it. */
export const [searchStore, search] = createSpotlight()
export const openSearch = (): void => search.open()

export interface Hit {
  id: string
  label: string
  /** Mono: a domain, a server's name. */
  mono?: boolean
  description?: string
  path: string
}
/** Finds things of one kind. `signal` ends with the next key. */
export interface Source {
  group: string
  /** Who may not look is not answered, and not asked about. */
  access: Access
  find: (query: string, signal: AbortSignal) => Promise<Hit[]>
  /** The one of this number, where things of the kind have one that people use. */
  byId?: (id: number, signal: AbortSignal) => Promise<Hit[]>
}

/** One line per kind of thing that Ctrl-K finds besides screens. */
export const sources: Source[] = [websitesSource, serversSource, ownersSource, usersSource]

export const isOpen = ({ access }: Source): boolean => missing(session.user, access).length === 0

/** `#123` is the thing of that number, whatever it is. */
export const numberIn = (query: string): number | undefined => {
  const [, digits] = /^#\s*([1-9]\d{0,8})$/.exec(query.trim()) ?? []
  return digits === undefined ? undefined : Number(digits)
}

/** What one source answers to what was typed; nothing for less than two letters. */
export async function look(source: Source, query: string, signal: AbortSignal): Promise<Hit[]> {
  const id = numberIn(query)
  if (id !== undefined) return source.byId?.(id, signal) ?? []
  return query.startsWith('#') ? [] : source.find(query, signal)
}
