import { contract } from '@innkeeper/contract/index'
import type { Endpoint } from '@innkeeper/contract/kit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type * as z from 'zod'
import { saySeed, seed } from '../hostile/seed.ts'
import { compiled, REFUSED } from './compiled.ts'

const answers = Object.entries(contract).flatMap(([domain, calls]) =>
  Object.entries(calls as Record<string, Endpoint>).flatMap(([name, { spec }]) =>
    spec.returns ? [{ name: `${domain}.${name}`, schema: spec.returns }] : [],
  ),
)
saySeed('compiled')

/** Mostly what the schema takes; now and then something else, or something more. */
function nearly(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  const odd = fc.oneof(
    fc.anything(),
    fc.constantFrom(null, undefined, '', 0, -0, Number.NaN, 1.5, 2 ** 60, [], {}, true),
  )
  return fc.oneof({ weight: 200, arbitrary: fitting(schema as z.core.$ZodTypes) }, { weight: 1, arbitrary: odd })
}
function fitting(schema: z.core.$ZodTypes): fc.Arbitrary<unknown> {
  const { def } = schema._zod
  switch (def.type) {
    case 'object': {
      const more = fc.option(fc.record({ somethingMore: fc.anything() }), { nil: {}, freq: 8 })
      const named = fc.record(Object.fromEntries(Object.entries(def.shape).map(([key, part]) => [key, nearly(part)])))
      return fc.tuple(named, more).map(([all, others]) => ({ ...others, ...all }))
    }
    case 'array':
      return fc.array(nearly(def.element), { maxLength: 3 })
    case 'nullable':
      return fc.option(nearly(def.innerType))
    case 'optional':
      return fc.option(nearly(def.innerType), { nil: undefined })
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries))
    case 'boolean':
      return fc.boolean()
    case 'number':
      return 'check' in def ? fc.oneof(fc.integer(), fc.nat(9)) : fc.double({ noNaN: true, noDefaultInfinity: true })
    case 'string': {
      const patterns = (def.checks ?? []).flatMap(({ _zod: { def: rule } }) =>
        'pattern' in rule && rule.pattern instanceof RegExp ? [fc.stringMatching(rule.pattern)] : [],
      )
      return fc.oneof(fc.string(), fc.constant('2026-11-21T10:00:00.000Z'), ...patterns)
    }
    case 'record':
      return fc.dictionary(nearly(def.keyType).map(String), nearly(def.valueType), { maxKeys: 3 })
    default:
      return fc.anything()
  }
}

describe('a compiled schema answers as Zod does', () => {
  it.each(answers)('for $name', ({ schema }) => {
    const quickly = compiled(schema)
    let taken = 0
    const holds = fc.property(nearly(schema), (value) => {
      const slowly = schema.safeParse(value)
      const made = quickly(value)
      expect(made !== REFUSED).toBe(slowly.success)
      if (!slowly.success) return
      taken++
      expect(made).toEqual(slowly.data) // a key that is there as undefined is as one that is not: JSON has neither
    })
    fc.assert(holds, { seed, numRuns: 100 })
    expect(taken).toBeGreaterThan(0)
  })
})
