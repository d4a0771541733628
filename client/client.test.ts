import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contract } from '@innkeeper/contract/index'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../server/test/app.ts'
import { completions } from './cli/complete.ts'
import { exitOf } from './cli/exit.ts'
import { fieldNamed, fieldsOf } from './cli/fields.ts'
import { errorText, run } from './cli/run.ts'
import { readSettings, saveSettings } from './cli/settings.ts'
import { ApiError, type Client, createClient } from './index.ts'

let t: TestApp
let url: string
let token: string
let client: Client
beforeAll(async () => {
  t = await openTestApp()
  await t.http.listen({ port: 0, host: '127.0.0.1' })
  url = `http://127.0.0.1:${(t.http.server.address() as AddressInfo).port}` // the server listens on a TCP port
  const { token: admin } = await t.somebody('admin')
  const scopes = ['users:department:read', 'users:department:create', 'users:department:delete', 'dns:zone:read']
  const body = { name: 'tests', scopes }
  token = (await t.call('POST', '/api/api-tokens', { token: admin, body })).body.value
  client = createClient({ url, token })
})
afterAll(() => t.close())

const departments = async (...names: string[]) => {
  for (const name of names) await client.departments.create({ name })
}

describe('the client', () => {
  it('makes typed calls and reads lists page by page', async () => {
    await departments('Alpha', 'Beta', 'Gamma')
    const found: string[] = []
    for await (const { name } of client.pages(client.departments.list, { itemsPerPage: 1 })) found.push(name)
    expect(found).toEqual(['Alpha', 'Beta', 'Gamma'])
  })

  it('throws refusals with the messages of fields', async () => {
    const error = await client.departments.create({ name: '' }).catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 400, fields: { name: 'Required' }, requestId: expect.any(String) })
  })

  describe('against a server that is busy', () => {
    let busy: Server
    let answer: RequestListener
    const seen: (string | undefined)[] = []
    let second: Client
    beforeAll(async () => {
      busy = createServer((request, response) => {
        seen.push(request.headers['idempotency-key'] as string | undefined)
        answer(request, response)
      })
      await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve))
      second = createClient({ url: `http://127.0.0.1:${(busy.address() as AddressInfo).port}`, token, attempts: 3 })
    })
    afterAll(() => void busy.close())

    it('repeats a creation under the same key, and waits as long as the server says', async () => {
      seen.length = 0
      answer = (_, response) =>
        void (seen.length < 3
          ? response.writeHead(503, { 'retry-after': '0' }).end('{}')
          : response.writeHead(201, { 'content-type': 'application/json' }).end('{"id":1}'))
      expect(await second.departments.create({ name: 'X' })).toEqual({ id: 1 })
      expect(new Set(seen)).toEqual(new Set([expect.stringMatching(/^[\da-f-]{36}$/)]))
      expect(seen).toHaveLength(3)
    })

    it('does not repeat what could happen twice', async () => {
      seen.length = 0
      answer = (_, response) => void response.writeHead(503, { 'retry-after': '0' }).end('{}')
      await expect(second.departments.remove({ id: 1 })).rejects.toMatchObject({ status: 503 })
      expect(seen).toHaveLength(1)
    })
  })
})

describe('the command line', () => {
  const command = async (...words: string[]) => {
    const said = { out: '', err: '' }
    let code = 0
    const terminal = {
      out: (text: string) => {
        said.out += text
      },
      err: (text: string) => {
        said.err += text
      },
      stdin: async () => '{"name":"From input"}',
    }
    try {
      await run(words, () => ({ url, token }), terminal)
    } catch (error) {
      said.err += errorText(error)
      code = exitOf(error)
    }
    return { ...said, code }
  }

  it('lists as a table and as JSON', async () => {
    const table = await command('departments', 'list')
    expect(table.out.split('\n')[0]).toMatch(/^ID +NAME +PEOPLE +ROLES/)
    const { out } = await command('departments', 'list', '--search', 'Alph', '--json')
    expect(JSON.parse(out)).toMatchObject({ items: [{ name: 'Alpha' }], total: 1 })
    expect(JSON.parse((await command('departments', 'list', '--all', '--json')).out).length).toBeGreaterThan(2)
  })

  it('creates, reads by name and deletes', async () => {
    expect(await command('departments', 'create', '--name', 'Made here')).toMatchObject({ code: 0 })
    expect((await command('departments', 'create', '--data', '-')).code).toBe(0)
    expect((await command('departments', 'get', 'Made here')).out).toMatch(/^name: +Made here$/m)
    const misspelt = await command('departments', 'create', '--data', '{"name":"Other","roles_":[]}')
    expect(misspelt).toMatchObject({ code: 2, err: expect.stringContaining('This call has no such field') })
    expect(await command('departments', 'delete', 'Made here')).toMatchObject({ code: 0, err: '' })
    expect(await command('departments', 'get', 'Made here')).toMatchObject({ code: 4 })
  })

  it('says what is wrong beside the option, with an exit code', async () => {
    expect(await command('departments', 'create')).toMatchObject({
      code: 2,
      err: expect.stringContaining('  --name: Required'),
    })
    expect(await command('departments', 'create', '--nmae', 'x')).toMatchObject({ code: 2 })
    expect(await command('departments', 'create', '--name', 'Alpha')).toMatchObject({ code: 5 })
    expect(await command('departments', 'get', '2000000000')).toMatchObject({ code: 4 })
    expect(await command('roles', 'list')).toMatchObject({ code: 3, err: expect.stringContaining('users:role:read') })
    expect(await command('nothing', 'list')).toMatchObject({ code: 2 })
    const absent = await command('names', 'add-alias', 'absent.example', '--domain', 'also.example')
    expect(absent, 'a call about a website looks for a website').toMatchObject({
      code: 3,
      err: expect.stringContaining('website:website:read'),
    })
  })

  it('completes domains, commands and options, and explains them', async () => {
    expect(completions(['web'])).toEqual(['websites', 'webhooks'])
    expect(completions(['websites', 'cr'])).toEqual(['create', 'creations'])
    expect(completions(['websites', 'list', '--ser'])).toEqual(['--server'])
    expect((await command('websites', 'move', '--help')).out).toContain('--target-server')
    expect(fieldNamed(fieldsOf(contract.moves.create), 'server').name).toBe('targetServerId')
    expect((await command('websites')).out).toMatch(/^ {2}backup +Back up a website now$/m)
  })

  it('keeps the token in a file that others cannot read', () => {
    const folder = mkdtempSync(join(tmpdir(), 'innkeeper-cli-'))
    const env = { XDG_CONFIG_HOME: folder }
    try {
      expect(() => readSettings(env)).toThrow('innkeeper login')
      const file = saveSettings(env, { url, token })
      expect(statSync(file).mode & 0o777).toBe(0o600)
      expect(readSettings(env)).toEqual({ url, token })
      expect(readSettings({ ...env, INNKEEPER_TOKEN: 'other' }).token).toBe('other')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('runs as a program', async () => {
    const env = { ...process.env, INNKEEPER_URL: url, INNKEEPER_TOKEN: token }
    const child = spawn(process.execPath, [join(import.meta.dirname, 'cli/main.ts'), 'whoami'], { env })
    let out = ''
    child.stdout.on('data', (chunk) => {
      out += chunk
    })
    const code = await new Promise((resolve) => child.on('close', resolve))
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^name: +tests$/m) })
  })
})
