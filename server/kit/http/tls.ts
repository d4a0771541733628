import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createSecure, type Server as SecureServer } from 'node:https'

/** A chain and its private key, both in PEM. */
export interface Pair {
  cert: string
  key: string
}

/** The certificate of an https server, which may be exchanged while the server listens. */
export interface Tls {
  serve(handler: RequestListener): SecureServer
  use(pair: Pair): void
  /** When the certificate in use ends. */
  endsAt(): Date
}

export function openTls(first: Pair): Tls {
  let pair = first
  let server: SecureServer | undefined
  return {
    serve(handler) {
      server = createSecure({ ...pair, minVersion: 'TLSv1.2' }, handler)
      return server
    },
    use(next) {
      if (next.cert === pair.cert && next.key === pair.key) return
      server?.setSecureContext({ ...next, minVersion: 'TLSv1.2' })
      pair = next
    },
    endsAt: () => new Date(new X509Certificate(pair.cert).validTo),
  }
}

/** Reads a certificate of the operator. Throws with the setting that is wrong. */
export function readPair({ certificate, key }: { certificate: string; key: string }): Pair {
  const pair = { cert: textOf('INNKEEPER_CERTIFICATE', certificate), key: textOf('INNKEEPER_CERTIFICATE_KEY', key) }
  const problem = problemOf(pair)
  if (problem) throw new Error(problem)
  return pair
}

function textOf(setting: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Error(`${setting}: ${error instanceof Error ? error.message : error}`)
  }
}

/** Why a server cannot use the pair; undefined if it can. */
function problemOf({ cert, key }: Pair): string | undefined {
  try {
    const probe = createSecure({ cert, key }) // OpenSSL judges both
    probe.close()
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error)
    if (/key values mismatch/.test(said)) return 'INNKEEPER_CERTIFICATE_KEY is not the key of INNKEEPER_CERTIFICATE'
    return `INNKEEPER_CERTIFICATE or INNKEEPER_CERTIFICATE_KEY is no PEM file that OpenSSL reads: ${said}`
  }
  return undefined
}

const LOOK_MS = 30_000

/** Takes over changed files of the operator. A pair that does not fit is named in the log, and the former one stays. */
export function followFiles(tls: Tls, files: { certificate: string; key: string }, failed: (error: unknown) => void) {
  let said = ''
  const look = () => {
    try {
      tls.use(readPair(files))
      said = ''
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      if (reason !== said) failed(error) // certbot writes one file after the other: the next look finds both
      said = reason
    }
  }
  const timer = setInterval(look, LOOK_MS)
  timer.unref()
  return { look, stop: () => clearInterval(timer) }
}

/**
 * The port for http: leads browsers to https, and answers the certificate authority. `answer` knows the contents of
 * challenges.
 */
export function openRedirect(
  to: { name: string | undefined; port: number },
  answer: (token: string) => Promise<string>,
): Server {
  return createServer((request, response) => {
    const token = /^\/\.well-known\/acme-challenge\/([\w-]{1,200})$/.exec(request.url ?? '')?.[1]
    if (token) {
      answer(token).then(
        (text) => response.writeHead(200, { 'content-type': 'text/plain' }).end(text),
        () => response.writeHead(503).end(),
      )
      return
    }
    const given = (request.headers.host ?? '').replace(/:\d+$/, '')
    const host = to.name ?? given
    if (!/^[a-z0-9.[\]:-]{1,253}$/i.test(host)) return void response.writeHead(400).end()
    const path = /^\/[\x21-\x7e]*$/.test(request.url ?? '') && !request.url?.startsWith('//') ? request.url : '/'
    const location = `https://${host}${to.port === 443 ? '' : `:${to.port}`}${path}`
    response.writeHead(308, { location, 'content-length': 0 }).end()
  })
}
