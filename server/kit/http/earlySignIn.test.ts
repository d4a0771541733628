import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openTestApp, type TestApp } from '../../test/app.ts'

let t: TestApp
let port: number
beforeAll(async () => {
  t = await openTestApp()
  await t.http.listen({ port: 0, host: '127.0.0.1' })
  port = (t.http.server.address() as AddressInfo).port // the server listens on a TCP port
})
afterAll(() => t.close())

/** Sends a body on a connection that closes after the answer, as nginx does; returns the answer. */
const send = (path: string, body: string, headers: Record<string, string> = {}) =>
  new Promise<{ status: number | undefined; text: string }>((done, failed) => {
    const type = { 'content-type': 'application/json', 'content-length': body.length }
    const sent = request({ port, path, method: 'POST', agent: false, headers: { ...type, ...headers } }, (answer) => {
      let text = ''
      answer.on('data', (data) => {
        text += data
      })
      answer.on('end', () => done({ status: answer.statusCode, text }))
    })
    sent.on('error', failed).end(body)
  })
const path = '/api/auth/departments'
const large = `{"name":"${'x'.repeat(7_000_000)}"}`

describe('a call without a session', () => {
  it('is refused without parsing its body, and the sender reads the answer', async () => {
    const parse = vi.spyOn(JSON, 'parse')
    for (const headers of [undefined, { authorization: 'Bearer a.b.c' }])
      expect((await send(path, large, headers)).status).toBe(401)
    expect(parse.mock.calls.filter(([text]) => text.length > 1_000_000)).toEqual([])
    parse.mockRestore()
    expect(await send(path, 'no JSON')).toMatchObject({ status: 401, text: expect.stringContaining('Sign in first') })
  })
  it('takes 64 KiB where guests may call', async () => {
    const body = JSON.stringify({ user: 'x'.repeat(66_000), password: 'x' })
    expect(await send('/api/auth/token', body)).toMatchObject({
      status: 413,
      text: expect.stringContaining('More than 64 KiB'),
    })
  })
})
