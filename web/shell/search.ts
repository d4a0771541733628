import { createSpotlight } from '@mantine/spotlight'
import { serversSource } from '../servers/source.ts'
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
/** Finds things of one kind; an empty answer where the caller may not look. `signal` ends with the next key. */
export interface Source {
  group: string
  find: (query: string, signal: AbortSignal) => Promise<Hit[]>
}

/** One line per kind of thing that Ctrl-K finds besides screens. */
export const sources: Source[] = [websitesSource, serversSource]
