import { expect, it } from 'vitest'
import { trashLeft } from './words.ts'

it('a website in the trash shows how long it can be restored', () => {
  const now = Date.parse('2026-11-21T12:00:00Z')
  expect(trashLeft({ purgeAfter: '2026-12-19T12:00:00Z' }, now)).toBe('28 days left')
  expect(trashLeft({ purgeAfter: '2026-11-21T15:30:00Z' }, now)).toBe('3 h 30 min left')
  expect(trashLeft({ purgeAfter: '2026-11-21T11:00:00Z' }, now)).toBe('goes now')
  expect(trashLeft({ purgeAfter: null }, now)).toBe('')
})
