import { useEffect } from 'react'
import { createStore, useStore } from './store.ts'

/** Last entry of the breadcrumb: the title of the open screen. */
export interface Crumb {
  title: string
  mono: boolean
}

const crumb = createStore<Crumb | undefined>(undefined)
export const useCrumb = (): Crumb | undefined => useStore(crumb)

/** Sets the title of the open screen in the breadcrumb and in the document. */
export function useTitle(title: string, mono = false): void {
  useEffect(() => {
    document.title = `${title} · Innkeeper`
    crumb.set({ title, mono })
    return () => crumb.set(undefined)
  }, [title, mono])
}
