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

test('an act that is not open names what it needs and who can help', () => {
  expect(reasonFor(['dns:zone:read'])).toBe('Needs dns:zone:read. An administrator can grant it.')
  expect(reasonFor([])).toBeUndefined()
})
