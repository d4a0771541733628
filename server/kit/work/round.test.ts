import pino from 'pino'
import { expect, it, vi } from 'vitest'
import { conflict, refused } from '../http/errors.ts'
import { eachOf } from './round.ts'

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
