import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { letPass } from '../../../../bin/pass.ts'
import { emptyDatabase } from '../../../test/emptyDatabase.ts'
import { type Database, rows } from '../db.ts'
import { openDatabase } from '../open.ts'
import { sharedReads } from './pool.ts'
import { readText } from './prepared.ts'

// the embedded database has one connection
const onPostgres = process.env.TEST_POSTGRES ? it : () => {}

describe('short reads', () => {
  let database: Database
  let drop: () => Promise<void>
  const read = <T>(text: string, ...values: unknown[]) => readText<T>(database.db, text, values, 'kept')
  /** A read that waits while `whileHeld` of the same number runs. */
  const held = (lock: number) => read(`select pg_advisory_xact_lock_shared(${lock})`)
  const whileHeld = (lock: number, work: () => Promise<unknown>) =>
    database.db.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(${lock}::bigint)`)
      await work()
    })
  /** Number of connections that answer 20 reads. */
  const connections = async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => read<{ pid: number }>('select pg_backend_pid() as pid')),
    )
    return new Set(answers.map(([row]) => row?.pid)).size
  }
  beforeAll(async () => {
    const place = await emptyDatabase()
    drop = place.drop
    database = await openDatabase(place.url)
  })
  afterAll(async () => {
    await database.close()
    await drop()
  })

  onPostgres('share two connections', async () => {
    // the pool answers until they are connected
    await expect.poll(connections).toBeLessThanOrEqual(2)
  })

  it('each get their own answer', async () => {
    const asked = Array.from({ length: 300 }, (_, n) => n)
    const answers = await Promise.all(asked.map((n) => read<{ n: number }>('select $1::int as n', n)))
    expect(answers.map(([row]) => row?.n)).toEqual(asked)
  })

  onPostgres('do not wait for a slow read', async () => {
    const done: string[] = []
    let slow: Promise<unknown> | undefined
    await whileHeld(1, async () => {
      slow = held(1).then(() => done.push('slow'))
      await letPass(20, 'the slow read has begun')
      await Promise.all(Array.from({ length: 20 }, () => read('select 1').then(() => done.push('quick'))))
    })
    await slow
    expect(done).toEqual([...Array.from({ length: 20 }, () => 'quick'), 'slow'])
  })

  onPostgres('do not wait for statements that were slow before', async () => {
    for (const _ of [1, 2]) {
      let before: Promise<unknown> | undefined
      await whileHeld(2, async () => {
        before = held(2)
        await letPass(50, 'slower than a read should be')
      })
      await before
    }
    const done: string[] = []
    let slow: Promise<unknown> | undefined
    await whileHeld(2, async () => {
      slow = held(2).then(() => done.push('slow'))
      await Promise.all(Array.from({ length: 20 }, () => read('select 1').then(() => done.push('quick'))))
    })
    await slow
    expect(done).toEqual([...Array.from({ length: 20 }, () => 'quick'), 'slow'])
  })

  onPostgres('are answered even if their connection ends', async () => {
    const reading = Promise.all(
      Array.from({ length: 30 }, (_, n) => read<{ n: number }>('select $1::int as n, pg_sleep(0.01)', n)),
    )
    // a busy machine sends some of these reads to the pool, whose connections are not shared
    const others = sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
      and application_name = ${sharedReads} and query like 'select $1::int as n, pg_sleep%'`
    await expect.poll(async () => (await rows(database.db, others)).length).toBeGreaterThan(0)
    expect((await reading).map(([row]) => row?.n)).toEqual(Array.from({ length: 30 }, (_, n) => n))
    await expect.poll(connections).toBeLessThanOrEqual(2)
  })

  it('report an error to its own caller only', async () => {
    const asked = [4, 0, 2].map((n) => read<{ n: number }>('select 8 / $1::int as n', n))
    const [first, second, third] = await Promise.allSettled(asked)
    expect([first, third]).toEqual([4, 2].map((n) => ({ status: 'fulfilled', value: [{ n: 8 / n }] })))
    expect(second).toMatchObject({ status: 'rejected', reason: { cause: { code: '22012' } } })
  })

  onPostgres('see the writes of a transaction: within it at once, outside after its commit', async () => {
    await database.db.transaction(async (tx) => {
      await tx.execute(sql`insert into owners (name, email) values ('reader', 'reader@example.org')`)
      const count = (db: typeof tx | Database['db']) =>
        readText(db, 'select 1 from owners where name = $1', ['reader'], 'kept')
      expect(await count(tx)).toHaveLength(1)
      expect(await count(database.db)).toHaveLength(0)
    })
    expect(await read('select 1 from owners where name = $1', 'reader')).toHaveLength(1)
  })
})
