import type { Hit } from '../../kit/frame/search.ts'

const MOST = 8

/** A record opened from the search, with its kind, which decides who may see it. */
export interface Recent extends Hit {
  group: string
}

/** The storage key per person, so that the next person at the same desk does not see the searches. */
const keyOf = (userId: number) => `innkeeper.recent.${userId}`

const isRecent = (value: unknown): value is Recent =>
  typeof value === 'object' &&
  value !== null &&
  ['id', 'label', 'path', 'group'].every((key) => typeof (value as Record<string, unknown>)[key] === 'string')

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem'>

/** The recent records, newest first; ignores invalid entries. */
export function readRecent(storage: Storage, userId: number): Recent[] {
  try {
    const found: unknown = JSON.parse(storage.getItem(keyOf(userId)) ?? '[]')
    return Array.isArray(found) ? found.filter(isRecent).slice(0, MOST) : []
  } catch {
    return [] // truncated, or written by another program
  }
}

export function keepRecent(storage: Storage, userId: number, hit: Recent): void {
  const others = readRecent(storage, userId).filter(({ id }) => id !== hit.id)
  storage.setItem(keyOf(userId), JSON.stringify([hit, ...others].slice(0, MOST)))
}

/** Puts recently opened hits first, in the order of opening. */
export function recentFirst<H extends Hit>(hits: readonly H[], recent: readonly Recent[]): H[] {
  const place = new Map(recent.map(({ id }, n) => [id, n]))
  return hits.toSorted((a, b) => (place.get(a.id) ?? MOST) - (place.get(b.id) ?? MOST))
}
