import * as z from 'zod'

type Json = { [key: string]: unknown }
const LONG = 100_000

const words = (longest: number): string[] => [
  ...[
    '',
    ' ',
    'a',
    'é',
    '\u{1f600}',
    '\u202egnp.exe',
    'Æ ﬁ ı',
    "'; drop table users; --",
    '%_\\',
    '<img src=x onerror=alert(1)>',
  ],
  ...[
    '../../etc/passwd',
    '-rf',
    '$(id)',
    '{}',
    '0',
    'null',
    'constructor',
    '__proto__',
    'a\nb',
    '2026-02-29',
    '2027-01-01',
  ],
  ...['x'.repeat(longest), '\u{1f600}'.repeat(Math.floor(longest / 2)), 'x'.repeat(Math.max(0, longest - 1))],
]
const numbers = [
  0,
  -1,
  1,
  2,
  3,
  0.5,
  -0,
  1e-7,
  2_147_483_647,
  2_147_483_648,
  -2_147_483_648,
  Number.MAX_SAFE_INTEGER,
  1e300,
]

/** Values at the edges of a schema, and of `present`, the value that succeeds. Some are not valid. */
function candidates(json: Json, present: unknown): unknown[] {
  const among = [json.anyOf, json.oneOf].find(Array.isArray) as Json[] | undefined
  if (among) return among.flatMap((one) => candidates(one, present))
  if (Array.isArray(json.enum)) return json.enum
  if ('const' in json) return [json.const]
  if (json.type === 'null') return [null]
  if (json.type === 'boolean') return [true, false]
  if (json.type === 'integer' || json.type === 'number')
    return [...numbers, json.minimum, json.maximum, json.exclusiveMinimum].filter((one) => one !== undefined)
  if (json.type === 'array') {
    const held = Array.isArray(present) ? present : []
    const item = (json.items as Json | undefined) ?? {}
    const edges = candidates(item, held[0])
    const most = Math.min(Number(json.maxItems ?? 1000), 1000)
    const [first = edges[0]] = held
    return [
      ...[[], [...held, ...held], [first, first], Array.from({ length: most }, () => first)],
      ...[Array.from({ length: most }, (_, n) => n + 1), [...held, 999_999_999]],
      ...edges.map((one) => [one]),
    ]
  }
  if (json.type === 'object') {
    const held = (typeof present === 'object' && present !== null ? present : {}) as Json
    return [
      {},
      ...Object.entries((json.properties as { [key: string]: Json } | undefined) ?? {}).flatMap(([key, field]) =>
        candidates(field, held[key]).map((value) => ({ ...held, [key]: value })),
      ),
    ]
  }
  return words(Math.min(Number(json.maxLength ?? LONG), LONG))
}

/** Values that the field accepts: its edges, none, and the value that is there twice or in another form. */
export function edgesOf(field: z.ZodType, present: unknown): unknown[] {
  const json = z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' }) as Json
  return [undefined, null, ...candidates(json, present)].filter((value) => field.safeParse(value).success)
}
