import { expect, test } from 'vitest'
import { endOf, keyState } from './words.ts'

const now = Date.parse('2026-11-21T14:00:00Z')

test('a key has the state on its server, and expires at its time', () => {
  expect(keyState({ state: 'adding', expiresAt: null }, now)).toBe('creating')
  expect(keyState({ state: 'removing', expiresAt: null }, now)).toBe('deleting')
  expect(keyState({ state: 'active', expiresAt: '2026-11-21T14:00:01Z' }, now)).toBe('active')
  expect(keyState({ state: 'active', expiresAt: '2026-11-21T14:00:00Z' }, now)).toBe('expired')
})

test('a key expires after a number of days, or never', () => {
  expect(endOf('7', now)).toBe('2026-11-28T14:00:00.000Z')
  expect(endOf('', now)).toBeUndefined()
})
