import { expect, it } from 'vitest'
import { refusals } from './refusals.ts'

it('refused calls of one person get a bounded number of log rows in 15 minutes, without effect on others', () => {
  let now = 0
  const counter = refusals(2, () => now)
  const of = (person: number) => counter.count(person)
  expect([of(1), of(1), of(1), of(1)].map(({ isLogged }) => isLogged)).toEqual([true, true, false, false])
  expect(of(2)).toEqual({ isLogged: true, isFirstLost: false })
  now = 16 * 60_000
  expect(of(1).isLogged).toBe(true)
})
