import { createHash } from 'node:crypto'
import type { ConfigAuthor, ConfigFile, ConfigService } from '@innkeeper/contract/agent/configs'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rows } from '../../kit/db/db.ts'
import { servers } from '../../machines/servers/tables.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { answerReads, begin, carryOutAll, enrolled, hearAlways, setAside } from '../../test/work.ts'
import { collectDue } from './collections/due.ts'
import { thinOut } from './retention.ts'

let t: TestApp
let token: string
let adminId: number
beforeAll(async () => {
  t = await openTestApp()
  ;({ token, id: adminId } = await t.somebody('admin'))
})
afterAll(() => t.close())

/** Files of a machine by path: text and author. */
type Machine = Map<string, { text: string; by: ConfigAuthor; service?: ConfigService }>
const sha = (text: string) => createHash('sha256').update(text).digest('hex')
const site = '/etc/nginx/innkeeper/sites/shop.example.conf'
const own = '/etc/nginx/conf.d/by-hand.conf'

async function server(name: string): Promise<number> {
  const id = await enrolled(t.app.db, name)
  await hearAlways(t.app.db)
  return id
}
const call = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown) =>
  t.call(method, `/api${path}`, { token, ...(body !== undefined && { body }) })
const orchestrator = '/config-orchestrator'
const versions = `${orchestrator}/config-restore/configs`
const listed = async (id: number, query = '') => (await call('GET', `${versions}?server=${id}${query}`)).body.items

const filesOf = (machine: Machine): ConfigFile[] =>
  [...machine].map(([path, { text, by, service = 'nginx' }]) => ({
    ...{ path, service, kind: 'file', hash: sha(text), seal: null, hidden: null, target: null, by, package: null },
    ...{ size: text.length, mode: 0o644, owner: 'root', group: 'root', changedAt: '2026-11-21T10:00:00.000Z' },
  }))
/** Runs a collection of a server whose agent answers from `machine`. */
async function collected(id: number, machine: Machine, removers: Record<string, ConfigAuthor> = {}): Promise<void> {
  await t.app.db.execute(sql`update config_servers set next_at = '2999-01-01'`)
  expect((await call('POST', `${orchestrator}/collect`, { serverIds: [id] })).body).toEqual({ servers: 1 })
  await answerReads(
    t.app.db,
    id,
    ({ name, input }) => {
      if (name === 'configs.list') return { files: filesOf(machine), skipped: 0, next: null }
      const { files, gone } = input as { files: { path: string; hash: string }[]; gone: string[] }
      return {
        contents: files.map(({ path, hash }) => ({
          path,
          hash,
          content: Buffer.from(machine.get(path)?.text ?? '').toString('base64'),
        })),
        rest: [],
        gone: gone.map((path) => ({ path, by: removers[path] ?? 'unknown' })),
      }
    },
    collectDue(t.app),
  )
}
const told = async () => {
  const found = await rows<{ title: string; body: string }>(
    t.app.db,
    sql`delete from notifications where user_id = ${adminId} and reason = 'server' returning title, body`,
  )
  return found.map(({ title }) => title)
}

describe('collections', () => {
  it('make a version of a service only when a file changed, with author and difference', async () => {
    const id = await server('web-a')
    const machine: Machine = new Map([
      [site, { text: 'server {\n  root /a;\n}\n', by: 'innkeeper' }],
      ['/etc/hosts', { text: '127.0.0.1 localhost\n', by: 'unknown', service: 'system' }],
    ])
    await collected(id, machine)
    expect(await told()).toEqual([])
    await collected(id, machine)
    expect(await listed(id)).toHaveLength(2)
    machine.set(site, { text: 'server {\n  root /b;\n}\n', by: 'person' })
    machine.set(own, { text: 'hand\n', by: 'person' })
    await collected(id, machine)
    const [newest] = await listed(id, '&service=nginx&by=person')
    expect(newest).toMatchObject({
      number: 2,
      added: 1,
      changed: 1,
      removed: 0,
      by: ['person'],
      current: true,
      paths: [own, site],
    })
    expect(await told()).toEqual(['2 files were changed by a person on web-a'])
    const { body } = await call('GET', `${versions}/${newest.id}/diff`)
    expect(body.from.number).toBe(1)
    expect(body.files).toMatchObject([
      { path: own, change: 'added', by: 'person', lines: ['+hand'] },
      { path: site, change: 'changed', by: 'person', lines: [' server {', '-  root /a;', '+  root /b;', ' }'] },
    ])
    expect((await call('GET', `${versions}/${newest.id}/file?path=${own}`)).body.text).toBe('hand\n')
    expect((await call('GET', `${orchestrator}/servers/${id}`)).body).toMatchObject({
      ...{ collecting: false, problem: null, drift: [{ path: site, service: 'nginx' }] },
    })
    machine.set(site, { text: 'server {\n  root /c;\n}\n', by: 'innkeeper' })
    machine.delete(own)
    await collected(id, machine, { [own]: 'person' })
    expect((await call('GET', `${orchestrator}/servers/${id}`)).body.drift).toEqual([])
    expect(await told()).toEqual(['A file was changed by a person on web-a'])
    const [log] = (await call('GET', `/backups/logs/config-collection?server=${id}`)).body.items
    expect(log).toMatchObject({ result: 'success', trigger: 'demand', changed: 2, versions: 1, files: 2 })
  })

  it('of an offline server fail, share one line of the log, and are retried', async () => {
    const id = await server('web-away')
    await t.app.db.execute(
      sql`update server_states set last_seen_at = now() - interval '1 day' where server_id = ${id}`,
    )
    for (let n = 0; n < 3; n++) {
      await t.app.db.execute(sql`update config_servers set next_at = '2999-01-01'`)
      await call('POST', `${orchestrator}/collect`, { serverIds: [id] })
      await collectDue(t.app)
    }
    const { items } = (await call('GET', `/backups/logs/config-collection?server=${id}`)).body
    expect(items).toMatchObject([
      { result: 'failed', attempts: 3, problem: expect.stringContaining('not been heard from') },
    ])
    await hearAlways(t.app.db)
  })

  it('are refused for a server without an agent, and for a server that does not exist', async () => {
    const { body } = await call('POST', '/cloud-management/servers', { name: 'bare-1', type: 'dns' })
    for (const id of [body.id, 999_999])
      expect(await call('POST', `${orchestrator}/collect`, { serverIds: [id] })).toMatchObject({
        ...{ status: 422, body: { fields: { serverIds: expect.any(String) } } },
      })
  })
})

describe('resets', () => {
  let id: number
  let first: number
  beforeAll(async () => {
    id = await server('web-b')
    await collected(id, new Map([[own, { text: 'good\n', by: 'person' }]]))
    await collected(
      id,
      new Map([
        [own, { text: 'bad\n', by: 'person' }],
        [site, { text: 'site\n', by: 'innkeeper' }],
      ]),
    )
    first = (await listed(id)).find(({ number }: { number: number }) => number === 1).id
  })
  const reset = (body = {}) => call('POST', `${versions}/${first}/reset`, body)
  const logged = async () => (await call('GET', `${orchestrator}/logs?server=${id}`)).body.items

  it('show what the server would do, and ask the server again with files that changed after the collection', async () => {
    const asked: unknown[] = []
    const answer = await answerReads(
      t.app.db,
      id,
      ({ input }) => {
        asked.push(input)
        return { files: [{ path: own, act: 'write', reason: null }], effect: 'nginx reloads' }
      },
      call('GET', `${versions}/${first}/reset`),
    )
    expect(answer.body).toMatchObject({
      serverName: 'web-b',
      effect: 'nginx reloads',
      files: [{ path: own, act: 'write' }],
    })
    expect(asked).toMatchObject([
      { service: 'nginx', files: [{ path: own, content: Buffer.from('good\n').toString('base64') }], remove: [site] },
    ])
  })

  it('run as a workflow that locks the server, which is collected afterwards', async () => {
    const { body } = await reset({ paths: [own] })
    expect(await logged()).toMatchObject([
      { status: 'pending', action: 'vhost', workflowId: body.workflowId, files: 1 },
    ])
    expect((await reset()).status).toBe(409)
    await carryOutAll(t.app.db, id)
    expect(await logged()).toMatchObject([{ status: 'done', endedAt: expect.any(String) }])
    expect((await call('GET', `${orchestrator}/servers/${id}`)).body.collecting).toBe(true)
  })

  it('that the service refuses are rolled back by themselves, unlock the server and show the reason', async () => {
    await reset({ paths: [own] })
    await carryOutAll(t.app.db, id, ({ task }) =>
      task === 'run' ? { status: 'failed', reason: 'nginx refuses this configuration' } : {},
    )
    expect((await logged())[0]).toMatchObject({ status: 'failed', message: expect.stringContaining('nginx refuses') })
    expect((await reset({ paths: [own] })).status).toBe(202)
    await carryOutAll(t.app.db, id)
  })

  it('are refused while another workflow has locked the server', async () => {
    await begin(t.app.db, { locks: [`server:${id}`] })
    expect((await reset()).status).toBe(409)
    await setAside(t.app.db)
  })

  it('are refused for a path that is not in the version', async () => {
    expect(await reset({ paths: ['/etc/shadow'] })).toMatchObject({
      status: 422,
      body: { fields: { paths: expect.any(String) } },
    })
    expect((await reset({ paths: ['/etc/nginx/../shadow'] })).status).toBe(400)
  })

  it('can be dismissed one by one or all together, and are still listed with dismissed=true', async () => {
    const all = await logged()
    expect((await call('DELETE', `${orchestrator}/logs`, { ids: [all[0].id] })).body).toEqual({ dismissed: 1 })
    expect((await call('DELETE', `${orchestrator}/logs`, {})).body).toEqual({ dismissed: all.length - 1 })
    expect(await logged()).toEqual([])
    expect((await call('GET', `${orchestrator}/logs?server=${id}&dismissed=true`)).body.items).toHaveLength(all.length)
  })

  it('are refused on a removed server, whose versions can be read and deleted', async () => {
    const [newest] = await listed(id, '&current=true')
    expect((await call('DELETE', `${versions}/${newest.id}`)).status).toBe(409)
    await t.app.db.update(servers).set({ deletedAt: sql`now()` }).where(eq(servers.id, id))
    expect((await reset()).status).toBe(422)
    expect((await call('GET', `${versions}/${first}`)).body.serverRemoved).toBe(true)
    expect((await call('DELETE', `${versions}/${newest.id}`)).status).toBe(204)
    expect((await call('GET', `${versions}/${first}`)).body.items).toMatchObject([{ path: own, hash: sha('good\n') }])
  })
})

describe('old versions', () => {
  it('are deleted after a year, except the last twenty, with contents that no other version has', async () => {
    const id = await server('web-c')
    const old = sql`now() - interval '2 years'`
    await t.app.db.execute(sql`insert into config_versions (server_id, server_name, service, number, collected_at, trigger, by, added,
        changed, removed, files, paths, current, about)
      select ${id}::int, 'web-c', 'nginx', n, ${old}, 'nightly', '{person}', 0, 1, 0, 1, '{}', n = 23, '' from generate_series(1, 23) n`)
    await t.app.db.execute(sql`insert into config_files (server_id, service, path, since, until, kind, hash, size, mode, owner, "group",
        by, changed_at)
      select ${id}::int, 'nginx', ${own}, n, nullif(n + 1, 24), 'file', 'hash' || n, 1, 420, 'root', 'root', 'person', ${old}
      from generate_series(1, 23) n`)
    await t.app.db.execute(sql`insert into config_blobs select 'hash' || n, '', ${old} from generate_series(1, 23) n`)
    await thinOut(t.app)
    const left = await listed(id, '&itemsPerPage=100')
    expect(left.map(({ number }: { number: number }) => number).toSorted((a: number, b: number) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, n) => n + 4),
    )
    const blobs = await rows<{ hash: string }>(
      t.app.db,
      sql`select hash from config_blobs where hash like 'hash%' order by 1`,
    )
    expect(blobs.map(({ hash }) => hash)).toEqual(Array.from({ length: 20 }, (_, n) => `hash${n + 4}`).toSorted())
  })
})
