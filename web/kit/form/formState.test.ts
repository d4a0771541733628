import { id, patch } from '@innkeeper/contract/kit'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { check, clean, differences, isRequired, schemaOf } from './formState.ts'

const change = patch('/servers/:id', 'signedIn', {
  summary: '',
  body: {
    name: z.string().min(2, 'Two characters at least'),
    note: z.string().min(1).nullable().optional(),
    kind: z.enum(['web', 'dns']),
    group: id.optional(),
    plan: z.union([z.int().min(1), z.string().min(1)]),
  },
})
const schema = schemaOf(change)
const good = { id: 1, name: 'web-1', note: '', kind: 'web', group: '', plan: 2 }

test('a form is valid only when all fields are', () => {
  expect(check(schema, good)).toEqual({})
  expect(check(schema, { ...good, name: 'w' })).toEqual({ name: 'Two characters at least' })
  expect(Object.keys(check(schema, { ...good, name: 'w', kind: '' }))).toEqual(['name', 'kind'])
})

test('an empty field becomes null if allowed, else is omitted, else is missing', () => {
  expect(clean(schema, good)).toEqual({ ...good, note: null, group: undefined })
  expect(check(schema, { ...good, kind: '', plan: undefined })).toEqual({ kind: 'Required', plan: 'Required' })
  expect(check(schema, { id: 1, kind: 'web', plan: 1 })).toEqual({ name: 'Required' })
  // an empty text is missing too, so that the footer names the field
  expect(check(schema, { ...good, name: '' })).toEqual({ name: 'Required' })
  expect(check(schema, { ...good, name: ' ' })).toEqual({ name: 'Required' })
})

test('required fields are known from the start', () => {
  expect(Object.keys(schema.shape).filter((key) => isRequired(schema, key))).toEqual(['id', 'name', 'kind', 'plan'])
})

test('a conflict shows the differing fields only', () => {
  const stored = { id: 1, version: 4, name: 'web-9', note: null, kind: 'web', load: 3 }
  expect(differences({ ...good, version: 3 }, stored)).toEqual([{ key: 'name', stored: 'web-9', yours: 'web-1' }])
  expect(differences(good, undefined)).toEqual([])
})
