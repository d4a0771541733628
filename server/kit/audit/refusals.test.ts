import { expect, it } from 'vitest'
import { refusals } from './refusals.ts'

const limits = { ofPerson: 2, ofGuests: 5, ofAddress: 2 }

it('refused calls of one person get a bounded number of log rows in 15 minutes, without effect on others', () => {
  let now = 0
  const counter = refusals(limits, () => now)
  const of = (person: number) => counter.count(person, '192.0.2.1')
  expect([of(1), of(1), of(1), of(1)].map(({ isLogged }) => isLogged)).toEqual([true, true, false, false])
  expect(of(2)).toEqual({ isLogged: true, isFirstLost: false })
  now = 16 * 60_000
  expect(of(1).isLogged).toBe(true)
})

it('refused guests of one address, or of one /64, take only their own share of the rows of all guests', () => {
  let now = 0
  const counter = refusals(limits, () => now)
  const of = (ip: string) => counter.count(0, ip).isLogged
  expect(Array.from({ length: 9 }, (_, n) => of(`2001:db8::${n}`)).filter(Boolean)).toHaveLength(2)
  expect([of('192.0.2.1'), of('::ffff:192.0.2.1'), of('192.0.2.1')]).toEqual([true, true, false])
  expect(counter.count(0, '192.0.2.2')).toEqual({ isLogged: true, isFirstLost: false })
  expect(counter.count(0, '192.0.2.3')).toEqual({ isLogged: false, isFirstLost: true })
  expect(counter.count(0, '192.0.2.4')).toEqual({ isLogged: false, isFirstLost: false })
  now = 16 * 60_000
  expect(of('192.0.2.1')).toBe(true)
})
