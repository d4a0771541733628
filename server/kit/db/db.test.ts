import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { actionLogs } from '../../tables.ts'
import { emptyDatabase } from '../../test/emptyDatabase.ts'
import { rows } from './db.ts'
import { lockFolder } from './folderLock.ts'
import { openDatabase } from './open.ts'

afterEach(() => vi.unstubAllEnvs())

// roles and nodes need PostgreSQL
const onPostgres = process.env.TEST_POSTGRES ? describe : () => {}

onPostgres('a database with a separate role for serving', () => {
  it('allows that role everything but changes of the action log', async () => {
    const place = await emptyDatabase()
    const owner = await openDatabase(place.url)
    await owner.db.execute(sql`drop role if exists innkeeper_test_serves`)
    await owner.db.execute(sql`create role innkeeper_test_serves login`)
    const url = new URL(place.url)
    url.username = 'innkeeper_test_serves'
    vi.stubEnv('DATABASE_OWNER_URL', place.url)
    const serving = await openDatabase(url.href)
    try {
      await serving.db
        .insert(actionLogs)
        .values({ staffName: 'somebody', service: 'x', action: 'y', result: 'success' })
      await owner.db.execute(sql`alter table action_logs disable trigger all`) // the grants alone must protect the log
      await expect(serving.db.execute(sql`update action_logs set staff_name = 'nobody'`)).rejects.toThrow()
      await expect(serving.db.execute(sql`delete from action_logs`)).rejects.toThrow()
      await expect(serving.db.execute(sql`truncate action_logs`)).rejects.toThrow()
      await serving.db.execute(sql`update plans set version = version + 1`)
    } finally {
      await serving.close()
      await owner.db.execute(sql`drop owned by innkeeper_test_serves`)
      await owner.db.execute(sql`drop role innkeeper_test_serves`)
      await owner.close()
      await place.drop()
    }
  })
  it('is migrated once by two processes that start together', async () => {
    const place = await emptyDatabase()
    const both = await Promise.all([openDatabase(place.url), openDatabase(place.url)])
    expect(await rows(both[0].db, sql`select name from plans`)).toHaveLength(5)
    await Promise.all(both.map((database) => database.close()))
    await place.drop()
  })
})

onPostgres('a database that cannot be opened', () => {
  const server = new URL(process.env.TEST_POSTGRES ?? 'postgres://none')
  const at = (change: Partial<Record<'username' | 'pathname' | 'port' | 'hostname', string>>) =>
    Object.assign(new URL(server), change).href
  it.each([
    [{ username: 'nobody-here' }, /^DATABASE_URL \(nobody-here@.*\): role "nobody-here" does not exist$/],
    [{ pathname: '/none' }, /^DATABASE_URL \(.*\/none\): database "none" does not exist$/],
    [{ port: '1' }, /^DATABASE_URL \(.*\): connect ECONNREFUSED/],
    [
      { hostname: 'none.invalid' },
      /^DATABASE_URL \(.*none\.invalid.*\): getaddrinfo (ENOTFOUND|EAI_AGAIN) none\.invalid$/,
    ],
  ] as const)('is named with the reason of PostgreSQL: %o', async (change, message) => {
    await expect(openDatabase(at(change), { now: true })).rejects.toThrow(message)
  })
  it('is named as DATABASE_OWNER_URL if only the role that owns the tables is wrong', async () => {
    vi.stubEnv('DATABASE_OWNER_URL', at({ username: 'nobody-here' }))
    await expect(openDatabase(server.href, { now: true })).rejects.toThrow(/^DATABASE_OWNER_URL \(nobody-here@/)
  })
})

it('a transaction whose callback returns a query without await runs the query once', async () => {
  const place = await emptyDatabase()
  const { db, close } = await openDatabase(place.url)
  await db.transaction((tx) => tx.execute(sql`insert into owners (name, email) values ('once', 'once@example.org')`))
  expect(await rows(db, sql`select from owners`)).toHaveLength(1)
  await close()
  await place.drop()
})

describe('a data folder', () => {
  it('is locked by one process, which the error names', () => {
    const folder = mkdtempSync('/tmp/innkeeper-lock-')
    const unlock = lockFolder(folder)
    expect(() => lockFolder(folder)).toThrow(`in use by process ${process.pid}`)
    unlock()
    writeFileSync(`${folder}/innkeeper.lock`, '999999 1') // left by a dead process
    lockFolder(folder)()
    rmSync(folder, { recursive: true })
  })
})
