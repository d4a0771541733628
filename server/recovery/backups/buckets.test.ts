import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rows } from '../../kit/db/db.ts'
import { good, keep, openBackups } from './test/backups.ts'

let b: Awaited<ReturnType<typeof openBackups>>
let bucket: number
const place = { endpoint: 'https://s3.example.net', bucket: 'innkeeper', prefix: 'vault/', region: 'eu-north-1' }
const secret = 'a+secret/of=bucket'
beforeAll(async () => {
  b = await openBackups()
  const wish = { ...place, name: 'Vault', keyId: 'AKID', key: secret, serverId: b.keeper, keep }
  const made = await b.s.call('POST', '/backups/servers/buckets', wish)
  expect(made.status).toBe(201)
  bucket = made.body.data.id
  await b.work()
})
afterAll(() => b.t.close())
const inputs = (name: string) =>
  rows<{ input: Record<string, unknown>; server: number }>(
    b.t.app.db,
    sql`select input, server_id as server from actions where name = ${name} order by action_id desc limit 1`,
  )

it('is ready after its test, beside the backup server of the same machine, and never shows its secret', async () => {
  const [all] = (await b.s.call('GET', '/backups/servers')).body
  expect(all).toMatchObject([
    { name: 'Vault', status: 'ready', disk: null, s3: { ...place, keyId: 'AKID', pathStyle: true } },
    { name: 'backup-1', status: 'ready', s3: null },
  ])
  expect(JSON.stringify(all)).not.toContain(secret)
  const stored = await rows(b.t.app.db, sql`select 1 from actions where input::text like ${`%${secret}%`}`)
  expect(stored).toEqual([])
  const again = { ...place, name: 'Other', keyId: 'AKID', key: secret, serverId: b.keeper, keep }
  expect((await b.s.call('POST', '/backups/servers/buckets', again)).body.fields).toHaveProperty('prefix')
  const odd = { ...again, endpoint: 'https://s3.example.net/path', prefix: '../up/', bucket: 'Not a bucket' }
  const refused = await b.s.call('POST', '/backups/servers/buckets', odd)
  expect(Object.keys(refused.body.fields)).toEqual(expect.arrayContaining(['endpoint', 'bucket', 'prefix']))
})

it('stores backups; their maintenance runs on the server that looks after the bucket', async () => {
  const id = await b.s.site('bucket.example', b.web)
  b.outputs['backup-files.run'] = good(1)
  const made = await b.s.call('POST', '/backups/backups', { websiteId: id, backupServerId: bucket })
  await b.work()
  const backup = (await b.s.call('GET', `/backups/backups/${made.body.data.id}`)).body
  expect(backup).toMatchObject({ status: 2, backupServerName: 'Vault' })
  const [run] = await inputs('backup-files.run')
  expect(run).toMatchObject({ server: b.web, input: { s3: place, key: { $secret: expect.any(String) } } })
  expect(run?.input).not.toHaveProperty('address')
  expect(await inputs('backup-account.ensure')).toEqual([])
  await b.s.call('POST', `/backups/servers/${bucket}/prune`, {})
  await b.work()
  expect(await inputs('backup-repository.prune')).toMatchObject([{ server: b.keeper, input: { s3: place } }])
  const [[repository]] = (await b.s.call('GET', `/backups/repositories?backupServerId=${bucket}`)).body
  expect(repository.address).toBe(`s3:https://s3.example.net/innkeeper/vault/${repository.account}`)
  const shown = (await b.s.call('POST', `/backups/repositories/${repository.id}/password`, {})).body
  expect(shown).toMatchObject({ username: 'AKID', key: secret })
  const copy = { repositoryId: repository.id, backupServerId: b.backupServer, when: null }
  expect((await b.s.call('POST', '/backups/repositories/copies', copy)).body.fields).toHaveProperty('repositoryId')
})

it('can be corrected or removed after a failed test; another folder is refused once it has repositories', async () => {
  const typo = { ...place, bucket: 'inkeeper', prefix: 'second/', name: 'Typo', keyId: 'AKID', key: secret, keep }
  const made = (await b.s.call('POST', '/backups/servers/buckets', { ...typo, serverId: b.keeper })).body.data.id
  await b.work('backup-store.check', 'inkeeper answers 404 to PUT: NoSuchBucket')
  expect((await b.s.call('PATCH', `/backups/servers/buckets/${made}`, { bucket: 'innkeeper' })).status).toBe(202)
  await b.work('backup-store.check')
  expect((await b.s.call('GET', `/backups/servers/${made}`)).body).toMatchObject({ s3: { bucket: 'innkeeper' } })
  expect((await b.s.call('DELETE', `/backups/servers/${made}`, {})).status).toBe(202)
  await b.work()
  expect((await b.s.call('GET', `/backups/servers/${made}`)).status).toBe(404)
  const moved = await b.s.call('PATCH', `/backups/servers/buckets/${bucket}`, { prefix: 'elsewhere/' })
  expect(moved).toMatchObject({ status: 422, body: { fields: { prefix: 'Has repositories' } } })
})

it('receives the copy of a repository and the backups of Innkeeper itself', async () => {
  const wish = { ...place, prefix: 'offsite/', name: 'Offsite', keyId: 'AKID', key: secret, serverId: b.keeper, keep }
  const offsite = (await b.s.call('POST', '/backups/servers/buckets', wish)).body.data.id
  await b.work()
  const s3 = { ...place, prefix: 'offsite/' }
  const id = await b.s.site('copied-to-bucket.example', b.web)
  const { repositoryId } = await b.backUp(id, good(2), { kind: 'file' })
  b.outputs['backup-copy.run'] = {
    ...{ copied: [{ snapshot: good(2).snapshot, copy: good(3).snapshot }], added: 1, missing: [] },
  }
  const made = await b.s.call('POST', '/backups/repositories/copies', { repositoryId, backupServerId: offsite })
  expect(made.body.data).toMatchObject({ targetServerName: 'Offsite', backupServerName: 'backup-1' })
  await b.work()
  const [prepared] = await inputs('backup-copy.prepare')
  expect(prepared).toMatchObject({
    server: b.keeper,
    input: { s3, account: expect.stringContaining(`copy-${repositoryId}-x`) },
  })
  const [backup] = (await b.s.call('GET', '/backups/backups?search=copied-to')).body[0]
  expect(backup).toMatchObject({ copiedTo: 'Offsite', copiedAt: expect.any(String) })
  await b.s.call('DELETE', `/backups/backups/${backup.id}`)
  await b.work()
  await b.s.call('POST', `/backups/repositories/copies/${made.body.data.id}/run`)
  await b.work()
  expect(await inputs('backup-repository.forget')).toMatchObject([
    { server: b.keeper, input: { s3, key: { $secret: expect.any(String) }, snapshots: [good(3).snapshot] } },
  ])
  b.outputs['own-backup.write'] = { size: 10, sha256: 'a'.repeat(64), rows: 7, contents: { users: '1 ab' } }
  b.outputs['own-backup.store'] = { snapshot: good(8).snapshot, bytes: 100, added: 20 }
  b.outputs['own-backup.fetch'] = { size: 12, sha256: 'b'.repeat(64) }
  expect((await b.s.call('POST', '/backups/innkeeper/run', { backupServerId: offsite })).status).toBe(202)
  await b.work()
  const [own] = (await b.s.call('GET', '/backups/innkeeper')).body.items
  expect(own).toMatchObject({ status: 2, backupServerName: 'Offsite', provenAt: expect.any(String) })
  expect(await inputs('own-backup.fetch')).toMatchObject([{ server: b.keeper, input: { s3 } }])
})

it('is tested again with another key, and keeps its objects when it is removed', async () => {
  const [repository] = await rows<{ id: number; account: string; version: number }>(
    b.t.app.db,
    sql`select backup_repository_id as id, account, version from backup_repositories where backup_server_id = ${bucket}`,
  )
  const path = `/backups/servers/buckets/${bucket}`
  expect((await b.s.call('PATCH', path, { keyId: 'AKID2', key: 'another-secret' })).status).toBe(202)
  await b.work('backup-store.check')
  expect((await b.s.call('GET', `/backups/servers/${bucket}`)).body.status).toBe('failed')
  expect((await b.s.call('PATCH', path, { keyId: 'AKID3' })).status).toBe(202)
  await b.work()
  const after = (await b.s.call('GET', `/backups/servers/${bucket}`)).body
  expect(after).toMatchObject({ status: 'ready', s3: { ...place, keyId: 'AKID3' } })
  const gone = { name: repository?.account }
  expect((await b.s.call('DELETE', `/backups/repositories/${repository?.id}`, gone)).status).toBe(202)
  await b.work()
  expect(await inputs('backup-repository.remove')).toEqual([])
  expect((await b.s.call('DELETE', `/backups/servers/${bucket}`, {})).status).toBe(202)
  await b.work()
  expect((await b.s.call('GET', `/backups/servers/${bucket}`)).status).toBe(404)
  const left = await rows(b.t.app.db, sql`select 1 from secrets where name like 'backup-bucket:%'`)
  expect(left).toHaveLength(1) // the repository of the other bucket
})
