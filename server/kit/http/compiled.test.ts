import { contract } from '@innkeeper/contract/index'
import type { Endpoint } from '@innkeeper/contract/kit/endpoint'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { saySeed, seed } from '../../test/hostile/seed.ts'
import { compiled, REFUSED } from './compiled.ts'

const answers = Object.entries(contract).flatMap(([domain, calls]) =>
  Object.entries(calls as Record<string, Endpoint>).flatMap(([name, { spec }]) =>
    spec.returns ? [{ name: `${domain}.${name}`, schema: spec.returns }] : [],
  ),
)
saySeed('compiled')

/** A valid example for each text format; patterns with lookahead cannot generate one. */
const samples = [
  ...['2026-11-21T10:00:00.000Z', '2026-11-21', '10:00'],
  ...['shop.example.org', 'wp-config.php', 'kari', 'Europe/Oslo'],
]

/** Usually valid values; sometimes invalid ones, or with extra fields. */
function nearly(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  const odd = fc.oneof(
    fc.anything(),
    fc.constantFrom(null, undefined, '', 0, -0, Number.NaN, 1.5, 2 ** 60, [], {}, true),
  )
  return fc.oneof({ weight: 200, arbitrary: fitting(schema as z.core.$ZodTypes) }, { weight: 1, arbitrary: odd })
}
function fitting(schema: z.core.$ZodTypes): fc.Arbitrary<unknown> {
  const { def } = schema._zod
  const { least, most } = bounds(def.checks)
  switch (def.type) {
    case 'object': {
      const more = fc.record({ somethingMore: fc.anything() })
      const beside = fc.oneof(
        { weight: def.catchall ? 100 : 1, arbitrary: fc.constant({}) },
        { weight: 1, arbitrary: more },
      )
      const named = fc.record(Object.fromEntries(Object.entries(def.shape).map(([key, part]) => [key, nearly(part)])))
      return fc.tuple(named, beside).map(([all, others]) => ({ ...others, ...all }))
    }
    case 'array':
      return fc.array(nearly(def.element), { minLength: least ?? 0, maxLength: least ?? most ?? 3 })
    case 'tuple':
      return fc.tuple(...def.items.map(nearly))
    case 'nullable':
      return fc.option(nearly(def.innerType))
    case 'default':
      return nearly(def.innerType)
    case 'pipe':
      return nearly(def.in)
    case 'optional':
      return fc.option(nearly(def.innerType), { nil: undefined })
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries))
    case 'literal':
      return fc.constantFrom(...def.values)
    case 'union':
      return fc.oneof(...def.options.map(nearly))
    case 'boolean':
      return fc.boolean()
    case 'number':
      if (!('check' in def)) return fc.double({ noNaN: true, noDefaultInfinity: true })
      return fc.oneof({ weight: 50, arbitrary: whole(least, most) }, { weight: 1, arbitrary: fc.integer() })
    case 'string': {
      const patterns = (def.checks ?? []).flatMap(({ _zod: { def: rule } }) =>
        'pattern' in rule && rule.pattern instanceof RegExp ? [rule.pattern] : [],
      )
      // a custom check restricts the values beyond the pattern
      const drawn = (def.checks ?? []).some(({ _zod }) => _zod.def.check === 'custom') ? [] : patterns
      const made = drawn.filter(({ source }) => !source.includes('(?')).map((pattern) => fc.stringMatching(pattern))
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

function whole(least = -(2 ** 31), most = 2 ** 31 - 1): fc.Arbitrary<number> {
  const small = Math.max(least, 0)
  const few = fc.integer({ min: small, max: Math.max(small, Math.min(most, 9)) })
  return fc.oneof(fc.integer({ min: least, max: most }), few)
}

/** The size limits of a number or list. */
function bounds(checks: z.core.$ZodCheck<never>[] = []): { least?: number; most?: number } {
  const found: { least?: number; most?: number } = {}
  for (const { _zod } of checks) {
    // depends on the kind of check
    const rule = _zod.def as { value?: number; minimum?: number; maximum?: number; length?: number }
    if (_zod.def.check === 'greater_than') Object.assign(found, { least: rule.value })
    if (_zod.def.check === 'less_than') Object.assign(found, { most: rule.value })
    if (_zod.def.check === 'min_length') Object.assign(found, { least: rule.minimum })
    if (_zod.def.check === 'length_equals') Object.assign(found, { least: rule.length, most: rule.length })
  }
  return found
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
      expect(made).toEqual(slowly.data) // a key with undefined equals a missing key, as in JSON
    })
    fc.assert(holds, { seed, numRuns: 100 })
    expect(taken).toBeGreaterThan(0)
  })
})
