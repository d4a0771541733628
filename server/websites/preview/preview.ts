import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { pipeline, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip } from 'node:zlib'
import type { App } from '../../kit/app/app.ts'
import { readForm } from './form.ts'
import { requestHeaders, responseHeaders } from './headers.ts'
import { fromPreview, type Previewed, previewStream } from './rewriting.ts'
import { siteOf } from './site.ts'
import { passWebSocket } from './webSocket.ts'

const ANSWER_MS = 30_000
const hostPattern = /^((?:[a-z0-9_-]{1,63}\.){1,20}[a-z0-9-]{1,63})(\.localhost(?::\d{1,5})?)$/i
/** Types whose URLs are rewritten. Events are not: they must not wait for the next ones. */
const rewritten =
  /^(?:text\/(?!event-stream)[\w.+-]+|application\/(?:[\w.-]+\+)?(?:json|xml|javascript|x-javascript)|image\/svg\+xml)(?:;|$)/i

const isPage = /^(?:text\/html|application\/xhtml\+xml)(?:;|\s|$)/i

/**
 * Shows websites at `http://<domain>.localhost:4480` to a browser on this machine, loopback only, so that an application
 * that knows its own name works: the website is requested under its name, over https where it serves https, and its
 * names are turned into those of the preview and back. Only websites of ours are requested, and only from their server.
 */
export function openPreview(
  app: Pick<App, 'db' | 'settings' | 'log'>,
  ports = { http: 80, https: 443 },
): Promise<Server> {
  const server = createServer((incoming, answer) => {
    const [, name, suffix] = hostPattern.exec(incoming.headers.host ?? '') ?? []
    if (!name || !suffix) return fail(answer, 404, 'Open http://<domain>.localhost with the domain of a website.')
    // an absolute URL would name another host than the one looked up
    if (!incoming.url?.startsWith('/')) return fail(answer, 400, 'Send a path.')
    const domain = name.toLowerCase()
    const asked = { domain, suffix: suffix.toLowerCase(), ports }
    show(app, incoming, answer, asked).catch((error: unknown) => {
      app.log.error({ err: error, domain }, 'the preview failed')
      if (answer.headersSent) answer.destroy()
      else
        fail(answer, 503, `The preview of ${domain} failed. Load the page again; the cause is in the log of Innkeeper.`)
    })
  })
  server.on('upgrade', (incoming, socket, head) => {
    const [, name, suffix] = hostPattern.exec(incoming.headers.host ?? '') ?? []
    if (!name || !suffix) return void socket.destroy()
    const asked = { domain: name.toLowerCase(), suffix: suffix.toLowerCase(), ports }
    passWebSocket(app, incoming, socket, head, asked).catch((error: unknown) => {
      app.log.error({ err: error, domain: asked.domain }, 'the preview of a WebSocket failed')
      socket.destroy()
    })
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(app.settings.previewPort, '127.0.0.1', () => resolve(server))
  })
}

interface Asked {
  domain: string
  suffix: string
  ports: { http: number; https: number }
}

async function show(
  app: Pick<App, 'db'>,
  incoming: IncomingMessage,
  answer: ServerResponse,
  { domain, suffix, ports }: Asked,
): Promise<void> {
  const site = await siteOf(app, domain)
  if (!site) return fail(answer, 404, `Innkeeper has no website ${domain}.`)
  const previewed: Previewed = { names: site.names, https: site.https, suffix }
  const form = await readForm(incoming, previewed)
  const headers = requestHeaders(incoming.headers, domain, previewed)
  if (form.text) headers['content-length'] = form.text.length
  const to = {
    ...{ host: site.address, method: incoming.method, path: fromPreview(previewed)(incoming.url ?? '/'), headers },
    ...{ timeout: ANSWER_MS, agent: false as const },
  }
  const hear = (heard: IncomingMessage) => {
    if (!site.https && wantsHttps(heard, previewed, incoming))
      return void fail(
        answer,
        502,
        `${domain} sends visitors to https, and ${site.serverName} serves http only.`,
        heard,
      )
    pass(incoming, heard, answer, previewed)
  }
  // the certificates of practice servers are self-signed or of a test authority: the address says who answers
  const onward = site.https
    ? tlsRequest({ ...to, port: ports.https, servername: domain, rejectUnauthorized: false }, hear)
    : request({ ...to, port: ports.http }, hear)
  onward.on('timeout', () => onward.destroy(new Error(`no answer in ${ANSWER_MS / 1000} s`)))
  onward.on('error', (error) =>
    answer.headersSent ? answer.destroy() : fail(answer, 502, `${domain} does not answer: ${error.message}`),
  )
  answer.on('close', () => onward.destroy())
  if (form.text) onward.end(form.text)
  else {
    for (const part of form.read) onward.write(part)
    incoming.pipe(onward)
  }
}

/** Passes the answer on; texts with their URLs rewritten, everything else byte for byte. */
function pass(incoming: IncomingMessage, heard: IncomingMessage, answer: ServerResponse, previewed: Previewed): void {
  const { statusCode: status = 502, headers } = heard
  const unpack = unpacking(headers['content-encoding'])
  const isText =
    unpack !== undefined &&
    rewritten.test(headers['content-type'] ?? '') &&
    !/charset=utf-(16|32)/i.test(headers['content-type'] ?? '') &&
    !/^\s*attachment\b/i.test(headers['content-disposition'] ?? '') &&
    status !== 206
  const shown = responseHeaders(headers, previewed)
  if (!isText) {
    answer.writeHead(status, shown)
    pipeline(heard, answer, () => {})
    return
  }
  for (const name of ['content-length', 'content-encoding', 'accept-ranges', 'content-md5', 'digest'])
    delete shown[name]
  answer.writeHead(status, shown)
  if (incoming.method === 'HEAD' || status === 204 || status === 304) {
    heard.resume()
    answer.end()
    return
  }
  pipeline(
    [heard, ...unpack, previewStream(previewed, { isPage: isPage.test(headers['content-type'] ?? '') }), answer],
    () => {},
  )
}

/** The streams that unpack an encoding; undefined: one that was not asked for. */
function unpacking(encoding = 'identity'): Transform[] | undefined {
  switch (encoding.trim().toLowerCase()) {
    case 'identity':
      return []
    case 'gzip':
    case 'x-gzip':
      return [createGunzip()]
    case 'br':
      return [createBrotliDecompress()]
    default:
      return undefined
  }
}

/** Whether the answer is a redirect to the same page over https, which the preview would follow for ever. */
function wantsHttps({ statusCode = 0, headers }: IncomingMessage, { names }: Previewed, incoming: IncomingMessage) {
  if (statusCode < 300 || statusCode >= 400 || !URL.canParse(headers.location ?? '')) return false
  const { protocol, hostname, pathname, search } = new URL(headers.location ?? '')
  return protocol === 'https:' && names.includes(hostname) && `${pathname}${search}` === incoming.url
}

function fail(answer: ServerResponse, status: number, text: string, heard?: IncomingMessage): void {
  heard?.resume()
  answer.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`)
}
