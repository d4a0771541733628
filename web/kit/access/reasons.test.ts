import { expect, test } from 'vitest'
import { listed, reasonFor } from './reasons.ts'

test('a list reads as a sentence', () => {
  expect([listed([]), listed(['a']), listed(['a', 'b']), listed(['a', 'b', 'c'])]).toEqual([
    '',
    'a',
    'a and b',
    'a, b and c',
  ])
})

test('a disabled action names no code of a permission before the server has told its words', () => {
  expect(reasonFor(['dns:zone:read'])).toBe('Needs a permission. An administrator can grant it.')
  expect(reasonFor(['dns:zone:read', 'dns:zone:update'])).toBe('Needs 2 permissions. An administrator can grant it.')
  expect(reasonFor([])).toBeUndefined()
})
