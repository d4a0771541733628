import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { TLSSocket } from 'node:tls'
import { patience } from '../../../kit/host.ts'

/** What a visitor gets, as far as two answers of one website have in common. */
export interface Answer {
  from: string
  status: number
  location: string
  type: string
  title: string
  bytes: number
  /** Fingerprint of the certificate; empty over http. */
  certificate: string
}
const MOST_BYTES = 1_048_576
const MOST_OTHERS = 8
/** A page with a date or a token of its own differs a little at each request. */
const SAME_PART = 0.1
const SAME_BYTES = 200

/** Asks a website by its names over each way that a visitor may come. A way without an answer is status 0. */
export async function answersOf(
  [domain = '', ...others]: readonly string[],
  { ports, addresses }: { ports: readonly number[]; addresses: readonly string[] },
): Promise<Answer[]> {
  const found: Answer[] = []
  for (const address of addresses)
    for (const port of ports)
      found.push(
        await ask({ address, port, path: '/' }, domain),
        await ask({ address, port, path: '/no-such-page-of-this-website' }, domain),
        ...(await Promise.all(others.slice(0, MOST_OTHERS).map((name) => ask({ address, port, path: '/' }, name)))),
      )
  return found
}

/** The first difference that a visitor would notice, in words. */
export function difference(before: readonly Answer[], after: readonly Answer[]): string | undefined {
  for (const was of before) {
    if (!was.status) continue
    const is = after.find(({ from }) => from === was.from)
    if (!is?.status) return `${was.from} no longer answers`
    for (const what of ['status', 'location', 'type', 'title'] as const)
      if (is[what] !== was[what]) return `${was.from} has the ${what} “${is[what]}” instead of “${was[what]}”`
    // error pages of web servers differ, and nobody relies on them
    if (was.status < 400 && Math.abs(is.bytes - was.bytes) > Math.max(SAME_BYTES, was.bytes * SAME_PART))
      return `${was.from} has ${is.bytes} bytes instead of ${was.bytes}`
  }
  return undefined
}

/** Whether a redirect only leads from http to https. */
const isSelf = (location: string, host: string) => location.startsWith(`https://${host}/`)

function ask({ address, port, path }: { address: string; port: number; path: string }, host: string): Promise<Answer> {
  const from = `${port === 443 ? 'https' : 'http'}://${host}${path} at ${address}`
  const none: Answer = { from, status: 0, location: '', type: '', title: '', bytes: 0, certificate: '' }
  return new Promise((resolve) => {
    const settings = {
      ...{ host: address, port, path, agent: false, timeout: patience.silenceMs },
      headers: { host, 'user-agent': 'Innkeeper' },
      // a certificate of any kind is fine, as long as it stays the same
      ...(port === 443 && { servername: host, rejectUnauthorized: false }),
    }
    const asked = (port === 443 ? httpsRequest : httpRequest)(settings, (answer) => {
      const { socket } = answer
      const certificate = socket instanceof TLSSocket ? (socket.getPeerX509Certificate()?.fingerprint256 ?? '') : ''
      let [text, bytes] = ['', 0]
      answer.on('data', (part: Buffer) => {
        bytes += part.length
        if (text.length < 65_536) text += part.toString('utf8')
        if (bytes > MOST_BYTES) answer.destroy()
      })
      answer.on('close', () => {
        const { location = '', 'content-type': type = '' } = answer.headers
        const isPage = (answer.statusCode ?? 0) < 400
        resolve({
          // whether a redirect goes over https first makes no difference to where it ends
          ...{
            from,
            status: answer.statusCode ?? 0,
            location: isSelf(location, host) ? location : location.replace(/^https?:/, ''),
            ...{ bytes, certificate },
          },
          type: isPage ? (type.split(';')[0] ?? '').trim() : '',
          title: isPage ? (/<title[^>]{0,200}>([^<]{0,300})/i.exec(text)?.[1] ?? '').trim() : '',
        })
      })
      answer.on('error', () => undefined) // `close` follows
    })
    asked.on('timeout', () => asked.destroy(new Error('no answer')))
    asked.on('error', () => resolve(none))
    asked.end()
  })
}
