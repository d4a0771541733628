import { createServer, request, type Server } from 'node:http'
import { and, eq, isNull } from 'drizzle-orm'
import type { App } from '../kit/app/app.ts'
import { servers } from '../servers/tables.ts'
import { websites } from './tables.ts'

/**
 * Proxies `http://<domain>.localhost:4480` to a website on a practice server, for a browser on this machine. Loopback
 * only.
 */
export function openPreview(app: App): Promise<Server> {
  const server = createServer((incoming, answer) => {
    const fail = (status: number, text: string) =>
      answer.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text)
    const domain = /^([a-z0-9.-]+)\.localhost(?::\d+)?$/i.exec(incoming.headers.host ?? '')?.[1]?.toLowerCase()
    if (!domain) return fail(404, 'Open http://<domain>.localhost with the domain of a website.\n')
    addressOf(app, domain).then(
      (host) => {
        if (!host) return fail(404, `Innkeeper has no website ${domain}.\n`)
        const headers = { ...incoming.headers, host: domain, connection: 'close' }
        const onward = request(
          { host, port: 80, method: incoming.method, path: incoming.url, headers, timeout: 30_000 },
          (site) => {
            answer.writeHead(site.statusCode ?? 502, ownLinks(site.headers, domain, incoming.headers.host ?? ''))
            site.pipe(answer)
          },
        )
        onward.on('timeout', () => onward.destroy(new Error('no answer in 30 s')))
        onward.on('error', (error) =>
          answer.headersSent ? answer.destroy() : fail(502, `${domain} does not answer: ${error.message}\n`),
        )
        incoming.pipe(onward)
      },
      () => fail(503, 'Ask again.\n'),
    )
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(app.settings.previewPort, '127.0.0.1', () => resolve(server))
  })
}

async function addressOf(app: App, domain: string): Promise<string | null | undefined> {
  const [found] = await app.db
    .select({ address: servers.address })
    .from(websites)
    .innerJoin(servers, eq(servers.id, websites.serverId))
    .where(and(eq(websites.domain, domain), isNull(websites.deletedAt)))
  return found?.address
}

/** Rewrites redirects to the website itself, so that the browser stays in the preview. */
function ownLinks(headers: Record<string, string | string[] | undefined>, domain: string, host: string) {
  const location = typeof headers.location === 'string' ? headers.location : undefined
  const own = location && URL.canParse(location) && new URL(location).hostname === domain
  return own
    ? { ...headers, location: `http://${host}${new URL(location).pathname}${new URL(location).search}` }
    : headers
}
