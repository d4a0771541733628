import { useSyncExternalStore } from 'react'

/** A value outside React to which components subscribe. */
export interface Store<T> {
  get(): T
  set(next: T): void
  /** Returns the function that ends the subscription. */
  subscribe(listener: () => void): () => void
}

export function createStore<T>(first: T): Store<T> {
  let value = first
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return
      value = next
      for (const listener of [...listeners]) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}

/** The value of a store; re-renders the component after each change. */
export const useStore = <T>({ subscribe, get }: Pick<Store<T>, 'get' | 'subscribe'>): T =>
  useSyncExternalStore(subscribe, get)
