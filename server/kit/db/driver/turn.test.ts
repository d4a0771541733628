import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../../../test/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t?.close())

describe('work that has a transaction open', () => {
  const one = sql`select 1 as one`

  it('is refused a statement, and another transaction, beside it', async () => {
    const { db } = t.app
    const beside = 'beside the transaction of its own work'
    const cause = { cause: expect.objectContaining({ message: expect.stringContaining(beside) }) }
    await expect(db.transaction(() => db.execute(one))).rejects.toMatchObject(cause)
    await expect(db.transaction(() => db.transaction((inner) => inner.execute(one)))).rejects.toThrow(beside)
    const later = async () => {
      await Promise.resolve()
      return await db.execute(one)
    }
    await expect(db.transaction(later)).rejects.toMatchObject(cause)
  })

  it('uses its transaction, also for a transaction within', async () => {
    const found = await t.app.db.transaction((tx) => tx.transaction((inner) => inner.execute(one)))
    expect(found).toMatchObject({ rows: [{ one: 1 }] })
  })

  it('leaves work behind that asks once the transaction has ended', async () => {
    const { db } = t.app
    const ended = Promise.withResolvers<void>()
    let left: Promise<unknown> | undefined
    await db.transaction(async () => {
      left = ended.promise.then(() => db.execute(one))
    })
    ended.resolve()
    expect(await left).toMatchObject({ rows: [{ one: 1 }] })
  })

  it('is heard by work that may ask at once', async () => {
    const { db, database } = t.app
    const heard = Promise.withResolvers<unknown>()
    await database.listen('told', (payload) => {
      if (payload) heard.resolve(db.execute(one))
    })
    await db.transaction((tx) => tx.execute(sql`select pg_notify('told', 'now')`))
    expect(await heard.promise).toMatchObject({ rows: [{ one: 1 }] })
  })

  it('does not hold up other work', async () => {
    const { db } = t.app
    await Promise.all([
      db.transaction((tx) => tx.execute(one)),
      db.execute(one),
      db.transaction((tx) => tx.execute(one)),
    ])
  })
})
