import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { get, patch, post } from '@innkeeper/contract/kit/endpoint'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { guest, session } from '../access/session.ts'
import { toastStore } from '../dialogs/toast.ts'
import { ApiError, bind } from './client.ts'

const api = bind('sites', {
  list: get('/sites', 'signedIn', { summary: '', returns: z.object({ items: z.array(z.string()), total: z.int() }) }),
  create: post('/sites', 'signedIn', { summary: '', body: { name: z.string() }, returns: z.object({ id: z.int() }) }),
  leave: patch('/sites/:id', 'signedIn', { summary: '' }),
})

let answer: (request: IncomingMessage, response: ServerResponse) => void
const server = createServer((request, response) => answer(request, response))
const json = (status: number, body: unknown) => (_: IncomingMessage, response: ServerResponse) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const at = server.address()
  if (typeof at !== 'object' || !at) throw new Error('no port')
  // the browser resolves paths against the page; here there is no page
  const real = globalThis.fetch
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => real(`http://127.0.0.1:${at.port}${path}`, init))
})
afterAll(() => {
  vi.unstubAllGlobals()
  server.close()
})
beforeEach(() => session.signIn({ ...guest, jwt: 'tok', name: 'Ingrid' }))
afterEach(() => {
  session.signOut()
  for (const { id } of toastStore.get()) toastStore.dismiss(id)
})

test('a call sends the token and returns the answer', async () => {
  const seen: unknown[] = []
  answer = (request, response) => {
    seen.push(request.method, request.url, request.headers.authorization, request.headers['x-request-id']?.length)
    json(200, { items: ['a'], total: 1 })(request, response)
  }
  expect(await api.list()).toEqual({ items: ['a'], total: 1 })
  expect(seen).toEqual(['GET', '/api/sites', 'Bearer tok', 36])
})

test.each([
  "No credentials found for given 'iss'",
  'token expired',
])('a 401 with %j ends the session and shows a message for 5 seconds', async (message) => {
  answer = json(401, { message, code: 'unknown-session' })
  await Promise.allSettled([api.list(), api.list()])
  expect(session.user).toEqual(guest)
  expect(toastStore.get()).toMatchObject([
    {
      kind: 'error',
      title: 'Authentication Error',
      body: 'Invalid token provided. Please login again.',
      duration: 5000,
    },
  ])
})

test('any other 401 is an ordinary error and keeps the session', async () => {
  answer = json(401, { message: 'Wrong password', code: 'wrong' })
  await expect(api.list()).rejects.toMatchObject({ status: 401, message: 'Wrong password' })
  expect(session.user.jwt).toBe('tok')
  expect(toastStore.get()).toEqual([])
})

test('a creation succeeds with 201, not with 200', async () => {
  answer = json(200, { id: 1 })
  await expect(api.create({ name: 'a' })).rejects.toMatchObject({ body: { code: 'unexpected' } })
  answer = json(201, { id: 1 })
  expect(await api.create({ name: 'a' })).toEqual({ id: 1 })
})

test('an empty answer is undefined', async () => {
  answer = (_, response) => void response.writeHead(204).end()
  expect(await api.leave({ id: 3 })).toBeUndefined()
})

test('several messages become lines; fields and request id are kept', async () => {
  answer = json(422, { message: ['One', 'Two'], code: 'rule', fields: { name: 'Taken' }, requestId: 'r1' })
  const error = await api.create({ name: 'a' }).catch((cause: unknown) => cause)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({
    message: 'One\nTwo',
    call: 'POST /api/sites',
    body: { fields: { name: 'Taken' }, requestId: 'r1' },
  })
})

test('an HTML answer of a proxy is reported by its status', async () => {
  answer = (_, response) => void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad</h1>')
  await expect(api.list()).rejects.toMatchObject({ status: 502, message: 'The server answered 502 Bad Gateway' })
})

test('an unreachable server is reported with a message', async () => {
  answer = (request) => void request.socket.destroy()
  await expect(api.list()).rejects.toMatchObject({
    status: 0,
    body: { code: 'unreachable', requestId: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/) },
  })
})

test('an aborted call is no server error', async () => {
  answer = () => undefined
  const leaving = new AbortController()
  const call = api.list({}, { signal: leaving.signal })
  leaving.abort()
  await expect(call).rejects.not.toBeInstanceOf(ApiError)
})

test('a query key has domain, call and input, so that hints match it', () => {
  expect(api.leave.query({ id: 3 }).queryKey).toEqual(['sites', 'PATCH /sites/:id', { id: 3 }])
  expect(api.list.key).toEqual(['sites', 'GET /sites'])
})
