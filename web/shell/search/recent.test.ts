import { expect, test } from 'vitest'
import { keepRecent, type Recent, readRecent, recentFirst } from './recent.ts'

const storage = () => {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  }
}
const hit = (n: number): Recent => ({
  id: `website ${n}`,
  label: `${n}.example`,
  path: `/websites/${n}`,
  group: 'Websites',
})

test('recent items are ordered by opening, without duplicates, at most eight', () => {
  const place = storage()
  for (const n of [1, 2, 3, 4, 5, 6, 7, 8, 9, 2]) keepRecent(place, 7, hit(n))
  expect(readRecent(place, 7).map(({ id }) => id)).toEqual([2, 9, 8, 7, 6, 5, 4, 3].map((n) => `website ${n}`))
})
test('another person at the same desk sees none of them', () => {
  const place = storage()
  keepRecent(place, 7, hit(1))
  expect(readRecent(place, 8)).toEqual([])
})
test('invalid data is ignored', () => {
  for (const text of ['{', '{}', '[3, null, {"id": 1}]'])
    expect(readRecent({ getItem: () => text, setItem: () => undefined }, 7)).toEqual([])
})
test('recently opened hits come first', () => {
  expect(recentFirst([hit(1), hit(2), hit(3)], [hit(3), hit(2)]).map(({ id }) => id)).toEqual([
    'website 3',
    'website 2',
    'website 1',
  ])
})
