import { createHash, createHmac } from 'node:crypto'

/** Credentials and destination of a request. */
export interface Signer {
  region: string
  key: string
  secret: string
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text, 'utf8').digest()
const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex')
/** Encodes as AWS does: everything except unreserved characters. */
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

/**
 * Headers of a request with an AWS signature, version 4 (AWS, "Signature Version 4 signing process"). `hash`: SHA-256
 * of the body in hex. `now` may differ by at most 15 minutes from the store's clock.
 */
export function signed(
  { region, key, secret }: Signer,
  method: string,
  url: URL,
  hash: string,
  now: Date,
  headers: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '')
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`
  const sent: Record<string, string> = { ...headers, 'x-amz-content-sha256': hash, 'x-amz-date': time }
  const all = Object.entries({ ...sent, host: url.host }).sort(([a], [b]) => (a < b ? -1 : 1))
  const names = all.map(([name]) => name).join(';')
  const path = url.pathname
    .split('/')
    .map((segment) => encode(decodeURIComponent(segment)))
    .join('/')
  const query = [...url.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')
  const canonical = [method, path, query, ...all.map(([name, value]) => `${name}:${value.trim()}`), '', names, hash]
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical.join('\n'))].join('\n')
  const signing = [region, 's3', 'aws4_request'].reduce(hmac, hmac(`AWS4${secret}`, time.slice(0, 8)))
  const signature = hmac(signing, toSign).toString('hex')
  return {
    ...sent,
    authorization: `AWS4-HMAC-SHA256 Credential=${key}/${scope},SignedHeaders=${names},Signature=${signature}`,
  }
}
