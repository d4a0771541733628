import { password, weakness } from '@innkeeper/contract/kit/passwords'
import { databasePassword } from '@innkeeper/contract/kit/values'
import { expect, test } from 'vitest'
import { makePassword } from './makePassword.ts'

test('a generated password meets the contract and is always different', () => {
  const made = Array.from({ length: 200 }, makePassword)
  for (const one of made) {
    expect(password.safeParse(one).success && databasePassword.safeParse(one).success).toBe(true)
    expect(weakness(one)).toBeUndefined()
    expect(one).toMatch(/^(?:[A-HJ-NP-Za-kmnp-z2-9]{5}-){3}[A-HJ-NP-Za-kmnp-z2-9]{5}$/)
  }
  expect(new Set(made).size).toBe(made.length)
})
