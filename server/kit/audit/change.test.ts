import { expect, it } from 'vitest'
import { changeOf, nameOf } from './change.ts'

it('of a changed row, keeps only the differences, without the version', () => {
  const row = { id: 3, version: 1, updatedAt: 'a', status: 'active', tags: ['x'], note: null }
  expect(changeOf(row, { ...row, version: 2, updatedAt: 'b', status: 'suspended', tags: ['x', 'y'] })).toEqual({
    before: { status: 'active', tags: ['x'] },
    after: { status: 'suspended', tags: ['x', 'y'] },
  })
  expect(changeOf(row, { ...row, version: 2 })).toEqual({ before: null, after: null })
})
it('of a created or deleted row, keeps everything, even if the row is only marked as deleted', () => {
  const row = { id: 3, name: 'web-1', deletedAt: null }
  expect(changeOf(undefined, row)).toEqual({ before: null, after: row })
  expect(changeOf(row, undefined)).toEqual({ before: row, after: null })
  expect(changeOf(row, { ...row, deletedAt: '2026-01-01' })).toEqual({ before: row, after: null })
})
it('shows that a secret has changed, but not its value', () => {
  const { before, after } = changeOf(
    { passwordHash: 'old', locked: false, credentialRevokedAt: null, keys: [{ key: 'a', id: 1 }] },
    { passwordHash: 'new', locked: false, credentialRevokedAt: '2026-01-01', keys: [{ key: 'b', id: 1 }] },
  )
  expect(before).toEqual({ passwordHash: '(hidden)', credentialRevokedAt: null, keys: [{ key: '(hidden)', id: 1 }] })
  expect(after).toEqual({
    passwordHash: '(hidden)',
    credentialRevokedAt: '2026-01-01',
    keys: [{ key: '(hidden)', id: 1 }],
  })
})
it('shortens a long text', () => {
  const { after } = changeOf(undefined, { body: 'x'.repeat(9000) })
  expect(JSON.stringify(after).length).toBeLessThan(4100)
})
it.each([
  [{ domain: 'a.example', name: 'b' }, 'a.example'],
  [{ firstName: 'Ingrid', lastName: 'Solberg', username: 'ingrid' }, 'Ingrid Solberg'],
  [{ id: 3 }, null],
  [undefined, null],
])('%j is named %s', (row, name) => {
  expect(nameOf(row)).toBe(name)
})
