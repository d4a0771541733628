import { expect, test } from 'vitest'
import { changesOf } from './changes.ts'
import { actOf, fieldLabel, plain } from './words.ts'

test('a field is changed, added or removed', () => {
  expect(changesOf({ status: 'active', note: 'x' }, { status: 'suspended', reason: 'unpaid' })).toEqual([
    { field: 'status', kind: 'changed', before: 'active', after: 'suspended' },
    { field: 'note', kind: 'removed', before: 'x', after: '' },
    { field: 'reason', kind: 'added', before: '', after: 'unpaid' },
  ])
})
test('an empty value is a dash, booleans are words, and objects are shown completely', () => {
  const [a, b, c] = changesOf(undefined, { owner: null, ssl: true, load: { cores: 2 } })
  expect([a?.after, b?.after, c?.after]).toEqual(['–', 'yes', '{\n "cores": 2\n}'])
})
test('of two lists only the differences are shown', () => {
  const [scopes] = changesOf({ scopes: ['a', 'b'] }, { scopes: ['b', 'c'] })
  expect(scopes?.items).toEqual({ gone: ['a'], come: ['c'] })
})
test('a row without fields has no lines', () => {
  expect(changesOf(null, null)).toEqual([])
  expect(changesOf('x', 3)).toEqual([])
})
test.each([
  ['force-logout', 'Force logout'],
  ['updateServices', 'Update services'],
])('%s reads %s', (name, text) => expect(plain(name)).toBe(text))
test('acts read as sentences', () => {
  expect(actOf({ service: 'website', resource: 'website', action: 'create' })).toBe('Create website')
  expect(actOf({ service: 'auth', resource: null, action: 'token' })).toBe('Sign in')
  expect(actOf({ service: 'qa', resource: 'chat', action: 'look' })).toBe('Open chat')
  expect(actOf({ service: 'qa', resource: 'manager', action: 'createSource' })).toBe('Create source')
  expect(actOf({ service: 'dns', resource: 'zone', action: 'addTemplate' })).toBe('Add template of zone')
  expect(actOf({ service: 'users', resource: 'user', action: 'suspend' })).toBe('Suspend user')
  expect(actOf({ service: 'backup', resource: 'restore', action: 'restore' })).toBe('Restore from backup')
  expect(actOf({ service: 'qa', resource: 'escalation', action: 'escalateChat' })).toBe('Escalate chat')
})
test.each([
  ['departmentId', 'Department'],
  ['departmentIds', 'Department'],
  ['phpVersion', 'PHP version'],
  ['documentRoot', 'Document root'],
  ['notAfter', 'Valid until'],
  ['id', 'ID'],
  ['ttl', 'TTL'],
])('the field %s has the label %s', (field, label) => expect(fieldLabel(field)).toBe(label))
