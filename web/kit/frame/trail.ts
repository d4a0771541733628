import { useEffect } from 'react'
import { createStore, useStore } from './store.ts'

/** The last link of the breadcrumb: what the open screen calls itself. */
export interface Crumb {
  title: string
  mono: boolean
}

const crumb = createStore<Crumb | undefined>(undefined)
export const useCrumb = (): Crumb | undefined => useStore(crumb)

/** Names the open screen: in the breadcrumb and as the document's title. */
export function useTitle(title: string, mono = false): void {
  useEffect(() => {
    document.title = `${title} · Innkeeper`
    crumb.set({ title, mono })
    return () => crumb.set(undefined)
  }, [title, mono])
}
