import type { ConfigFile } from '@innkeeper/contract/agent/configs'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { collect } from '../../../recovery/configs/collections/collect.ts'
import { configResets, configServers } from '../../../recovery/configs/tables.ts'
import type { TestApp } from '../../app.ts'
import { answerReads } from '../../work.ts'
import type { Row } from './row.ts'

const path = '/etc/nginx/conf.d/by-hand.conf'
const hashes = ['a', 'b', 'c'].map((letter) => letter.repeat(64))
const file = (n: number): ConfigFile => ({
  ...{ path, service: 'nginx', kind: 'file', hash: hashes[n] ?? null, seal: null, hidden: null, target: null },
  ...{ size: 8, mode: 0o644, owner: 'root', group: 'root', by: 'person', package: null },
  changedAt: '2026-11-21T10:00:00.000Z',
})

/** Three versions of a service, and collections and resets in each state. Returns a file as parameters of the calls. */
export async function makeConfigs(t: TestApp, serverId: number): Promise<Row[]> {
  const { db } = t.app
  for (const n of [0, 1, 2]) await collectOnce(t, serverId, n)
  const [version] = await rows<{ id: number }>(
    db,
    sql`select config_version_id as id from config_versions where number = 2`,
  )
  const about = {
    versionId: version?.id ?? 0,
    serverId,
    serverName: 'web-1',
    service: 'nginx',
    number: 2,
    files: 1,
  } as const
  const by = { action: 'vhost', startedBy: 'keeper' } as const
  await db.insert(configResets).values([
    { ...about, ...by, status: 'done', endedAt: sql`now()` },
    { ...about, ...by, status: 'failed', endedAt: sql`now()`, message: 'nginx refuses this configuration' },
  ])
  return [{ path, paths: [path] }]
}

async function collectOnce(t: TestApp, serverId: number, n: number): Promise<void> {
  const { db } = t.app
  await hold(db, serverId)
  const content = { path, hash: hashes[n] ?? '', content: Buffer.from(`line ${n}\n`).toString('base64') }
  await answerReads(
    db,
    serverId,
    ({ name }) =>
      name === 'configs.list'
        ? { files: [file(n)], skipped: 0, next: null }
        : { contents: [content], rest: [], gone: [] },
    collect(t.app, { id: serverId, name: 'web-1', trigger: 'demand', askedBy: 'keeper' }),
  )
}

const hold = (db: Db, serverId: number) =>
  db
    .insert(configServers)
    .values({ serverId, nextAt: sql`now()`, heldUntil: sql`now() + interval '10 minutes'` })
    .onConflictDoUpdate({ target: configServers.serverId, set: { heldUntil: sql`now() + interval '10 minutes'` } })
