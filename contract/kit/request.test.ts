import { expect, test } from 'vitest'
import * as z from 'zod'
import { csv, del, filter, get, id, listQuery, patch, post } from './endpoint.ts'
import { toRequest } from './request.ts'
import { files, MiB } from './transfer.ts'

const list = get('/sites', 'signedIn', {
  summary: '',
  query: {
    ...listQuery(['name']),
    status: filter(csv(z.string())),
    search: filter(z.string()),
    ids: csv(id).optional(),
  },
})

test('path, query and body come from one flat input', () => {
  const rename = patch('/sites/:id/names/:name', 'signedIn', {
    summary: '',
    params: { id, name: z.string() },
    query: { dry: z.boolean().optional() },
    body: { to: z.string() },
  })
  expect(toRequest(rename, { id: 7, name: 'a/b ü', dry: true, to: 'c', stray: 1 })).toEqual({
    method: 'PATCH',
    url: '/api/sites/7/names/a%2Fb%20%C3%BC?dry=true',
    body: '{"to":"c"}',
    contentType: 'application/json',
  })
})

test('empty filters are left out of the query', () => {
  expect(toRequest(list, { page: 2, status: [], search: '', sort: undefined }).url).toBe('/api/sites?page=2')
})

test('several values of a filter travel as one list', () => {
  expect(toRequest(list, { status: ['active', 'failed'] }).url).toBe('/api/sites?status=active%2Cfailed')
})

test('an empty list of ids asks for none, not for all', () => {
  expect(toRequest(list, { ids: [] }).url).toBe('/api/sites?ids=')
})

test('a call without its path value is never sent', () => {
  const one = get('/sites/:id', 'signedIn', { summary: '' })
  expect(() => toRequest(one, {})).toThrow('GET /sites/:id needs id')
})

test('fields of DELETE travel in the query, which no proxy drops', () => {
  const remove = del('/sites/:id', 'signedIn', { summary: '', body: { version: z.int().optional() } })
  expect(toRequest(remove, { id: 3, version: 4 })).toEqual({ method: 'DELETE', url: '/api/sites/3?version=4' })
})

test('a form sends its fields before its files, and each of several files', () => {
  const form = { papers: files({ max: 3, bytes: MiB }), name: z.string(), to: z.array(z.int()), on: z.boolean() }
  const upload = post('/files', 'signedIn', { summary: '', form })
  const papers = [new File(['x'], 'a.txt'), new File(['y'], 'b.txt')]
  const { body } = toRequest(upload, { papers, name: 'a', to: [1, 2], on: false })
  if (!(body instanceof FormData)) throw new Error('no form')
  const sent = [...body].map(([key, value]) => [key, value instanceof File ? value.name : value])
  expect(sent).toEqual([
    ...[
      ['name', 'a'],
      ['to', '[1,2]'],
      ['on', 'false'],
    ],
    ...[
      ['papers', 'a.txt'],
      ['papers', 'b.txt'],
    ],
  ])
})

test('a path of several segments keeps its slashes and nothing else', () => {
  const one = get('/files/:path*', 'signedIn', { summary: '', params: { path: z.string() } })
  expect(toRequest(one, { path: 'ab/år?.pdf' }).url).toBe('/api/files/ab/%C3%A5r%3F.pdf')
})

test('bytes are sent as they are', () => {
  const rest = patch('/uploads/:id', 'signedIn', { summary: '', content: { bytes: MiB }, effect: 'stream' })
  const content = new Blob(['x'])
  expect(toRequest(rest, { id: 1, content })).toMatchObject({ body: content, contentType: 'application/octet-stream' })
})
