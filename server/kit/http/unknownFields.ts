import type { Endpoint } from '@innkeeper/contract/kit/endpoint'
import * as z from 'zod'

type Fields = Readonly<Record<string, unknown>>
/** Paths of fields, and why each is refused. */
type Problems = Record<string, string>

const NO_FIELD = 'This call has no such field'
/** Fields that a refusal names. A body of megabytes has a million, and nobody reads more than some. */
const MOST_NAMED = 50
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

/**
 * Paths of the first fields within a value that its schema neither takes nor keeps. Text that is no field is the schema's
 * affair. Bodies may have a million values: schemas that hold no object and lists that are too long are not looked into, and
 * the search ends early.
 */
export function unknownIn(schema: z.core.$ZodType, value: unknown): string[] {
  const found: string[] = []
  look(schema, value, [], found)
  return found
}

/** `at` are the names on the way to this value; they are joined only for what is found. */
function look(schema: z.core.$ZodType, value: unknown, at: string[], found: string[]): void {
  if (typeof value !== 'object' || value === null || !holdsFields(schema)) return
  const { def } = (schema as z.core.$ZodTypes)._zod // Zod's own classes are all members of this union
  const within = (key: string, inner: z.core.$ZodType, one: unknown) => {
    if (typeof one !== 'object' || found.length >= MOST_NAMED) return
    at.push(key)
    look(inner, one, at, found)
    at.pop()
  }
  switch (def.type) {
    case 'object':
      if (def.catchall || Array.isArray(value)) return
      for (const [key, one] of Object.entries(value)) {
        const field = Object.hasOwn(def.shape, key) ? def.shape[key] : undefined
        if (field) within(key, field, one)
        else if (found.length < MOST_NAMED) found.push([...at, key].join('.'))
      }
      return
    case 'array':
    case 'tuple':
      if (!Array.isArray(value) || isTooLong(schema, value)) return
      for (const [n, one] of value.entries()) {
        if (found.length >= MOST_NAMED) return
        const element = def.type === 'array' ? def.element : (def.items[n] ?? def.rest)
        if (element) within(String(n), element, one)
      }
      return
    case 'record':
      for (const [key, one] of Object.entries(value)) within(key, def.valueType, one)
      return
    case 'union': {
      // of the kinds that accept the value, the one that knows most of it
      const accepting = def.options.filter((one) => z.safeParse(one, value).success)
      const [best = []] = accepting.map((one) => unknownIn(one, value)).sort((a, b) => a.length - b.length)
      found.push(...best.slice(0, MOST_NAMED - found.length).map((path) => [...at, path].join('.')))
      return
    }
    default: {
      const [inner] = innerOf(def)
      if (inner) look(inner, value, at, found)
    }
  }
}

/** Whether a list has more entries than its schema takes, which refuses it whole. */
const isTooLong = (schema: z.core.$ZodType, { length }: readonly unknown[]) =>
  (schema._zod.def.checks ?? []).some((one) => {
    const { check, maximum } = one._zod.def as { check: string; maximum?: unknown } // kinds of checks that Zod has
    return check === 'max_length' && typeof maximum === 'number' && length > maximum
  })

/** The schemas that a schema is made of. */
function innerOf(def: z.core.$ZodTypes['_zod']['def']): readonly z.core.$ZodType[] {
  switch (def.type) {
    case 'object':
      return Object.values(def.shape)
    case 'array':
      return [def.element]
    case 'tuple':
      return [...def.items, ...(def.rest ? [def.rest] : [])]
    case 'record':
      return [def.valueType]
    case 'union':
      return def.options
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
    case 'nonoptional':
    case 'catch':
      return [def.innerType]
    case 'pipe':
      // what is read before its schema (`preprocess`) has the schema's fields
      return [isTransform(def.in) ? def.out : def.in]
    default:
      return []
  }
}

const known = new WeakMap<z.core.$ZodType, boolean>()
/** Whether a value of this schema may have fields that the schema does not take. */
function holdsFields(schema: z.core.$ZodType): boolean {
  const before = known.get(schema)
  if (before !== undefined) return before
  const { def } = (schema as z.core.$ZodTypes)._zod // see above
  const holds = def.type === 'object' ? !def.catchall : innerOf(def).some(holdsFields)
  known.set(schema, holds)
  return holds
}

const isTransform = (schema: z.core.$ZodType) => (schema as z.core.$ZodTypes)._zod.def.type === 'transform'
