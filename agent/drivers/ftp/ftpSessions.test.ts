import { expect, test } from 'vitest'
import { endSessions } from './ftpSessions.ts'

test('a server without pure-ftpd has no session to end', async () => {
  expect(await endSessions('nobody_here')).toBe(0)
})
