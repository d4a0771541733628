import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { request as tlsRequest } from 'node:https'
import type { App } from '../../../kit/app/app.ts'
import { readForm } from './form.ts'
import { requestHeaders } from './headers.ts'
import { pass } from './pass.ts'
import { fromPreview, type Previewed } from './rewriting.ts'
import { siteOf } from './site.ts'
import { passWebSocket } from './webSocket.ts'

const ANSWER_MS = 30_000
const hostPattern = /^((?:[a-z0-9_-]{1,63}\.){1,20}[a-z0-9-]{1,63})(\.localhost(?::\d{1,5})?)$/i

/**
 * Serves websites at `http://<domain>.localhost:4480` to a browser on this machine, on loopback only, for applications
 * that depend on their own name: the website is requested under its name, over https if it serves https, and its names
 * are replaced by those of the preview and back. Only websites in Innkeeper are requested, and only from their server.
 */
export function openPreview(
  app: Pick<App, 'db' | 'settings' | 'log'>,
  ports = { http: 80, https: 443 },
): Promise<Server> {
  const server = createServer((incoming, answer) => {
    const [, name, suffix] = hostPattern.exec(incoming.headers.host ?? '') ?? []
    if (!name || !suffix) return fail(answer, 404, 'Open http://<domain>.localhost with the domain of a website.')
    // an absolute URL could name another host than the one that was looked up
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
  // certificates of practice servers are self-signed or from a test authority, so only the address identifies the
  // server
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

/** True if the answer redirects to the same page over https, which would be an endless loop in the preview. */
function wantsHttps({ statusCode = 0, headers }: IncomingMessage, { names }: Previewed, incoming: IncomingMessage) {
  if (statusCode < 300 || statusCode >= 400 || !URL.canParse(headers.location ?? '')) return false
  const { protocol, hostname, pathname, search } = new URL(headers.location ?? '')
  return protocol === 'https:' && names.includes(hostname) && `${pathname}${search}` === incoming.url
}

function fail(answer: ServerResponse, status: number, text: string, heard?: IncomingMessage): void {
  heard?.resume()
  answer.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`)
}
