import { expect, test } from 'vitest'
import { letPass } from '../../../bin/pass.ts'
import { exclusive } from './exclusive.ts'

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
