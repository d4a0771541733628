import type { Served, Written } from '@innkeeper/contract/kit/transfer'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Missing } from '../storage/storage.ts'
import { disposition, sendFile } from './download.ts'
import { Refusal } from './errors.ts'

const bytes = Buffer.from('0123456789')
const served = (more: Partial<Served>): Served => ({
  name: 'notes.txt',
  type: 'text/plain',
  size: bytes.length,
  sha256: 'abc',
  async *read(start, end) {
    yield bytes.subarray(start, end + 1)
  },
  ...more,
})
const failing: Written = {
  name: 'all.csv',
  type: 'text/csv',
  // biome-ignore lint/correctness/useYield: it fails before its first byte
  parts: (async function* () {
    throw new Refusal(409, { code: 'conflict', message: 'Changed meanwhile' })
  })(),
}
const kinds: Record<string, Served | Written> = {
  failing,
  text: served({}),
  empty: served({ size: 0 }),
  png: served({ type: 'image/png', inline: true }),
  pdf: served({ type: 'application/pdf', inline: true }),
  svg: served({ type: 'image/svg+xml', inline: true, name: 'x.svg' }),
  html: served({ type: 'text/html', inline: true }),
  gone: served({
    name: 'gone.txt',
    // biome-ignore lint/correctness/useYield: it fails before its first byte
    async *read() {
      throw new Missing('gone')
    },
  }),
}
const server = Fastify()
beforeAll(async () => {
  server.get<{ Params: { kind: string } }>('/:kind', (request, reply) =>
    sendFile(request, reply, kinds[request.params.kind]!),
  )
  await server.ready()
})
afterAll(() => server.close())
const get = (kind: string, headers = {}) => server.inject({ url: `/${kind}`, headers })

describe('a download', () => {
  it.each([
    ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=-2', 206, '89', 'bytes 8-9/10'],
    ['bytes=-99', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=8-99', 206, '89', 'bytes 8-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=-0', 416, '', 'bytes */10'],
    ['bytes=5-2', 200, '0123456789', undefined],
    ['bytes=0-1,4-5', 200, '0123456789', undefined],
    ['lines=1-2', 200, '0123456789', undefined],
    ['bytes=x', 200, '0123456789', undefined],
  ])('answers the range %s with %i', async (range, status, body, told) => {
    const answer = await get('text', { range })
    expect([answer.statusCode, answer.body, answer.headers['content-range']]).toEqual([status, body, told])
    expect(Number(answer.headers['content-length'])).toBe(body.length)
  })
  it('of a file that the store has lost is refused before any header of the file', async () => {
    const { headers, body } = await get('gone')
    expect(body).toContain('gone.txt is listed here, but the file store has lost it')
    expect(headers['content-disposition']).toBeUndefined()
  })
  it('that fails before its first byte has no header of the file', async () => {
    const { headers, body } = await get('failing')
    expect(body).toContain('Changed meanwhile')
    expect(headers['content-disposition']).toBeUndefined()
  })
  it('resumes only the file that it started with', async () => {
    expect((await get('text', { range: 'bytes=5-', 'if-range': '"abc"' })).statusCode).toBe(206)
    expect((await get('text', { range: 'bytes=5-', 'if-range': '"old"' })).statusCode).toBe(200)
  })
  it('answers 304 to a client that already has the file', async () => {
    expect((await get('text', { 'if-none-match': 'W/"abc"' })).statusCode).toBe(304)
  })
  it('answers HEAD with the length and no body, and can be empty', async () => {
    const answer = await server.inject({ method: 'HEAD', url: '/text' })
    expect([answer.headers['content-length'], answer.body]).toEqual(['10', ''])
    expect((await get('empty')).body).toBe('')
  })
  it('is displayed only if it is a picture or PDF; SVG and HTML are saved, without a type, in a sandbox', async () => {
    for (const kind of ['svg', 'html', 'text']) {
      const { headers } = await get(kind)
      expect(headers['content-type']).toBe('application/octet-stream')
      expect(headers['content-disposition']).toMatch(/^attachment;/)
      expect(headers['content-security-policy']).toContain('sandbox')
      expect(headers['x-content-type-options']).toBe('nosniff')
    }
    const { headers } = await get('png')
    expect([headers['content-type'], headers['content-disposition']]).toEqual([
      'image/png',
      expect.stringMatching(/^inline;/),
    ])
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect((await get('pdf')).headers['content-type']).toBe('application/pdf')
  })
  it.each([
    [
      'Ærlig "tilbud" 100%.pdf',
      `attachment; filename="_rlig _tilbud_ 100_.pdf"; filename*=UTF-8''%C3%86rlig%20%22tilbud%22%20100%25.pdf`,
    ],
    ['a\r\nSet-Cookie: x', `attachment; filename="a__Set-Cookie: x"; filename*=UTF-8''a%0D%0ASet-Cookie%3A%20x`],
    ["it's (1).txt", `attachment; filename="it's (1).txt"; filename*=UTF-8''it%27s%20%281%29.txt`],
  ])('is named %j by every browser', (name, header) => {
    expect(disposition('attachment', name)).toBe(header)
  })
})
