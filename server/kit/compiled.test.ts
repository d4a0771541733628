import { contract } from '@innkeeper/contract/index'
import type { Endpoint } from '@innkeeper/contract/kit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { saySeed, seed } from '../hostile/seed.ts'
import { compiled, REFUSED } from './compiled.ts'

const answers = Object.entries(contract).flatMap(([domain, calls]) =>
  Object.entries(calls as Record<string, Endpoint>).flatMap(([name, { spec }]) =>
    spec.returns ? [{ name: `${domain}.${name}`, schema: spec.returns }] : [],
  ),
)
saySeed('compiled')

/** Of each text that has a form one at least; patterns that look ahead cannot be drawn from. */
const samples = ['2026-11-21T10:00:00.000Z', 'shop.example.org', 'wp-config.php', 'kari']

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
        'pattern' in rule && rule.pattern instanceof RegExp ? [rule.pattern] : [],
      )
      const made = patterns.filter(({ source }) => !source.includes('(?')).map((pattern) => fc.stringMatching(pattern))
      const known = samples.filter((text) => z.safeParse(schema, text).success)
      const good = [...made, ...(known.length ? [fc.constantFrom(...known)] : [])]
      return fc.oneof(fc.string(), ...good.map((arbitrary) => ({ weight: 50, arbitrary })))
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
