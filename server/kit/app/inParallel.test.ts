import { expect, it } from 'vitest'
import { inParallel } from './inParallel.ts'

it('runs a limited number at a time, and returns results in order', async () => {
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<void>())
  const begun: number[] = []
  const all = inParallel([0, 1, 2, 3, 4], 2, async (n) => {
    begun.push(n)
    await gates[n]?.promise
    return n * 10
  })
  expect(begun).toEqual([0, 1])
  gates[1]?.resolve()
  await expect.poll(() => begun).toEqual([0, 1, 2])
  for (const gate of gates) gate.resolve()
  expect(await all).toEqual([0, 10, 20, 30, 40])
})

it('rejects with the first error', async () => {
  const failing = inParallel([1, 2, 3], 2, async (n) => {
    if (n === 2) throw new Error('two')
    return n
  })
  await expect(failing).rejects.toThrow('two')
})
