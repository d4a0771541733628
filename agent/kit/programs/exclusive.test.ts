import { expect, test } from 'vitest'
import { letPass } from '../../../bin/pass.ts'
import { exclusive, grouped } from './exclusive.ts'

test('runs one task per key at a time, in order, also after a failure, and other keys in parallel', async () => {
  const log: string[] = []
  const work =
    (name: string, fails = false) =>
    async () => {
      log.push(`+${name}`)
      await letPass(20, 'a task takes time')
      log.push(`-${name}`)
      if (fails) throw new Error(name)
      return name
    }
  const all = [
    exclusive('k', work('a', true)),
    exclusive('k', work('b')),
    exclusive('other', work('c')),
    exclusive('k', work('d')),
  ]
  const ended = await Promise.allSettled(all)
  expect(ended.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled'])
  expect(log.filter((line) => !line.endsWith('c'))).toEqual(['+a', '-a', '+b', '-b', '+d', '-d'])
  expect(log.indexOf('+c')).toBeLessThan(log.indexOf('-a'))
})

test('takes changes that wait one behind the other in one run, and none past somebody who asked between them', async () => {
  const runs: string[][] = []
  const gate = Promise.withResolvers<void>()
  const ask = (change: string) =>
    grouped<string, string>('g', change, async (changes) => {
      runs.push([...changes])
      if (runs.length === 1) await gate.promise
      return changes.map((one) =>
        one === 'bad'
          ? { status: 'rejected', reason: new Error('refused') }
          : { status: 'fulfilled', value: `+${one}` },
      )
    })
  const first = ask('a')
  await expect.poll(() => runs).toEqual([['a']])
  const all = [ask('b'), ask('bad'), ask('c'), exclusive('g', async () => void runs.push(['alone'])), ask('d')]
  gate.resolve()
  const ended = await Promise.allSettled([first, ...all])
  expect(runs).toEqual([['a'], ['b', 'bad', 'c'], ['alone'], ['d']])
  expect(ended.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.message))).toEqual([
    ...['+a', '+b', 'refused', '+c', undefined, '+d'],
  ])
})

test('a run that fails as a whole fails all its changes, and the next one begins', async () => {
  const ask = (change: string, work: () => Promise<PromiseSettledResult<string>[]>) => grouped('h', change, work)
  const gate = Promise.withResolvers<void>()
  const holds = exclusive('h', () => gate.promise)
  const fails = () => Promise.reject(new Error('no disk'))
  const both = Promise.allSettled([ask('a', fails), ask('b', fails)])
  gate.resolve()
  await holds
  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await ask('c', async () => [{ status: 'fulfilled', value: 'c' }])).toBe('c')
})
