import type { Access } from '@innkeeper/contract/kit/access'
import { createSpotlight, useSpotlight } from '@mantine/spotlight'

/** The search box (Ctrl+K). Its code loads with the shell; everybody may open it. */
const [searchStore, search] = createSpotlight()

export { searchStore }
export const openSearch = (): void => search.open()
export const useSearchOpened = (): boolean => useSpotlight(searchStore).opened

export interface Hit {
  id: string
  label: string
  /** Monospaced, for domains and server names. */
  mono?: boolean
  description?: string
  path: string
}
/** Searches one kind of object. `signal` aborts when the text changes. */
export interface Source {
  group: string
  /** Scopes of the search; people without them send no request and see no hits. */
  access: Access
  find: (query: string, signal: AbortSignal) => Promise<Hit[]>
  /** Route of the page of such an object, whose breadcrumb leads to another one. */
  page?: string
  /** Finds an object by its number, for kinds whose numbers people use. */
  byId?: (id: number, signal: AbortSignal) => Promise<Hit[]>
}
