import { useEffect, useSyncExternalStore } from 'react'

/** The last link of the breadcrumb: what the open screen calls itself. */
export interface Crumb {
  title: string
  mono: boolean
}

let crumb: Crumb | undefined
const listeners = new Set<() => void>()
const set = (next: Crumb | undefined) => {
  crumb = next
  for (const tell of [...listeners]) tell()
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export const useCrumb = (): Crumb | undefined => useSyncExternalStore(subscribe, () => crumb)

/** Names the open screen: in the breadcrumb and as the document's title. */
export function useTitle(title: string, mono = false): void {
  useEffect(() => {
    document.title = `${title} · Innkeeper`
    set({ title, mono })
    return () => set(undefined)
  }, [title, mono])
}
