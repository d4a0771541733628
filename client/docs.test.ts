import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../server/test/app.ts'

/** The examples of docs/api.md, which a stranger copies. */
const page = readFileSync(join(import.meta.dirname, '../docs/api.md'), 'utf8')
const blocks = (mark: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${mark}\n(.*?)^\`\`\``, 'gms'))].map(([, code = '']) => code)

let t: TestApp
let env: NodeJS.ProcessEnv
let folder: string
beforeAll(async () => {
  t = await openTestApp()
  await t.http.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${(t.http.server.address() as AddressInfo).port}` // the server listens on a TCP port
  const { token } = await t.somebody('admin')
  const scopes = ['read', 'create', 'delete'].map((verb) => `users:department:${verb}`)
  const { body } = await t.call('POST', '/api/api-tokens', { token, body: { name: 'docs', scopes } })
  // below client, so that the imports of the examples are found
  mkdirSync(join(import.meta.dirname, 'dist'), { recursive: true })
  folder = mkdtempSync(join(import.meta.dirname, 'dist/docs-'))
  const command = join(folder, 'innkeeper')
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${join(import.meta.dirname, 'cli/main.ts')}' "$@"\n`)
  chmodSync(command, 0o755)
  const path = [folder, dirname(process.execPath), process.env.PATH].join(delimiter)
  env = { ...process.env, PATH: path, INNKEEPER_URL: url, INNKEEPER_TOKEN: body.value }
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await t.close()
})

async function ends(command: string, words: string[]): Promise<{ code: unknown; out: string; err: string }> {
  const child = spawn(command, words, { env })
  const said = { out: '', err: '' }
  child.stdout.on('data', (chunk) => {
    said.out += chunk
  })
  child.stderr.on('data', (chunk) => {
    said.err += chunk
  })
  return { code: await new Promise((resolve) => child.on('close', resolve)), ...said }
}

it.each(blocks('sh example').map((code) => ({ code })))('the shell example works: $code', async ({ code }) => {
  const { err, ...ended } = await ends('bash', ['-euc', code])
  expect(ended, err).toMatchObject({ code: 0 })
})

it.each(blocks('ts example').map((code) => ({ code })))('the program works: $code', async ({ code }) => {
  const file = join(folder, 'example.ts')
  writeFileSync(file, code)
  const { err, ...ended } = await ends(process.execPath, [file])
  expect(ended, err).toMatchObject({ code: 0, out: expect.stringContaining('409 Another department has that name') })
})

it('the verification of webhooks accepts a genuine message only', async () => {
  const [code = ''] = blocks('ts verify')
  const file = join(folder, 'verify.ts')
  writeFileSync(file, code)
  const { isGenuine } = (await import(file)) as {
    isGenuine(headers: Record<string, string>, body: string, secret: string, now?: number): boolean
  }
  const secret = `whsec_${Buffer.from('a key of some length for tests').toString('base64')}`
  const at = 1_800_000_000
  const key = Buffer.from(secret.slice(6), 'base64')
  const signature = createHmac('sha256', key).update(`msg_1.${at}.{}`).digest('base64')
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(at),
    'webhook-signature': `v1,x v1,${signature}`,
  }
  expect(isGenuine(headers, '{}', secret, at * 1000)).toBe(true)
  expect(isGenuine(headers, '{ }', secret, at * 1000)).toBe(false)
  expect(isGenuine(headers, '{}', secret, at * 1000 + 400_000)).toBe(false)
})
