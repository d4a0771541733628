import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { isAway } from './failures.ts'

const thrown = (work: () => unknown): unknown => {
  try {
    work()
  } catch (error) {
    return error
  }
}
const refused = (to: { path: string } | { port: number }) =>
  new Promise((done) => connect({ host: '127.0.0.1', ...to }).on('error', done))

it('a connection that fails means that the database is away, an error of a file does not', async () => {
  expect(isAway(await refused({ port: 1 }))).toBe(true)
  expect(isAway(await refused({ path: '/nonexistent/.s.PGSQL.5432' }))).toBe(true)
  expect(isAway(new Error('wrapped', { cause: await refused({ port: 1 }) }))).toBe(true)
  expect(isAway(thrown(() => readFileSync('/nonexistent/file')))).toBe(false)
  expect(isAway(thrown(() => writeFileSync('/proc/version', '')))).toBe(false)
})
