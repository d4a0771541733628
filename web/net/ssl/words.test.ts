import { expect, it } from 'vitest'
import { daysLeft, limitWords, namesTyped, renewalShort, renewalWords, someOf } from './words.ts'

const now = Date.parse('2026-11-21T12:00:00Z')

it('shows how long a certificate is valid, or that it has expired', () => {
  expect(daysLeft('2027-01-21T12:00:00Z', now)).toBe('61 days')
  expect(daysLeft('2026-11-22T13:00:00Z', now)).toBe('1 day')
  expect(daysLeft('2026-11-20T11:00:00Z', now)).toBe('Ended 2 days ago')
  expect(daysLeft(null, now)).toBe('')
})

it('never plans a renewal in the past', () => {
  expect(renewalShort({ autoRenew: true, renewAt: '2026-11-01T00:00:00Z' }, now)).toBe('overdue')
  expect(renewalShort({ autoRenew: true, renewAt: '2026-12-01T00:00:00Z' }, now)).toBe('1 Dec 2026')
  expect(renewalShort({ autoRenew: false, renewAt: null }, now)).toBe('by hand')
})

it('shows the planned renewal, and its failed attempts', () => {
  const certificate = { kind: 'lets-encrypt', autoRenew: true, renewAt: '2026-12-01T00:00:00Z', failures: 2 } as const
  const whole = certificate as unknown as Parameters<typeof renewalWords>[0] // only the fields that are read
  expect(renewalWords(whole, now)).toContain('tried 2 times in vain')
  expect(renewalWords({ ...whole, autoRenew: false }, now)).toContain('switched off')
  expect(renewalWords({ ...whole, kind: 'custom' }, now)).toContain('upload')
})

it('lists some names and counts the rest; parses names by commas, spaces and lines', () => {
  expect(someOf(['a', 'b', 'c', 'd'])).toBe('a, b and 2 more')
  expect(namesTyped(' www, mail\n*.shop.example; ')).toEqual(['www', 'mail', '*.shop.example'])
  expect(limitWords({ limit: 'domain', about: 'shop.example', used: 3, most: 50, hours: 168, freeAt: null })).toBe(
    'New certificates for shop.example: 3 of 50 in 7 days',
  )
})
