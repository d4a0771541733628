import { expect, it } from 'vitest'
import { patientLookup } from './patientLookup.ts'

const late = Object.assign(new Error('getaddrinfo EAI_AGAIN'), { code: 'EAI_AGAIN' })
const there = [{ address: '192.0.2.1', family: 4 }]

/** A resolver that needs this many seconds for each answer, and has none before the last. */
function world(answers: (Error | undefined)[], seconds: number) {
  let clock = 0
  let asked = 0
  const look = patientLookup(
    (_, __, answer) => {
      const error = answers[asked++]
      queueMicrotask(() => {
        clock += seconds * 1000
        answer(error ?? null, error ? [] : there)
      })
    },
    () => clock,
  )
  const lookup = (host: string) =>
    new Promise<unknown>((resolve) => look(host, { all: true }, (error, found) => resolve(error?.message ?? found)))
  return { lookup, asked: () => asked }
}

it('asks a slow resolver again, which goes on meanwhile', async () => {
  const slow = world([late, late, undefined], 10)
  expect(await slow.lookup('slow.example')).toEqual(there)
  const silent = world([late, late, late, late], 10)
  expect(await silent.lookup('silent.example')).toBe(late.message)
  expect(silent.asked()).toBe(4)
})

it('takes an answer that comes at once, also that there is no resolver', async () => {
  const none = world([late, undefined], 0)
  expect(await none.lookup('none.example')).toBe(late.message)
})

it('asks once for all that want the same host', async () => {
  const one = world([undefined, undefined], 1)
  const all = ['a.example', 'a.example', 'b.example', 'a.example'].map(one.lookup)
  expect(await Promise.all(all)).toEqual([there, there, there, there])
  expect(one.asked()).toBe(2)
})
