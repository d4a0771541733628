import { type IncomingMessage, request, STATUS_CODES } from 'node:http'
import { request as tlsRequest } from 'node:https'
import type { Duplex } from 'node:stream'
import type { App } from '../../../kit/app/app.ts'
import { requestHeaders, responseHeaders } from './headers.ts'
import { fromPreview, type Previewed } from './rewriting.ts'
import { siteOf } from './site.ts'

const ANSWER_MS = 30_000

interface Asked {
  domain: string
  suffix: string
  ports: { http: number; https: number }
}

/** Forwards a WebSocket to its website, under the website's name. Messages are unchanged. */
export async function passWebSocket(
  app: Pick<App, 'db'>,
  incoming: IncomingMessage,
  browser: Duplex,
  head: Buffer,
  { domain, suffix, ports }: Asked,
): Promise<void> {
  browser.on('error', () => browser.destroy())
  if (incoming.headers.upgrade?.toLowerCase() !== 'websocket' || !incoming.url?.startsWith('/'))
    return refuse(browser, 400, 'Ask for a WebSocket.')
  const site = await siteOf(app, domain)
  if (!site) return refuse(browser, 404, `Innkeeper has no website ${domain}.`)
  const previewed: Previewed = { names: site.names, https: site.https, suffix }
  const to = {
    ...{ host: site.address, path: fromPreview(previewed)(incoming.url), timeout: ANSWER_MS, agent: false as const },
    headers: {
      ...requestHeaders(incoming.headers, domain, previewed),
      ...{ connection: 'Upgrade', upgrade: 'websocket' },
    },
  }
  const onward = site.https
    ? tlsRequest({ ...to, port: ports.https, servername: domain, rejectUnauthorized: false })
    : request({ ...to, port: ports.http })
  onward.on('timeout', () => onward.destroy(new Error(`no answer in ${ANSWER_MS / 1000} s`)))
  onward.on('error', (error) => refuse(browser, 502, `${domain} does not answer: ${error.message}`))
  browser.on('close', () => onward.destroy())
  onward.on('response', (heard) => {
    heard.resume()
    refuse(browser, heard.statusCode ?? 502, `${domain} opens no WebSocket here.`)
  })
  onward.on('upgrade', (heard, website, first) => {
    website.setTimeout(0) // connections may be idle for a long time
    website.on('error', () => browser.destroy())
    website.on('close', () => browser.destroy())
    browser.on('close', () => website.destroy())
    const shown = { ...responseHeaders(heard.headers, previewed), connection: 'Upgrade', upgrade: 'websocket' }
    const lines = Object.entries(shown).flatMap(([name, value]) => [value].flat().map((one) => `${name}: ${one}`))
    browser.write(`HTTP/1.1 101 ${STATUS_CODES[101]}\r\n${lines.join('\r\n')}\r\n\r\n`)
    if (first.length) browser.write(first)
    if (head.length) website.write(head)
    website.pipe(browser).pipe(website)
  })
  onward.end()
}

function refuse(browser: Duplex, status: number, text: string): void {
  if (browser.destroyed || browser.writableEnded) return
  const said = Buffer.from(`${text}\n`)
  const head = ['content-type: text/plain; charset=utf-8', `content-length: ${said.length}`, 'connection: close']
  browser.write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Refused'}\r\n${head.join('\r\n')}\r\n\r\n`)
  browser.end(said)
}
