import { createHash, createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { s3Storage } from './s3.ts'
import { Full, PART, readParts, type Storage, writeParts } from './storage.ts'

/** Objects of a test store, which verifies the signature of each received request. */
const held = new Map<string, Buffer>()
const seen: string[] = []
let trouble: number[] = []
const secret = 'a secret/with+signs'
const server = createServer((request, response) => void serve(request, response))
let storage: Storage
let endpoint: string

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const at = server.address()
  if (typeof at !== 'object' || !at) throw new Error('no port')
  endpoint = `http://127.0.0.1:${at.port}`
  storage = s3Storage({ endpoint, bucket: 'inn-files', region: 'eu-north-1', key: 'AKID', secret })
})
afterAll(() => server.close())
beforeEach(() => {
  held.clear()
  seen.length = 0
  trouble = []
})

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = Buffer.concat(await Array.fromAsync(request))
  const { method = '', url = '' } = request
  seen.push(`${method} ${url}`)
  const wrong = faultOf(request, body)
  if (wrong) return void response.writeHead(403).end(`<Error><Code>SignatureDoesNotMatch</Code>${wrong}</Error>`)
  const status = trouble.shift()
  if (status) return void response.writeHead(status).end('<Error><Code>SlowDown</Code></Error>')
  if (method === 'PUT') held.set(url, body)
  if (method === 'DELETE') return void response.writeHead(held.delete(url) ? 204 : 404).end()
  if (url.includes('?list-type=2')) return void response.writeHead(200).end(listing(url))
  const found = held.get(url)
  if (!found) return void response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>')
  if (method === 'PUT') return void response.writeHead(200).end()
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
  response.writeHead(206).end(found.subarray(Number(from), Number(to) + 1))
}

/** Two objects a page. */
function listing(url: string): string {
  const from = Number(new URL(url, 'http://x').searchParams.get('continuation-token')?.replace('&from=', '') ?? 0)
  const names = [...held.keys()].sort()
  const page = names.slice(from, from + 2)
  const contents = page.map((name) => {
    const size = held.get(name)?.length
    return `<Contents><Key>${name.replace('/inn-files/', '')}</Key><ETag>"x"</ETag><Size>${size}</Size></Contents>`
  })
  const more = from + 2 < names.length && `<NextContinuationToken>&amp;from=${from + 2}</NextContinuationToken>`
  return `<ListBucketResult>${more || ''}${contents.join('')}</ListBucketResult>`
}

/** AWS's description of the verification, implemented independently of the signing code. */
function faultOf({ method, url, headers }: IncomingMessage, body: Buffer): string | undefined {
  const [, key, date, region, names, signature] =
    /^AWS4-HMAC-SHA256 Credential=(\w+)\/(\d{8})\/([\w-]+)\/s3\/aws4_request, ?SignedHeaders=([\w;-]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? []
  if (key !== 'AKID' || region !== 'eu-north-1' || !date || !names) return 'who is that'
  const time = String(headers['x-amz-date'])
  if (!/^\d{8}T\d{6}Z$/.test(time) || !time.startsWith(date)) return 'no time'
  if (headers['x-amz-content-sha256'] !== createHash('sha256').update(body).digest('hex')) return 'another body'
  const list = names.split(';')
  if (!['host', 'x-amz-date', 'x-amz-content-sha256'].every((name) => list.includes(name)))
    return 'too little is signed'
  if (headers.range && !list.includes('range')) return 'the range is not signed'
  const lines = list.map((name) => `${name}:${String(headers[name])}\n`).join('')
  const [path, query = ''] = String(url).split('?')
  const ordered = query.split('&').toSorted().join('&')
  const canonical = `${method}\n${path}\n${ordered}\n${lines}\n${names}\n${headers['x-amz-content-sha256']}`
  const hash = createHash('sha256').update(canonical).digest('hex')
  let key4: Buffer = Buffer.from(`AWS4${secret}`)
  for (const step of [date, region, 's3', 'aws4_request']) key4 = createHmac('sha256', key4).update(step).digest()
  const right = createHmac('sha256', key4)
    .update(`AWS4-HMAC-SHA256\n${time}\n${date}/${region}/s3/aws4_request\n${hash}`)
    .digest('hex')
  return right === signature ? undefined : 'the signature is another'
}

async function* chunks(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
const key = 'a'.repeat(32)
const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe('a store that speaks S3', () => {
  it('uploads a stream in parts, serves any range, and deletes the object', async () => {
    const bytes = randomBytes(2 * PART + 1234)
    const landed: number[] = []
    await writeParts(storage, key, chunks(bytes, 1_000_003), async (so) => void landed.push(so))
    expect(landed).toEqual([PART, 2 * PART, bytes.length])
    const range = Buffer.concat(await Array.fromAsync(readParts(storage, key, PART - 10, 2 * PART + 9)))
    expect(sha(range)).toBe(sha(bytes.subarray(PART - 10, 2 * PART + 10)))
    await storage.remove(key, 3)
    expect(held.size).toBe(0)
    await storage.remove(key, 3) // deleting a missing object is no error
  })
  it('gets its request again when it is busy', async () => {
    trouble = [503, 500]
    await writeParts(storage, key, chunks(Buffer.from('hello'), 5))
    expect([...held.values()].map(String)).toEqual(['hello'])
    expect(seen).toHaveLength(3)
  })
  it('distinguishes a full store from a broken one, and hides the store’s own messages', async () => {
    trouble = [507]
    await expect(writeParts(storage, key, chunks(Buffer.from('x'), 1))).rejects.toBeInstanceOf(Full)
    trouble = [400]
    await expect(writeParts(storage, key, chunks(Buffer.from('x'), 1))).rejects.not.toBeInstanceOf(Full)
  })
  it('reports a missing part', async () => {
    await expect(Array.fromAsync(readParts(storage, key, 0, 5))).rejects.toThrow('404 NoSuchKey')
  })
  it('lists its files with their length, page by page, without other objects', async () => {
    const keys = ['a', 'b'].map((digit) => digit.repeat(32)) as [string, string]
    held.set('/inn-files/readme.txt', Buffer.from('of somebody else'))
    for (const of of keys) await writeParts(storage, of, chunks(Buffer.alloc(PART + 5), PART))
    const listed = await Array.fromAsync(storage.list())
    expect(listed).toEqual(keys.map((of) => ({ key: of, bytes: PART + 5 })))
    expect(seen.filter((line) => line.includes('list-type=2'))).toHaveLength(3)
  })
  it('stores an empty file', async () => {
    await writeParts(storage, key, chunks(Buffer.alloc(0), 1))
    expect([...held.values()].map((b) => b.length)).toEqual([0])
    expect(await Array.fromAsync(readParts(storage, key, 0, -1))).toEqual([])
  })
})
