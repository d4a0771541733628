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

test('a disabled action names the missing permission and who can grant it', () => {
  expect(reasonFor(['dns:zone:read'])).toBe('Needs dns:zone:read. An administrator can grant it.')
  expect(reasonFor([])).toBeUndefined()
})
