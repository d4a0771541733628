import { expect, it } from 'vitest'
import { letPass } from '../../../../../bin/pass.ts'
import { openLane, readAhead } from './lane.ts'

it('runs at most so many requests at a time, fewer after the help desk was busy, and all of them', async () => {
  const lane = openLane(4)
  const open: (() => void)[] = []
  const all = Array.from({ length: 7 }, (_, n) =>
    lane.run(
      () =>
        new Promise<number>((resolve) => {
          open.push(() => resolve(n))
        }),
    ),
  )
  await expect.poll(() => open.length).toBe(4)
  lane.slow(1)
  for (const end of open.splice(0, 4)) end()
  await expect.poll(() => open.length).toBeGreaterThan(0)
  expect(open.length).toBeLessThan(4)
  let isOver = false
  const answers = Promise.all(all).finally(() => {
    isOver = true
  })
  while (!isOver) {
    open.shift()?.()
    await letPass(5, 'the next requests begin')
  }
  expect(await answers).toEqual([0, 1, 2, 3, 4, 5, 6])
})

it('reads ahead in order, and throws when the turn of the failed item comes', async () => {
  const begun: number[] = []
  const seen: number[] = []
  const read = async (n: number) => {
    begun.push(n)
    if (n === 3) throw new Error('broken')
    return n
  }
  const reading = async () => {
    for await (const n of readAhead([1, 2, 3, 4, 5], 2, read)) seen.push(n)
  }
  await expect(reading()).rejects.toThrow('broken')
  expect(seen).toEqual([1, 2])
  expect(begun).toEqual([1, 2, 3, 4])
})
