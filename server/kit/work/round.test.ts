import { sql } from 'drizzle-orm'
import pino from 'pino'
import { expect, it, vi } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { rows } from '../db/db.ts'
import { conflict, refused } from '../http/errors.ts'
import { eachOf, failedLast } from './round.ts'

const log = pino({ level: 'silent' })

it('an item that fails does not keep the others from their turn', async () => {
  const logged = vi.spyOn(log, 'error')
  const done: number[] = []
  const ends: string[] = []
  const work = async (n: number) => {
    if (n === 1) throw new Error('broken')
    if (n === 2) throw refused('not so')
    if (n === 3) throw conflict('busy')
    done.push(n)
  }
  await eachOf({ log }, 'numbers', [1, 2, 3, 4, 5], work, {
    refused: (n, { message }) => ends.push(`${n} ${message}`),
    failed: (n) => ends.push(`${n} failed`),
  })
  expect([done, ends]).toEqual([
    [4, 5],
    ['1 failed', '2 not so', '3 busy'],
  ])
  expect(logged.mock.calls.map(([line]) => line)).toMatchObject([{ id: 1 }])
  // without handlers, a 409 is left to the next round and another refusal is logged
  await eachOf({ log }, 'numbers', [2, 3], work)
  expect(logged.mock.calls.map(([line]) => line)).toMatchObject([{ id: 1 }, { id: 2 }])
})

it('ends when the database is away', async () => {
  const away = Object.assign(new Error('the database system is shutting down'), { code: '57P03' })
  const work = vi.fn().mockRejectedValue(away)
  await expect(eachOf({ log }, 'numbers', [1, 2], work)).rejects.toBe(away)
  expect(work).toHaveBeenCalledTimes(1)
})

it('items that always fail do not stay first in a line of which a round takes some', async () => {
  const { app, close } = await openTestApp()
  const done = new Set<number>()
  let [areAway, tried] = [true, 0]
  const round = async () => {
    const due = await rows<{ id: number }>(
      app.db,
      sql`select id from generate_series(1, 9) id where id <> all(${sql.param([...done])}::int[])
        order by ${failedLast(app, 'line', sql`id`)}, id limit 3`,
    )
    await eachOf(app, 'line', due, async ({ id }) => {
      tried += 1
      if (areAway && id <= 3) throw id === 1 ? new Error('broken') : id === 2 ? refused('not so') : conflict('busy')
      done.add(id)
    })
  }
  for (let n = 0; n < 3; n++) await round()
  expect([...done]).toEqual([4, 5, 6, 7, 8, 9])
  for (let n = 0; n < 2; n++) await round()
  expect(tried).toBe(15) // once nothing else is due, they are tried each time
  areAway = false
  await round()
  expect(done.size).toBe(9)
  await close()
})
