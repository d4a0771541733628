import { contract } from '@innkeeper/contract/index'
import * as z from 'zod'

type Json = Record<string, unknown>
interface Call {
  method: string
  path: string
  spec: { returns?: z.ZodType }
}

const calls = Object.values(contract).flatMap((all) => Object.values(all as object) as Call[])
/** The call of a request; paths without parameters come first. */
const known = calls
  .filter(({ spec: { returns }, method }) => returns && method === 'GET')
  .toSorted((a, b) => a.path.split(':').length - b.path.split(':').length)
  .map(({ method, path, spec: { returns } }) => ({
    returns: returns as z.ZodType, // filtered above
    pattern: new RegExp(`^${method} ${path.replace(/:\w+\*/g, '.+').replace(/:\w+/g, '[^/]+')}$`),
  }))

/** An answer in the form of the contract to a request for a row that does not exist. */
export function sampleAnswer(request: string): unknown {
  const call = known.find(({ pattern }) => pattern.test(request))
  if (!call) return undefined
  const schema = z.toJSONSchema(call.returns, { io: 'output', unrepresentable: 'any' }) as Json
  return sample(schema, (schema.$defs ?? {}) as Json)
}

/** The answer with a row, if it is an empty list: screens without rows would show no words of anybody. */
export function withRow(answer: Json, request: string): Json {
  if (!Array.isArray(answer.items) || answer.items.length) return answer
  const call = known.find(({ pattern }) => pattern.test(request))
  if (!call) return answer
  const schema = z.toJSONSchema(call.returns, { io: 'output', unrepresentable: 'any' }) as Json
  const items = (schema.properties as Json | undefined)?.items as Json | undefined
  if (!items?.items) return answer
  const row = sample(items.items as Json, (schema.$defs ?? {}) as Json)
  return { ...answer, items: [row], ...(typeof answer.total === 'number' && { total: 1 }) }
}

/** Values of the forms that the contract knows. The first one that a pattern takes is used. */
const forms = [
  ...['12:30', '2026-11-20', '2026-11', '11-20', '#aabbcc', 'shown.example', '10.0.0.1', '10.0.0.0/8', 'P1D'],
  ...['a', 'A', '1', 'ab12', 'a@customer.example', '/a', '0'.repeat(64)],
]
const dated: Record<string, string> = {
  'date-time': '2026-11-20T10:00:00.000Z',
  ...{ date: '2026-11-20', time: '10:00:00', email: 'a@customer.example', uuid: crypto.randomUUID() },
}

/** Fields that the contract takes for texts, and every screen for days and times. */
const named: [RegExp, string][] = [
  [/At$/, '2026-11-20T10:00:00.000Z'],
  [/Local$/, '2026-11-20T10:00'],
  [/^timeZone$/, 'Europe/Oslo'],
  [/^(?:date|day|from|to|until|month|period|today|occurrence)$|Date$|On$|Month$/, '2026-11-20'],
  [/Time$/, '12:30'],
]

/** A value of a schema: every field is there, choices are the first ones, texts say whose they are. */
function sample(schema: Json, defs: Json, name = 'row'): unknown {
  if (typeof schema.$ref === 'string') return sample(defs[schema.$ref.split('/').at(-1) ?? ''] as Json, defs, name)
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  for (const key of ['anyOf', 'oneOf'] as const) {
    const choices = schema[key] as Json[] | undefined
    if (choices) return sample(choices.find(({ type }) => type !== 'null') ?? {}, defs, name)
  }
  if (Array.isArray(schema.allOf))
    return Object.assign({}, ...schema.allOf.map((one) => sample(one as Json, defs, name)))
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries((schema.properties ?? {}) as Json).map(([key, one]) => [key, sample(one as Json, defs, key)]),
      )
    case 'array':
      return Array.isArray(schema.prefixItems)
        ? schema.prefixItems.map((one) => sample(one as Json, defs, name))
        : schema.items
          ? [sample(schema.items as Json, defs, name)]
          : []
    case 'integer':
    case 'number':
      return Math.min(Math.max(Number(schema.minimum ?? 1), 1), Number(schema.maximum ?? 1e9))
    case 'boolean':
      return false
    case 'string': {
      const { format, pattern } = schema as { format?: string; pattern?: string }
      if (format && dated[format]) return dated[format]
      const [, usual] = named.find(([names]) => names.test(name)) ?? []
      if (!pattern && usual) return usual
      return (pattern && forms.find((one) => new RegExp(pattern, 'u').test(one))) ?? `Some ${name}`
    }
    default:
      return null
  }
}
