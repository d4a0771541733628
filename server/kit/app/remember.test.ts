import { expect, it } from 'vitest'
import { remember } from './remember.ts'

it('creates each value once, and keeps a limited number', () => {
  const made: string[] = []
  const lengthOf = remember<string>(6, (text) => text.length)
  const ask = (key: string) =>
    lengthOf(key, () => {
      made.push(key)
      return key
    })
  for (const key of ['abc', 'abc', 'def', 'abc']) expect(ask(key)).toBe(key)
  expect(made).toEqual(['abc', 'def'])
  ask('g') // exceeds the limit
  ask('abc')
  expect(made).toEqual(['abc', 'def', 'g', 'abc'])
})
