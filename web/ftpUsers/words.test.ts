import type { FtpUser } from '@innkeeper/contract/ftpUsers'
import { expect, test } from 'vitest'
import { limitWords, stateOf } from './words.ts'

// safe cast: the functions read these fields only
const user = (of: Partial<FtpUser>) => ({ state: 'ready', status: 'active', expiresAt: null, ...of }) as FtpUser

test('The state of an FTP user is the running workflow, else the expiry, else the status', () => {
  expect(stateOf(user({ state: 'failed', status: 'suspended' }))).toBe('failed')
  expect(stateOf(user({ expiresAt: '2020-01-01T00:00:00Z' }))).toBe('expired')
  expect(stateOf(user({ refused: 'The website shop.example is suspended' }))).toBe('suspended')
  expect(stateOf(user({ expiresAt: '2999-01-01T00:00:00Z' }))).toBe('active')
  expect(stateOf(user({ status: 'disabled', expiresAt: '2020-01-01T00:00:00Z' }))).toBe('disabled')
})

test('Limits are one line', () => {
  const none = { quotaMb: null, uploadKbps: null, downloadKbps: null, sessions: null }
  expect(limitWords(user(none))).toBe('no limit')
  expect(limitWords(user({ ...none, quotaMb: 500, uploadKbps: 64 }))).toBe('500 MB, 64 kB/s up')
})
