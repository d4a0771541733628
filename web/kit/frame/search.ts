import type { Access } from '@innkeeper/contract/access'
import { createSpotlight } from '@mantine/spotlight'

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
