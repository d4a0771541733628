import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { begin, carryOut, enrolled, hearAlways, statusesOf, steps } from '../../test/work.ts'
import { looking, lookPatiently } from '../agents/patiently.ts'
import { retryLate } from './lateActions.ts'

let t: TestApp
let web: number
const before = { ...looking }
beforeAll(async () => {
  t = await openTestApp()
  web = await enrolled(t.app.db, 'web-1')
  await hearAlways(t.app.db)
  Object.assign(looking, { pauseMs: 0 })
})
afterAll(async () => {
  Object.assign(looking, before)
  await t.close()
})

const loaded = (load: number) => t.app.db.execute(sql`update server_states set load = ${load}, cores = 2`)

describe('A slow server', () => {
  it('is asked until it answers; one that has time, or answers wrongly, is asked twenty times', async () => {
    const said: string[] = []
    const work = { app: t.app, say: (text: string) => said.push(text), signal: new AbortController().signal }
    const silences: number[] = []
    const asked = (right: number, wrong?: () => boolean) => {
      let n = 0
      return lookPatiently(
        work,
        web,
        async (silenceMs) => {
          silences.push(silenceMs)
          return ++n
        },
        (found) => found === right,
        wrong,
      )
    }
    await loaded(0.5)
    expect(await asked(50)).toBe(20)
    await loaded(40)
    silences.length = 0
    expect(await asked(50)).toBe(50)
    expect(said).toEqual(['web-1 is slow: waits for it'])
    expect(silences.at(-1)).toBe(looking.slowSilenceMs)
    expect(await asked(50, () => true)).toBe(20)
  })

  it('has its failed actions tried again once it has time, a few times; other failures wait for people', async () => {
    const { db } = t.app
    const workflow = await begin(db, { plan: steps(1, web) })
    const fail = async () => {
      await carryOut(db, web, { status: 'failed', reason: 'no answer' })
      await db.execute(sql`update actions set started_at = now() - interval '2 hours', ended_at = now() - interval '1 hour'
        where workflow_id = ${workflow}`)
    }
    const beat = (load: number) =>
      db.execute(sql`insert into heartbeats (server_id, at, cores, load, memory_total, memory_used, disk_total, disk_used)
        values (${web}, now() - interval '1 hour', 2, ${load}, 1, 1, 1, 1)
        on conflict (server_id, at) do update set load = excluded.load`)
    await fail()
    await loaded(0.5)
    await beat(0.5)
    expect(await retryLate(t.app)).toBe(0)
    await db.execute(sql`update heartbeats set load = 30`)
    await loaded(30)
    expect(await retryLate(t.app)).toBe(0)
    await loaded(1)
    for (const _ of [2, 3, 4]) {
      expect(await retryLate(t.app)).toBe(1)
      expect(await statusesOf(db, workflow)).toBe('ready')
      await fail()
    }
    expect(await retryLate(t.app)).toBe(0)
    expect(await statusesOf(db, workflow)).toBe('failed')
  })

  it('whose service was killed has the action tried again, though the server had time', async () => {
    const { db } = t.app
    await loaded(0.5)
    const reasons = {
      'Line 7 of the dump: Lost connection to server during query (MariaDB 2013).': 'ready',
      "mariadb failed: ERROR 2002 (HY000): Can't connect to local server through socket": 'ready',
      'psql failed: FATAL:  the database system is in recovery mode': 'ready',
      'the database shop exists already': 'failed',
    }
    for (const [reason, status] of Object.entries(reasons)) {
      const workflow = await begin(db, { plan: steps(1, web) })
      await carryOut(db, web, { status: 'failed', reason })
      await db.execute(sql`update actions set ended_at = now() - interval '1 hour' where workflow_id = ${workflow}`)
      await db.execute(sql`insert into heartbeats (server_id, at, cores, load, memory_total, memory_used, disk_total, disk_used)
        values (${web}, now() - interval '1 hour', 2, 0.5, 1, 1, 1, 1) on conflict (server_id, at) do update set load = 0.5`)
      await retryLate(t.app)
      expect([reason, await statusesOf(db, workflow)]).toEqual([reason, status])
      if (status === 'ready') await carryOut(db, web)
    }
  })
})
