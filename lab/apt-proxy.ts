import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { join } from 'node:path'
import { finished, pipeline } from 'node:stream/promises'
import { debianSources, machineSources, type Source } from './sources.ts'

export const aptProxyPort = 3142

export type AptProxy = { close: () => Promise<void> }

/**
 * HTTP proxy with which practice hosts, which have no route to the outside, install packages. Answers GET and HEAD for
 * the hosts in the apt sources of this machine and nothing else. Several processes of one lab may listen on the same
 * port. The folder `kept` caches downloaded packages for other hosts.
 */
export async function openAptProxy(
  address: string,
  { port = aptProxyPort, kept }: { port?: number; kept?: string } = {},
): Promise<AptProxy> {
  if (kept) await mkdir(kept, { recursive: true })
  const allowed = new Map((await allSources()).map(({ uri }) => [uri.host, uri.protocol]))
  const server = createServer((request, response) => {
    forward({ allowed, kept }, request, response).catch((error) => {
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

type Rules = { allowed: Map<string, string>; kept: string | undefined }

async function forward({ allowed, kept }: Rules, request: IncomingMessage, response: ServerResponse) {
  const target = URL.parse(request.url ?? '')
  const protocol = target && allowed.get(target.host)
  if (!target || !protocol) return refuse(response, 403, 'This host is not among the package sources of the machine')
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return refuse(response, 405, 'Only GET and HEAD are allowed')
  // the file name of a package contains its version: a downloaded file never changes
  const plain = request.method === 'GET' && !request.headers.range && target.pathname.endsWith('.deb')
  const file = kept && plain ? join(kept, createHash('sha256').update(target.href).digest('hex')) : undefined
  if (file && existsSync(file)) {
    const length = (await stat(file)).size
    response.writeHead(200, { 'content-type': 'application/vnd.debian.binary-package', 'content-length': length })
    return await pipeline(createReadStream(file), response)
  }
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
  if (!file || answer.statusCode !== 200) return await pipeline(answer, response)
  const aside = `${file}.${randomUUID()}`
  try {
    // incomplete downloads are not kept; apt itself compares each package with the checksum in its lists
    const keep = createWriteStream(aside)
    await pipeline(
      answer,
      async function* (parts) {
        for await (const part of parts) {
          if (!keep.write(part)) await once(keep, 'drain')
          yield part
        }
      },
      response,
    )
    keep.end()
    await finished(keep)
    if ((await stat(aside)).size === Number(answer.headers['content-length'])) await rename(aside, file)
  } finally {
    await rm(aside, { force: true })
  }
}

function refuse(response: ServerResponse, status: number, reason: string): void {
  response.writeHead(status, { 'content-type': 'text/plain' }).end(`${reason}\n`)
}
