import { expect, test } from 'vitest'
import { limitWords } from './words.ts'

test('Limits are one line', () => {
  const none = { quotaMb: null, uploadKbps: null, downloadKbps: null, sessions: null }
  expect(limitWords(none)).toBe('no limit')
  expect(limitWords({ ...none, quotaMb: 500, uploadKbps: 64 })).toBe('500 MB, 64 kB/s up')
})
