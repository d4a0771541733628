import { expect, test } from 'vitest'
import { layOut } from './spans.ts'

const seconds = (from: number, started: number, to: number) => ({
  from: from * 1000,
  started: started * 1000,
  to: to * 1000,
})

test('waiting and running are drawn on one scale from the first to the last', () => {
  const { bars, pauses } = layOut([seconds(0, 10, 40), seconds(40, 50, 100)])
  expect(bars[0]).toEqual({ waited: { from: 0, to: 10 }, ran: { from: 10, to: 40 }, waitedMs: 10_000, ranMs: 30_000 })
  expect(bars[1]).toMatchObject({ waited: { from: 40, to: 50 }, ran: { from: 50, to: 100 }, ranMs: 50_000 })
  expect(pauses).toEqual([])
})

test('idle hours are cut out and reported', () => {
  const hours = 5 * 3600
  const { bars, pauses } = layOut([seconds(0, 0, 50), seconds(hours, hours, hours + 50)])
  expect(pauses).toEqual([{ at: expect.closeTo(51.5, 0), ms: hours * 1000 - 50_000 }])
  expect(bars[1]?.ran).toEqual({ from: expect.closeTo(51.5, 0), to: 100 })
})

test('a row without times has no bar', () => {
  expect(layOut([undefined])).toEqual({ bars: [{ waitedMs: 0, ranMs: 0 }], pauses: [] })
})
