import type { Endpoint } from '@innkeeper/contract/kit/endpoint'
import * as z from 'zod'

type Fields = Readonly<Record<string, unknown>>
/** Paths of fields, and why each is refused. */
type Problems = Record<string, string>

const NO_FIELD = 'This call has no such field'
const IN_ADDRESS = 'Belongs in the address, after the question mark'

/** Fields of a body that the call does not take. They would be dropped without a word. */
export function unknownInBody({ schemas }: Endpoint, body: Fields): Problems {
  // a field of the path may be repeated in the body
  const own = Object.fromEntries(
    Object.entries(body).filter(([key]) => !Object.hasOwn(schemas.params?.shape ?? {}, key)),
  )
  const taken = schemas.body ?? schemas.form ?? z.object({})
  return Object.fromEntries(
    unknownIn(taken, own).map((path) => [
      path,
      Object.hasOwn(schemas.query?.shape ?? {}, path) ? IN_ADDRESS : NO_FIELD,
    ]),
  )
}

/**
 * Parameters of an address that the call does not take: a misspelt filter would list everything. Addresses that need no
 * session are called by gateways and calendars and opened from messages, and others add parameters to them.
 */
export function unknownInQuery({ schemas, access, spec, method }: Endpoint, query: Fields): Problems {
  if (access === 'public') return {}
  const taken = new Set(
    [schemas.params, schemas.query, method === 'DELETE' ? schemas.body : undefined].flatMap((part) =>
      Object.keys(part?.shape ?? {}),
    ),
  )
  if (spec.ticket) taken.add('ticket')
  // a call that takes `filters` lists the filters that it knows
  const filters = [query.filters ?? []].flat()
  const [owned, isSent] = [taken.has('filters') ? filters : [], Array.isArray(query.filters)]
  const unknown = Object.entries(query).filter(
    ([key, value]) => value !== '' && !taken.has(key) && !owned.includes(key) && !(key === 'filters' && isSent),
  )
  return Object.fromEntries(unknown.map(([key]) => [key, 'This call has no such parameter']))
}

/** Paths of the fields within a value that its schema neither takes nor keeps. Text that is no field is the schema's affair. */
export function unknownIn(schema: z.core.$ZodType, value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const { def } = (schema as z.core.$ZodTypes)._zod // Zod's own classes are all members of this union
  switch (def.type) {
    case 'object': {
      if (def.catchall || Array.isArray(value)) return []
      return Object.entries(value).flatMap(([key, inner]) => {
        const field = Object.hasOwn(def.shape, key) ? def.shape[key] : undefined
        return field ? within(key, unknownIn(field, inner)) : [key]
      })
    }
    case 'array':
      return Array.isArray(value) ? value.flatMap((one, n) => within(String(n), unknownIn(def.element, one))) : []
    case 'tuple':
      return Array.isArray(value)
        ? value.flatMap((one, n) => within(String(n), unknownIn(def.items[n] ?? def.rest ?? z.unknown(), one)))
        : []
    case 'record':
      return Object.entries(value).flatMap(([key, inner]) => within(key, unknownIn(def.valueType, inner)))
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
    case 'nonoptional':
    case 'catch':
      return unknownIn(def.innerType, value)
    case 'pipe':
      // what is read before its schema (`preprocess`) has the schema's fields
      return unknownIn(isTransform(def.in) ? def.out : def.in, value)
    case 'union': {
      // of the kinds that accept the value, the one that knows most of it
      const accepting = def.options.filter((one) => z.safeParse(one, value).success)
      const found = accepting.map((one) => unknownIn(one, value)).sort((a, b) => a.length - b.length)
      return found[0] ?? []
    }
    default:
      return []
  }
}

const within = (key: string, paths: string[]) => paths.map((path) => `${key}.${path}`)
const isTransform = (schema: z.core.$ZodType) => (schema as z.core.$ZodTypes)._zod.def.type === 'transform'
