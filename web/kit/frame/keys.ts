import { useEffect } from 'react'
import { createStore, useStore } from './store.ts'

export type KeyWords = readonly (readonly [keys: string, act: string])[]

/** Keys of one part of the open screen, as the help lists them. */
interface KeyGroup {
  title: string
  keys: KeyWords
}

const groups = createStore<readonly KeyGroup[]>([])
export const useKeyGroups = (): readonly KeyGroup[] => useStore(groups)

/** Lists keys in the help (`?`) while the part that has them is on the screen. `keys` is a constant. */
export function useKeyHelp(title: string, keys: KeyWords): void {
  useEffect(() => {
    const group = { title, keys }
    groups.set([...groups.get(), group])
    return () => groups.set(groups.get().filter((one) => one !== group))
  }, [title, keys])
}

/** Each title once: two lists on one screen have the same keys. */
export const distinct = (all: readonly KeyGroup[]): KeyGroup[] =>
  all.filter(({ title }, n) => all.findIndex((other) => other.title === title) === n)
