import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import type { Settings } from '../app/settings.ts'
import { Full, joinParts, type Storage } from './storage.ts'

const TRIES = 4
const SECONDS = 60
const nothing = createHash('sha256').update('').digest('hex')

/** Storage in any S3-compatible store, with path-style addresses (`endpoint/bucket/key`), which all stores support. */
export function s3Storage(to: NonNullable<Settings['s3']>): Storage {
  const base = `${to.endpoint.replace(/(?<!\/)\/+$/, '')}/${to.bucket}`
  const send = (method: string, key: string, part: number, body?: Buffer<ArrayBuffer>, headers = {}) =>
    request(method, new URL(`${base}/${key}.${part}`), body, headers)
  async function request(method: string, url: URL, body?: Buffer<ArrayBuffer>, headers = {}): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      const hash = body ? createHash('sha256').update(body).digest('hex') : nothing
      const signer = new AwsV4Signer({
        ...{ method, url: url.href, headers: { ...headers, 'x-amz-content-sha256': hash }, allHeaders: true },
        ...{ service: 's3', region: to.region, accessKeyId: to.key, secretAccessKey: to.secret },
      })
      const answer = await fetch(url, {
        method,
        headers: (await signer.sign()).headers,
        body,
        signal: AbortSignal.timeout(SECONDS * 1000),
      }).catch((error: unknown) => error)
      if (answer instanceof Response && answer.status < 500 && answer.status !== 429) return answer
      const full = answer instanceof Response && answer.status === 507
      if (attempt === TRIES || full) throw await refusalOf(answer)
      await sleep(100 * 2 ** attempt)
    }
  }
  async function* listed() {
    for (let more = '', last = false; !last; ) {
      const url = new URL(base)
      url.search = new URLSearchParams({ 'list-type': '2', ...(more && { 'continuation-token': more }) }).toString()
      const answer = await request('GET', url)
      if (!answer.ok) throw await refusalOf(answer)
      const page = await answer.text()
      for (const one of page.split('</Contents>')) {
        const [, name] = /<Key>([0-9a-f]{32}\.\d{1,6})<\/Key>/.exec(one) ?? [] // a bucket may have other objects
        const [, bytes] = /<Size>(\d{1,15})<\/Size>/.exec(one) ?? []
        if (name && bytes) yield { name, bytes: Number(bytes) }
      }
      more = plainOf(/<NextContinuationToken>([^<]{1,2000})</.exec(page)?.[1] ?? '')
      last = !more
    }
  }
  return {
    async write(key, part, bytes) {
      const chunks: Uint8Array[] = []
      for await (const chunk of bytes) chunks.push(chunk) // buffers at most PART bytes: length and hash are sent first
      const answer = await send('PUT', key, part, Buffer.concat(chunks))
      if (!answer.ok) throw await refusalOf(answer)
      await answer.body?.cancel()
    },
    async *read(key, part, start, end) {
      if (end < start) return
      const answer = await send('GET', key, part, undefined, { range: `bytes=${start}-${end}` })
      if (!answer.ok || !answer.body) throw await refusalOf(answer)
      yield* answer.body
    },
    async remove(key, parts) {
      for (let part = 0; part < parts; part++) {
        const answer = await send('DELETE', key, part)
        if (!answer.ok && answer.status !== 404) throw await refusalOf(answer)
        await answer.body?.cancel()
      }
    },
    async check() {
      const url = new URL(base)
      url.search = new URLSearchParams({ 'list-type': '2', 'max-keys': '1' }).toString()
      const answer = await request('GET', url)
      if (!answer.ok) throw await refusalOf(answer)
      await answer.body?.cancel()
    },
    list: () => joinParts(listed()),
  }
}

/** A text of XML without its entities. */
const plainOf = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&')

/** Reads the store's error for the server log. Never shown to callers, because it names buckets and keys. */
async function refusalOf(answer: unknown): Promise<Error> {
  if (!(answer instanceof Response)) return new Error('the file store does not answer', { cause: answer })
  const text = (await answer.text().catch(() => '')).slice(0, 300)
  const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1]
  const full = answer.status === 507 || code === 'QuotaExceeded' || code === 'XMinioStorageFull'
  const said = `the file store answered ${answer.status} ${code ?? text}`
  return full ? new Full(said) : new Error(said)
}
