import fc from 'fast-check'
import * as z from 'zod'

type Json = { [key: string]: unknown }

const jsonOf = (schema: z.ZodType): Json => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json

/** The alternatives of a schema: resolves `anyOf` and lists of types. */
function branches(json: Json): Json[] {
  if (Array.isArray(json.anyOf)) return json.anyOf.flatMap(branches)
  if (Array.isArray(json.oneOf)) return json.oneOf.flatMap(branches)
  if (Array.isArray(json.type)) return json.type.map((type) => ({ ...json, type }))
  return [json]
}

/** Values to try for a schema; not all are valid. */
function candidates(json: Json, words: unknown[]): unknown[] {
  return branches(json).flatMap((one): unknown[] => {
    if (Array.isArray(one.enum)) return one.enum
    if ('const' in one) return [one.const]
    switch (one.type) {
      case 'integer':
      case 'number':
        return [...[1, 2, 3, 4, 5, 6, 7, 8, 12, 20, 100], one.minimum, one.maximum, '3'].filter((n) => n !== undefined)
      case 'boolean':
        return [true, false]
      case 'null':
        return [null]
      case 'array': {
        const items = candidates((one.items as Json | undefined) ?? {}, words).slice(0, 30)
        const least = Number(one.minItems ?? 1)
        const long = least > 1 ? items.map((item) => Array.from({ length: least }, () => item)) : []
        return [[], ...items.map((item) => [item]), items.slice(0, 3), ...long]
      }
      case 'object': {
        const fields = Object.entries((one.properties as { [key: string]: Json } | undefined) ?? {})
        const full = (n: number) =>
          Object.fromEntries(
            fields.map(([key, field]) => {
              const all = candidates(field, words)
              return [key, all[n % Math.max(1, all.length)]]
            }),
          )
        return [{}, ...Array.from({ length: 20 }, (_, n) => full(n))]
      }
      default:
        return words
    }
  })
}

const kept = new WeakMap<z.ZodType, Map<unknown[], unknown[]>>()

/** Values that the field accepts, cached per list of words. */
export function goodValues(field: z.ZodType, words: unknown[]): unknown[] {
  const known = kept.get(field) ?? new Map<unknown[], unknown[]>()
  const values = known.get(words) ?? candidates(jsonOf(field), words).filter((value) => field.safeParse(value).success)
  kept.set(field, known.set(words, values))
  return values
}

/** The JSON types that the schema of a field names; empty if it names none. */
export function typesOf(field: z.ZodType): Set<string> {
  const all = branches(jsonOf(field)).map(({ type, enum: list, const: one }) =>
    typeof type === 'string' ? type : Array.isArray(list) || one !== undefined ? 'string' : undefined,
  )
  return new Set(all.every((type) => type !== undefined) ? all : [])
}

export const typeOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value
}

const deep = (depth: number, open: string, close: string, heart: string) =>
  JSON.parse(open.repeat(depth) + heart + close.repeat(depth)) as unknown

/** Text that often breaks programs. */
export const oddText = fc.oneof(
  fc.constantFrom(
    ...[
      '',
      ' ',
      '\0',
      'a\0b',
      '\ud800',
      'x\udfff',
      '\u202e\u2066gro.elpmaxe',
      '\ufeff',
      '\u2028',
      'İ',
      'ﬃ',
      '💥',
      'e\u0301',
    ],
    ...["'", '"', '\\', "'; select pg_sleep(9); --", '%', '_%', '%00', '%2e%2e%2f', '../../etc/passwd', '/etc/passwd'],
    ...[
      '$(id)',
      '`id`',
      '$\u007b7*7}',
      '{{7*7}}',
      '<script>alert(1)</script>',
      '\r\nX-Odd: 1',
      'a\nb',
      '\x1b[31m',
      '-rf',
      '--',
    ],
    ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'null', 'undefined', 'NaN', 'Infinity', '-0', '1e3'],
    ...['0x10', '١٢', '１', '1_000', '9007199254740993', '-1', '1.5', '1e309', '00', '+1', ' 1 ', '2147483648'],
    ...['x'.repeat(300), 'é'.repeat(254), 'x'.repeat(100_000), 'a.'.repeat(5000), ','.repeat(3000), '1,'.repeat(2000)],
    ...[
      '2026-02-30T25:61:00Z',
      '0000-00-00',
      '+275760-09-13T00:00:00.001Z',
      '[]',
      '{}',
      'W10',
      'WyIiLDFd',
      'WyJ4IiwxXQ',
    ],
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
)

/** Values of every JSON type, including limits and values beyond them. */
export const junk: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: oddText },
  fc.constantFrom(
    ...[null, true, false, 0, -0, -1, 1.5, 2 ** 31, 2 ** 31 - 1, -(2 ** 31), 2 ** 53, 2 ** 63, 1e308, 5e-324],
    ...[
      [],
      {},
      [[]],
      [null],
      [1],
      ['1'],
      { id: 1 },
      { length: 1 },
      { toString: 1 },
      { constructor: { prototype: {} } },
    ],
  ),
  fc.constantFrom(deep(2000, '[', ']', '1'), deep(2000, '{"a":', '}', '1'), Array(5000).fill(1), Array(2000).fill('x')),
  fc.jsonValue({ maxDepth: 3 }),
)
