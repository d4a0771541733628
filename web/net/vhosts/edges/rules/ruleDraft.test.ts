import { NO_RULES } from '@innkeeper/contract/net/edgeRules/rules'
import { expect, test } from 'vitest'
import { changeOf, draftOf, lineProblem, problemsOf } from './ruleDraft.ts'

const rules = {
  ...NO_RULES,
  paths: [{ path: '/a/', minutes: null, locked: true, allow: ['192.0.2.0/24'] }],
  redirects: [
    { from: '/old', to: '/new', status: 301 as const },
    { from: '/x/*', to: 'https://example.org/*', status: 308 as const },
  ],
  headers: [
    { name: 'X-A', value: 'b: c' },
    { name: 'X-Gone', value: '' },
  ],
  users: ['kari'],
}

test('an untouched rule is not sent, and a typed rule is read back unchanged', () => {
  const before = draftOf(rules)
  expect(changeOf(before, before)).toEqual({})
  const typed = { ...before, redirects: `${before.redirects}\n`, headers: `${before.headers} ` }
  expect(changeOf(typed, before)).toEqual({ redirects: rules.redirects, headers: rules.headers })
  expect(problemsOf(typed, before)).toEqual({})
})

test('an error names its line; a new user needs a password, and a locked website needs a user', () => {
  const before = draftOf(rules)
  const typed = { ...before, redirects: '/a /b\n/a b c d', headers: 'X-A\nSet-Cookie: a' }
  expect(lineProblem(problemsOf(typed, before), 'redirects')).toMatch(/^Line 2: /)
  expect(lineProblem(problemsOf(typed, before), 'headers')).toBe('Line 2: Edges set this header themselves')
  const users = [...before.users, { name: 'ola', password: '', known: false }]
  expect(problemsOf({ ...before, users }, before)).toEqual({ 'users.1.password': 'ola needs a password' })
  expect(problemsOf({ ...before, users: [] }, before).users).toMatch(/nobody gets in/)
})
