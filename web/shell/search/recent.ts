import type { Hit } from '../../kit/frame/search.ts'

const MOST = 8

/** A thing that was opened from the search, with the kind that says who may see it. */
export interface Recent extends Hit {
  group: string
}

/** Of one person: who signs in next at the same desk does not read what was looked for. */
const keyOf = (userId: number) => `innkeeper.recent.${userId}`

const isRecent = (value: unknown): value is Recent =>
  typeof value === 'object' &&
  value !== null &&
  ['id', 'label', 'path', 'group'].every((key) => typeof (value as Record<string, unknown>)[key] === 'string')

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem'>

/** Newest first; whatever else stands there is none. */
export function readRecent(storage: Storage, userId: number): Recent[] {
  try {
    const found: unknown = JSON.parse(storage.getItem(keyOf(userId)) ?? '[]')
    return Array.isArray(found) ? found.filter(isRecent).slice(0, MOST) : []
  } catch {
    return [] // cut off or written by somebody else
  }
}

export function keepRecent(storage: Storage, userId: number, hit: Recent): void {
  const others = readRecent(storage, userId).filter(({ id }) => id !== hit.id)
  storage.setItem(keyOf(userId), JSON.stringify([hit, ...others].slice(0, MOST)))
}

/** Those that were opened lately stand before the others, in the order of opening. */
export function recentFirst<H extends Hit>(hits: readonly H[], recent: readonly Recent[]): H[] {
  const place = new Map(recent.map(({ id }, n) => [id, n]))
  return hits.toSorted((a, b) => (place.get(a.id) ?? MOST) - (place.get(b.id) ?? MOST))
}
