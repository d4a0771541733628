import fs from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { rows } from '../db.ts'
import { openEmbedded } from './embedded.ts'

afterEach(() => vi.restoreAllMocks())

describe('the embedded database', () => {
  it('syncs its log to the disk by itself soon after a write', { timeout: 120_000 }, async () => {
    const place = await mkdtemp(join(tmpdir(), 'innkeeper-durable-'))
    const { db, close } = await openEmbedded(join(place, 'db'), { schema: 'as-is' })
    const fdatasync = fs.fdatasyncSync
    const synced: string[] = []
    vi.spyOn(fs, 'fdatasyncSync').mockImplementation((fd) => {
      fdatasync(fd)
      synced.push(fs.readlinkSync(`/proc/self/fd/${fd}`))
    })
    await db.execute(sql`create table written (n int)`)
    await db.execute(sql`insert into written values (1)`)
    const [end] = await rows<{ lsn: string }>(db, sql`select pg_current_wal_insert_lsn()::text as lsn`)
    const isFlushed = async () => {
      const [found] = await rows<{ yes: boolean }>(
        db,
        sql`select pg_current_wal_flush_lsn() >= ${end?.lsn}::pg_lsn as yes`,
      )
      return found?.yes
    }
    const since = performance.now()
    await expect.poll(isFlushed, { timeout: 10_000, interval: 20 }).toBe(true)
    console.log(`flushed after ${Math.round(performance.now() - since)} ms`)
    expect(synced.some((path) => path.includes('/pg_wal/'))).toBe(true)
    await close()
    await rm(place, { recursive: true })
  })
})
