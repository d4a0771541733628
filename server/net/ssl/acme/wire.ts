import type { IncomingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import { rootCertificates } from 'node:tls'
import { lookupPatiently } from '../../../kit/outgoing/patientLookup.ts'

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}
interface Asked {
  method: 'GET' | 'HEAD' | 'POST'
  body?: string
  /** PEM of an authority's private root certificate, trusted in addition to the public roots. */
  ca?: string | undefined
  signal?: AbortSignal | undefined
}

const TIMEOUT_MS = 20_000
const LOOKUP_MS = 40_000
const MOST_BYTES = 1_048_576

/** Sends one request over verified TLS. Rejects with the network error; resolves for every HTTP status. */
export function ask(url: string, { method, body, ca, signal }: Asked): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(
      url,
      {
        method,
        headers: { 'user-agent': 'Innkeeper', ...(body !== undefined && { 'content-type': 'application/jose+json' }) },
        agent: false,
        lookup: lookupPatiently,
        ...(ca && { ca: [...rootCertificates, ca] }),
        ...(signal && { signal }),
      },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (part: string) => {
          text += part
          if (text.length > MOST_BYTES) answer.destroy(new Error('the answer is longer than 1 MiB'))
        })
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }))
        answer.on('error', reject)
      },
    )
    const within = (ms: number) => setTimeout(() => asked.destroy(new Error(`no answer in ${ms / 1000} s`)), ms)
    let late = within(LOOKUP_MS + TIMEOUT_MS)
    // a slow resolver takes nothing of the time of the authority
    asked.on('socket', (socket) =>
      socket.once('lookup', () => {
        clearTimeout(late)
        late = within(TIMEOUT_MS)
      }),
    )
    asked.on('error', reject)
    asked.on('close', () => clearTimeout(late))
    asked.end(body)
  })
}
