import { expect, test } from 'vitest'
import { letPass } from '../../../bin/pass.ts'
import { beside, exclusive, grouped } from './exclusive.ts'

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

test('parts go beside each other, one after the other where they are the same, and never beside the whole', async () => {
  const log: string[] = []
  const gates = new Map<string, PromiseWithResolvers<void>>()
  const work =
    (name: string, gated = true) =>
    async () => {
      log.push(`+${name}`)
      if (gated) {
        const gate = Promise.withResolvers<void>()
        gates.set(name, gate)
        await gate.promise
      }
      log.push(`-${name}`)
      if (name.startsWith('bad')) throw new Error(name)
      return name
    }
  const open = async (name: string) => {
    await expect.poll(() => gates.has(name)).toBe(true)
    gates.get(name)?.resolve()
  }
  const first = exclusive('p', work('whole'))
  await expect.poll(() => log).toEqual(['+whole'])
  const settled = Promise.allSettled([
    first,
    ...[beside('p', '1', work('a')), beside('p', '2', work('bad b')), beside('p', '1', work('c'))],
    ...[exclusive('p', work('all')), beside('p', '1', work('d'))],
  ])
  expect(log).toEqual(['+whole'])
  await open('whole')
  await expect.poll(() => log).toEqual(['+whole', '-whole', '+a', '+bad b'])
  await open('bad b')
  await open('a')
  await open('c')
  await open('all')
  await open('d')
  const ended = await settled
  expect(ended.map((one) => (one.status === 'fulfilled' ? one.value : `${one.reason.message} failed`))).toEqual([
    ...['whole', 'a', 'bad b failed', 'c', 'all', 'd'],
  ])
  expect(log.slice(-6)).toEqual(['+c', '-c', '+all', '-all', '+d', '-d'])
})
