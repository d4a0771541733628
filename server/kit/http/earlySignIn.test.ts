import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../../testing/testApp.ts'

let t: TestApp
let port: number
beforeAll(async () => {
  t = await openTestApp()
  await t.http.listen({ port: 0, host: '127.0.0.1' })
  port = (t.http.server.address() as AddressInfo).port // the server listens on a TCP port
})
afterAll(() => t.close())

/** Sends only the head of a request with a body of this many bytes; returns the first part of the answer. */
const announce = (path: string, length: number, more = '') =>
  new Promise<string>((done) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('data', (data) => {
      done(String(data))
      socket.destroy()
    })
    const head = `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${length}`
    socket.write(`${head}${more}\r\n\r\n`)
  })

describe('before the body of a call arrives', () => {
  it('a caller without a session is refused', async () => {
    const path = '/api/auth/departments'
    expect(await announce(path, 8_000_000)).toMatch(/^HTTP\/1.1 401 [\s\S]*Sign in first/)
    expect(await announce(path, 8_000_000, '\r\nauthorization: Bearer a.b.c')).toMatch(/^HTTP\/1.1 401 /)
  })
  it('a guest’s body larger than a sign-in needs is refused', async () => {
    expect(await announce('/api/auth/token', 65_537)).toMatch(/^HTTP\/1.1 413 [\s\S]*More than 64 KiB/)
  })
})
