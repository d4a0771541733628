import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { pipeline } from 'node:stream/promises'
import { debianSources, machineSources, type Source } from './sources.ts'

export const aptProxyPort = 3142

export type AptProxy = { close: () => Promise<void> }

/**
 * HTTP proxy with which practice hosts, which have no route to the outside, install packages. Answers GET and HEAD for
 * the hosts in the apt sources of this machine and nothing else. Several processes of one lab may listen on the same
 * port.
 */
export async function openAptProxy(address: string, port = aptProxyPort): Promise<AptProxy> {
  const allowed = new Map((await allSources()).map(({ uri }) => [uri.host, uri.protocol]))
  const server = createServer((request, response) => {
    forward(allowed, request, response).catch((error) => {
      if (response.headersSent) return response.destroy() // apt notices the broken connection and retries
      refuse(response, 502, `The package source did not answer: ${error instanceof Error ? error.message : error}`)
    })
  })
  server.on('connect', (_request, socket) => socket.end('HTTP/1.1 405 Only GET and HEAD are allowed\r\n\r\n'))
  server.listen({ host: address, port, reusePort: true })
  await once(server, 'listening')
  return {
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function allSources(): Promise<Source[]> {
  return [...(await machineSources()), ...(await debianSources())]
}

async function forward(allowed: Map<string, string>, request: IncomingMessage, response: ServerResponse) {
  const target = URL.parse(request.url ?? '')
  const protocol = target && allowed.get(target.host)
  if (!target || !protocol) return refuse(response, 403, 'This host is not among the package sources of the machine')
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return refuse(response, 405, 'Only GET and HEAD are allowed')
  const { connection, 'proxy-connection': _, 'proxy-authorization': __, ...headers } = request.headers
  const ask = protocol === 'https:' ? httpsRequest : httpRequest
  const { host, hostname, port, pathname, search } = target
  const onward = ask({
    hostname,
    port,
    path: pathname + search,
    method: request.method,
    headers: { ...headers, host },
    timeout: 30_000,
  })
  onward.on('timeout', () => onward.destroy(new Error('no answer within 30 s')))
  response.on('close', () => onward.destroy())
  onward.end()
  const [answer] = (await once(onward, 'response')) as [IncomingMessage] // this event has one argument
  response.writeHead(answer.statusCode ?? 502, answer.headers)
  await pipeline(answer, response)
}

function refuse(response: ServerResponse, status: number, reason: string): void {
  response.writeHead(status, { 'content-type': 'text/plain' }).end(`${reason}\n`)
}
