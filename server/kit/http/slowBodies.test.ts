import { type AddressInfo, connect, type Socket } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { letPass } from '../../../bin/pass.ts'
import { endSlowBodies } from './slowBodies.ts'

const servers: FastifyInstance[] = []
const open: Socket[] = []
async function serve(windowS: number): Promise<FastifyInstance> {
  const server = Fastify()
  servers.push(server)
  endSlowBodies(server, { windowS, bytesPerS: 1_000, wholeS: 0.8, lookMs: 50 })
  server.addContentTypeParser('application/octet-stream', (_request, body, done) => {
    body.resume().on('end', () => done(null, 'whole'))
  })
  server.post('/', async ({ body }) => ({ body }))
  await server.listen({ port: 0, host: '127.0.0.1' })
  return server
}
let strict: FastifyInstance
beforeAll(async () => {
  strict = await serve(0.2)
})
afterAll(async () => {
  for (const socket of open) socket.destroy()
  for (const server of servers) await server.close()
})

/** Sends a body in pieces; returns the answer, or '' if the connection was closed without one. */
async function drip(
  type: string,
  piece: string,
  pieces: number,
  pauseMs: number,
  first = '',
  server = strict,
): Promise<string> {
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1') // the server listens on a TCP port
  open.push(socket)
  let text = ''
  socket.on('data', (data) => {
    text += data
  })
  socket.on('error', () => {}) // the server closes the connection while the test writes
  const closed = new Promise((resolve) => socket.on('close', resolve))
  const head = `POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: ${type}`
  socket.write(`${head}\r\ncontent-length: ${first.length + piece.length * pieces}\r\n\r\n${first}`)
  for (let n = 0; n < pieces && !socket.destroyed; n++) {
    socket.write(piece)
    await letPass(pauseMs, 'a slow client')
  }
  await closed
  return text
}

describe('a body', () => {
  it('that arrives too slowly gets its connection closed, whatever its type', async () => {
    expect(await drip('application/json', ' ', 500, 20)).toBe('')
    expect(await drip('application/octet-stream', 'x', 500, 20)).toBe('')
  })
  it('gains no time for a slow rest by a fast beginning', async () => {
    expect(await drip('application/octet-stream', 'x', 500, 20, 'x'.repeat(1_000_000))).toBe('')
  })
  it('that is not an upload must be complete within a time limit, at any speed', async () => {
    expect(await drip('application/json', ' '.repeat(200), 500, 20)).toBe('')
  })
  it('of an upload may take long if it is fast enough', async () => {
    // a busy machine pauses the sender, and the window covers its pauses
    const patient = await serve(2)
    expect(await drip('application/octet-stream', 'x'.repeat(500), 30, 80, '', patient)).toContain('whole')
  })
})
