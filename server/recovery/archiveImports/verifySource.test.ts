import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pageAt, pageLine } from './verifySource.ts'

const long = 'word '.repeat(1000)
const pages: Record<string, [number, string, Record<string, string>?]> = {
  'old.example': [200, `<html><title>A shop</title>${long}</html>`],
  'token.example': [200, `<html><title>A shop</title>${long}<i>${'7'.repeat(150)}</i></html>`],
  'broken.example': [200, '<html><title>Database error</title></html>'],
  'sent.example': [301, '', { location: 'https://sent.example/' }],
  'large.example': [200, 'x'.repeat(3_000_000)],
}
const server = createServer((asked, answer) => {
  const [status, body, headers] = pages[asked.headers.host ?? ''] ?? [404, 'nothing']
  if (asked.headers.host === 'torn.example') return void asked.socket.destroy()
  answer.writeHead(status, headers).end(body)
})
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => void server.close())

test('first pages are the same but for what differs at each request; another title or status is shown', async () => {
  const { port } = server.address() as AddressInfo
  const page = (name: string) => pageAt('127.0.0.1', name, port)
  const old = await page('old.example')
  expect(old).toMatchObject({ status: 200, title: 'A shop' })
  const verdict = async (name: string) => pageLine('old.example', old, await page(name)).verdict
  expect(await verdict('token.example')).toBe('same')
  expect(await verdict('broken.example')).toBe('changed')
  expect(await verdict('nobody.example')).toBe('changed')
  expect(pageLine('a', await page('sent.example'), old)).toMatchObject({
    ...{ archive: '301 to https://sent.example/, 0 bytes', verdict: 'changed' },
  })
  expect(await page('torn.example')).toBeUndefined()
  expect(pageLine('a', await page('torn.example'), old)).toMatchObject({ archive: 'no answer', verdict: 'changed' })
  expect((await page('large.example'))?.bytes).toBeLessThan(2_500_000)
})
