import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isWhole } from '../bin/slice.ts'
import { Innkeeper } from './innkeeper.ts'

/** The specification requires 10,000 messages in 60 s. A short run sends a tenth. */
export const MESSAGES = isWhole ? 10_000 : 1000

/** A gateway on this machine, which accepts each message (with `keys`, once per key) and answers after `delayMs`. */
async function openGateway(keys: boolean, delayMs: number) {
  const sent = new Map<string, number>()
  const known = new Set<string>()
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const key = String(request.headers['idempotency-key'] ?? '')
      const to = keys
        ? String(JSON.parse(String(Buffer.concat(parts))).to)
        : (new URL(request.url ?? '/', 'http://gateway').searchParams.get('to') ?? '')
      if (!keys || !known.has(key)) sent.set(to, (sent.get(to) ?? 0) + 1)
      known.add(key)
      setTimeout(() => response.writeHead(202, { connection: 'close' }).end(keys ? '{}' : '0: Accepted'), delayMs)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    sent,
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** An Innkeeper that sends by such a gateway. `close` ends both. */
export async function openTexts(gateway: 'http' | 'kannel', delayMs: number) {
  const line = await openGateway(gateway === 'http', delayMs)
  const innkeeper = await Innkeeper.open()
  await innkeeper.must('PATCH', '/sms/settings', { gateway, url: line.url, username: 'ink', secret: 'of-the-gateway' })
  const numbers = Array.from({ length: MESSAGES }, (_, n) => `+4790${String(100_000 + n)}`)
  return {
    ...{ line, innkeeper, numbers },
    send: (): Promise<{ id: number }> =>
      innkeeper.must('POST', '/sms/messages', { to: numbers, body: 'web-1 is down' }),
    /** Number of messages of a batch by status. */
    async countsOf(id: number) {
      const { items } = await innkeeper.must('GET', '/sms/batches?itemsPerPage=10')
      return items.find((one: { id: number }) => one.id === id).counts
    },
    async close() {
      await innkeeper.close()
      line.close()
    },
  }
}
export type Texts = Awaited<ReturnType<typeof openTexts>>
