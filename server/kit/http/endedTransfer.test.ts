import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { get, post } from '@innkeeper/contract/kit/endpoint'
import { binary, file, MiB } from '@innkeeper/contract/kit/transfer'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { letPass } from '../../../bin/pass.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { bind } from './api.ts'

/** Transfers that run when the rights of their person end in the database, without a NOTIFY. */
const scope = 'website:website:read'
const Length = z.object({ length: z.int() })
const calls = {
  endless: get('/test/endless', scope, { summary: '', returns: binary }),
  form: post('/test/form', scope, { summary: '', form: { paper: file({ bytes: MiB }) }, returns: Length }),
  content: post('/test/content', scope, { summary: '', effect: 'stream', content: { bytes: MiB }, returns: Length }),
}
async function* endless() {
  for (;;) {
    yield 'x'
    await letPass(20, 'an endless answer has pauses')
  }
}

let t: TestApp
let port: number
let done = 0
/** Bytes of the current upload that the call has read. */
let read = 0
beforeAll(async () => {
  t = await openTestApp(undefined, (http, app) =>
    bind(http, app, 'test', calls, {
      endless: async () => ({ name: 'endless.txt', type: 'text/plain', parts: endless() }) as never, // not a Blob
      async form({ paper }) {
        done = paper.size
        return { length: done }
      },
      async content({ content }) {
        for await (const bytes of content) read += bytes.length
        done = read
        return { length: read }
      },
    }),
  )
  await t.http.listen({ port: 0, host: '127.0.0.1' })
  port = (t.http.server.address() as AddressInfo).port // the server listens on a TCP port
})
afterAll(() => t.close())

const role = (id: number) => sql`(select role_id from users where user_id = ${id})`
const ends = {
  session: (id: number) => sql`update sessions set revoked_at = now() where user_id = ${id}`,
  permission: (id: number) => sql`update roles set scopes = '{}' where role_id = ${role(id)}`,
}

it.each(Object.entries(ends))('a download ends after the end of the %s', async (_, change) => {
  const { id, token } = await t.somebody([scope])
  const headers = { authorization: `Bearer ${token}` }
  const { body } = await fetch(`http://127.0.0.1:${port}/api/test/endless`, { headers })
  const reader = body!.getReader()
  expect((await reader.read()).done).toBe(false)
  await t.app.db.execute(change(id))
  const rest = async () => {
    while (!(await reader.read()).done);
  }
  await expect(rest()).rejects.toThrow()
})

const boundary = 'limit'
const bodies = {
  form: `--${boundary}\r\ncontent-disposition: form-data; name="paper"; filename="a.txt"\r\n\r\n${'x'.repeat(9000)}\r\n--${boundary}--\r\n`,
  content: 'x'.repeat(9000),
}
const types = { form: `multipart/form-data; boundary=${boundary}`, content: 'application/octet-stream' }
it.each([
  ['form', 'session', 401],
  ['form', 'permission', 403],
  ['content', 'session', 401],
] as const)('an upload as %s is refused after the end of the %s', async (kind, what, expected) => {
  const { id, token } = await t.somebody([scope])
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': types[kind],
    'content-length': bodies[kind].length,
  }
  const sent = request({ port, path: `/api/test/${kind}`, method: 'POST', headers })
  const status = new Promise<number | undefined>((got, failed) => {
    sent.on('response', (answer) => got(answer.resume().statusCode)).on('error', failed)
  })
  done = 0
  read = 0
  const judged = vi.spyOn(t.app.sessions, 'authenticate')
  sent.write(bodies[kind].slice(0, 5000))
  // before the body, and by the call itself
  await expect.poll(() => judged.mock.calls.length).toBe(2)
  judged.mockRestore()
  if (kind === 'content') await expect.poll(() => read).toBeGreaterThan(0)
  await t.app.db.execute(ends[what](id))
  if (kind === 'content') await letPass(1100, 'rights are checked again after a second')
  sent.end(bodies[kind].slice(5000))
  expect([await status, done]).toEqual([expected, 0])
})
