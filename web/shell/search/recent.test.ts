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

test('what was opened last stands first, once, and only the last eight are kept', () => {
  const place = storage()
  for (const n of [1, 2, 3, 4, 5, 6, 7, 8, 9, 2]) keepRecent(place, 7, hit(n))
  expect(readRecent(place, 7).map(({ id }) => id)).toEqual([2, 9, 8, 7, 6, 5, 4, 3].map((n) => `website ${n}`))
})
test('another person at the same desk reads none of it', () => {
  const place = storage()
  keepRecent(place, 7, hit(1))
  expect(readRecent(place, 8)).toEqual([])
})
test('what is not ours is none', () => {
  for (const text of ['{', '{}', '[3, null, {"id": 1}]'])
    expect(readRecent({ getItem: () => text, setItem: () => undefined }, 7)).toEqual([])
})
test('found things that were opened lately stand before the others', () => {
  expect(recentFirst([hit(1), hit(2), hit(3)], [hit(3), hit(2)]).map(({ id }) => id)).toEqual([
    'website 3',
    'website 2',
    'website 1',
  ])
})
