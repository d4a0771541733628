import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Got {
  url: URL
  headers: IncomingMessage['headers']
  body: string
}
/** Reaction of the gateway to a request: answer, drop the connection after reading it, or never answer. */
export type GatewayAnswer = { status: number; text: string } | 'drop' | 'silence'

/** A gateway on this machine that records its requests. */
export async function openGateway(act: (got: Got, before: readonly Got[]) => GatewayAnswer) {
  const got: Got[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const one = {
        url: new URL(request.url ?? '/', 'http://gateway'),
        headers: request.headers,
        body: String(Buffer.concat(parts)),
      }
      const answer = act(one, got)
      got.push(one)
      if (answer === 'drop') request.socket.destroy()
      else if (answer !== 'silence') response.writeHead(answer.status, { connection: 'close' }).end(answer.text)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    got,
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
