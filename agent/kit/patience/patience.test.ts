import { afterEach, expect, test } from 'vitest'
import { exclusive, flow, merged, patience, run, until } from '../host.ts'
import { speakingAs } from './speaker.ts'

const usual = { ...patience }
afterEach(() => void Object.assign(patience, usual))
const quick = (values: Partial<typeof patience> = {}) =>
  Object.assign(patience, { firstMs: 50, lookMs: 50, stillMs: 300, sayMs: 60, ...values })

test('waits for a program that works, and ends one that does nothing', async () => {
  quick()
  const spin = 'end=$(($(date +%s%N) + 1200000000)); while [ $(date +%s%N) -lt $end ]; do :; done; echo done'
  expect((await run(['sh', '-c', spin])).stdout).toBe('done\n')
  await expect(run(['sleep', '60'])).rejects.toThrow('sleep has done nothing for 0.3 s and was ended')
  await expect(flow(['sleep', '60'])).rejects.toThrow('has done nothing')
})

test('waits for a program whose child works, and for one for which somebody else works', async () => {
  quick()
  const spin = 'end=$(($(date +%s%N) + 900000000)); while [ $(date +%s%N) -lt $end ]; do :; done'
  expect((await run(['setsid', '--wait', 'sh', '-c', `setsid --wait sh -c '${spin}'`])).code).toBe(0)
  expect((await run(['sleep', '1'], { works: async () => true })).code).toBe(0)
})

test('says for what an operation waits, and who holds it', async () => {
  quick()
  const said: string[] = []
  const as = (name: string, work: () => Promise<unknown>) =>
    speakingAs({ name, isRead: false, say: (text) => said.push(text) }, work)
  const free = Promise.withResolvers<void>()
  const first = as('nginx.ensure', () => exclusive('the web server', () => free.promise))
  const second = as('php.ensure', () => exclusive('the web server', async () => undefined))
  await expect.poll(() => said.join()).toContain('waits for nginx.ensure, which changes the web server, ')
  free.resolve()
  await Promise.all([first, second])
})

test('repeats a look until it succeeds, and throws the last reason after stillness', async () => {
  quick({ answerMs: 300 })
  let tries = 0
  const look = async () => {
    tries++
    if (tries < 4) throw new Error('not yet')
    return tries
  }
  expect(await until({ what: 'it answers', look })).toBe(4)
  let starts = 3
  const starting = async () => starts-- > 0
  const never = { what: 'it answers', look: () => Promise.reject(new Error('answers nonsense')) }
  await expect(until({ ...never, starting })).rejects.toThrow('answers nonsense')
  expect(starts).toBeLessThan(0)
})

test('merges what is asked while a run goes on into one following run', async () => {
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let runs = 0
  const reload = () => merged('reload', () => gates[runs++]?.promise ?? Promise.resolve())
  const all = [reload(), reload(), reload(), reload()]
  gates[0]?.resolve()
  await all[0]
  gates[1]?.resolve()
  await Promise.all(all)
  expect(runs).toBe(2)
  await reload()
  expect(runs).toBe(3)
})
