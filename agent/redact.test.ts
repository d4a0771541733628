import { expect, test } from 'vitest'
import { redactor } from './redact.ts'

test('removes secrets of the input from all texts, at any depth', () => {
  const redact = redactor({
    user: 'web1',
    password: 'hunter2',
    more: { apiToken: 'abcd', list: [{ privateKey: 'hunter2-long' }] },
  })
  expect(redact('web1 has hunter2-long, hunter2 and abcd')).toBe('web1 has •••, ••• and •••')
  expect(redactor({ password: 'i' })('Invalid string')).toBe('Invalid string')
})

test('removes what jsonb refuses: NUL, half characters, control characters', () => {
  expect(redactor({})('a\0b\x1b[31mc\ud800\td\ne')).toBe('ab[31mc\ufffd\td\ne')
})
