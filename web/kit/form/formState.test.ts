import { id, patch, version } from '@innkeeper/contract/kit/endpoint'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { check, clean, isRequired, schemaOf, sentOf } from './formState.ts'
import { formOf } from './merge.ts'

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

test('a cleared text is sent as empty where the call takes it, and an untouched secret is not', () => {
  const shape = z.object({ description: z.string().optional(), secret: z.string().optional() })
  expect(clean(shape, { description: '', secret: '' }, { description: 'Old', secret: '' })).toEqual({ description: '' })
})

test('a change sends what its user changed, and what the call requires', () => {
  const update = patch('/servers/:id', 'signedIn', {
    summary: '',
    body: {
      name: z.string().optional(),
      note: z.string().optional(),
      kind: z.string(),
      on: z.boolean().default(true),
      version,
    },
  })
  const opened = { name: 'a', note: 'n', kind: 'web', on: false }
  expect(sentOf(update, { ...opened, note: 'm' }, opened)).toEqual({ note: 'm', kind: 'web', on: false })
  // a call without a version gets every field
  expect(sentOf(change, good, { ...good, name: 'x' })).toEqual(good)
})

test('a stored row has the types of the form', () => {
  const opened = { name: 'a', until: '2026-01-01', minutes: '5', tags: [1], limit: '' as number | '' }
  const row = { id: 3, version: 4, name: 'b', until: null, minutes: 6, tags: [2], limit: 7 }
  expect(formOf(row, opened)).toEqual({ name: 'b', until: '', minutes: '6', tags: [2], limit: 7 })
  expect(formOf(undefined, opened)).toEqual({})
})
