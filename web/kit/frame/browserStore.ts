import { session } from '../access/session.ts'

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>

/**
 * Text that this browser stores for one person, such as a draft or the width of a pane. The key contains the user id,
 * so that the next person at the same computer cannot read the text.
 */
export function browserStore(storage: Storage, userId: number, name: string) {
  const key = `innkeeper.${name}.${userId}`
  return {
    read: (): string | undefined => storage.getItem(key) ?? undefined,
    /** Stores the text; an empty text removes the entry. Returns false if storage is full or blocked. */
    write(text: string): boolean {
      try {
        if (text) storage.setItem(key, text)
        else storage.removeItem(key)
        return true
      } catch {
        return false // QuotaExceededError: storage is full
      }
    },
  }
}
export type BrowserStore = ReturnType<typeof browserStore>

/** The store of the signed-in person. */
export const ownStore = (name: string): BrowserStore => browserStore(localStorage, session.user.id, name)
