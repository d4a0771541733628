import { expect, test } from 'vitest'
import { poolText } from './phpPoolFile.ts'

test.each([
  'null',
  'none',
  'on',
  'true',
])('an account that is called %s is no value of PHP’s in its pool', (username) => {
  const lines = poolText({ username, phpVersion: '8.2', maxChildren: 4, memoryLimitMb: 128 }).split('\n')
  expect(lines).toContain(`user = "${username}"`)
  expect(lines).toContain(`group = "${username}"`)
})
