import fs from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openEmbedded } from './embedded.ts'

afterEach(() => vi.restoreAllMocks())

describe('the embedded database', () => {
  it('syncs its log to the disk before a write is acknowledged', async () => {
    const place = await mkdtemp(join(tmpdir(), 'innkeeper-durable-'))
    const { db, close } = await openEmbedded(join(place, 'db'), { schema: 'as-is' })
    await db.execute(sql`create table written (n int)`)
    const fdatasync = fs.fdatasyncSync
    const synced: string[] = []
    vi.spyOn(fs, 'fdatasyncSync').mockImplementation((fd) => {
      fdatasync(fd)
      synced.push(fs.readlinkSync(`/proc/self/fd/${fd}`))
    })
    await db.execute(sql`insert into written values (1)`)
    expect(synced.filter((path) => path.includes('/pg_wal/'))).toHaveLength(1)
    const since = performance.now()
    for (let n = 0; n < 50; n++) await db.execute(sql`insert into written values (${n})`)
    console.log(`a write with its sync: ${((performance.now() - since) / 50).toFixed(1)} ms`)
    await close()
    await rm(place, { recursive: true })
  })
})
