import { session } from '../access/session.ts'

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>

/**
 * Text that this browser keeps for one person, such as a draft or the width of a pane. The key carries the user id, so that
 * the next person at the same desk reads nothing of it.
 */
export function browserStore(storage: Storage, userId: number, name: string) {
  const key = `innkeeper.${name}.${userId}`
  return {
    read: (): string | undefined => storage.getItem(key) ?? undefined,
    /** An empty text removes the entry. Storage that is full or closed loses the entry, never the page. */
    write(text: string): boolean {
      try {
        if (text) storage.setItem(key, text)
        else storage.removeItem(key)
        return true
      } catch {
        return false // QuotaExceededError: the browser has no room left
      }
    },
  }
}
export type BrowserStore = ReturnType<typeof browserStore>

/** The store of the person who is signed in. */
export const ownStore = (name: string): BrowserStore => browserStore(localStorage, session.user.id, name)
