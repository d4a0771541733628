import * as z from 'zod'
import { ScimError } from './errors.ts'
import { type Filter, plain, readFilter } from './filter.ts'

type Json = Record<string, unknown>

const MOST_OPERATIONS = 200
const PatchOp = z.looseObject({
  Operations: z
    .array(
      z.looseObject({
        op: z
          .string()
          .transform((op) => op.toLowerCase())
          .pipe(z.enum(['add', 'replace', 'remove'])),
        path: z.string().max(500).optional(),
        value: z.unknown().optional(),
      }),
    )
    .min(1)
    .max(MOST_OPERATIONS),
})

interface Path {
  attribute: string
  filter?: Filter
  sub?: string
}

/** `emails[type eq "work"].value`, `name.givenName` or `members`. */
const pathPattern =
  /^((?:urn:[\w:.-]{1,150}:)?[A-Za-z$][\w$-]{0,60})(?:\[([^\]]{1,400})\])?(?:\.([A-Za-z$][\w$-]{0,60}))?$/

function readPath(text: string): Path {
  const [, attribute, filter, sub] = pathPattern.exec(text) ?? []
  if (!attribute) throw new ScimError(400, `The path ${text.slice(0, 100)} cannot be read`, 'invalidPath')
  return { attribute: plain(attribute), ...(filter && { filter: readFilter(filter) }), ...(sub && { sub }) }
}

/**
 * Applies a PATCH (RFC 7644, section 3.5.2) to a resource and returns the changed copy. Names of attributes are compared
 * without case. Attributes that Innkeeper does not keep change the copy only.
 */
export function patched(resource: Json, body: unknown): Json {
  const read = PatchOp.safeParse(body)
  if (!read.success) throw new ScimError(400, z.prettifyError(read.error).slice(0, 300), 'invalidSyntax')
  const copy = structuredClone(resource)
  for (const { op, path, value } of read.data.Operations) {
    if (path !== undefined) change(copy, op, readPath(path), value)
    else if (op === 'remove') throw new ScimError(400, 'A removal needs a path', 'noTarget')
    else if (!isObject(value)) throw new ScimError(400, 'Without a path, the value is an object', 'invalidValue')
    // some providers send paths as names: "name.givenName"
    else for (const [key, one] of Object.entries(value)) change(copy, op, readPath(key), one)
  }
  return copy
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const keyIn = (object: Json, name: string) =>
  Object.keys(object).find((key) => key.toLowerCase() === name.toLowerCase()) ?? name

type Op = 'add' | 'replace' | 'remove'

function change(resource: Json, op: Op, path: Path, value: unknown): void {
  const key = keyIn(resource, path.attribute)
  if (path.filter) {
    changeMatching(resource, key, op, path, path.filter, value)
    return
  }
  if (path.sub !== undefined) {
    const inner = isObject(resource[key]) ? resource[key] : {}
    resource[key] = inner
    setOrRemove(inner, keyIn(inner, path.sub), op, value)
    return
  }
  const before = resource[key]
  if (Array.isArray(before) && op === 'add') resource[key] = joined(before, [value].flat())
  // some providers name the members to remove in the value
  else if (Array.isArray(before) && op === 'remove' && value !== undefined && value !== null)
    resource[key] = before.filter((one) => ![value].flat().some((gone) => same(one, gone)))
  else if (Array.isArray(before) && op === 'replace') resource[key] = [value].flat()
  else setOrRemove(resource, key, op, value)
}

function setOrRemove(object: Json, key: string, op: Op, value: unknown): void {
  if (op === 'remove') delete object[key]
  else object[key] = isObject(object[key]) && isObject(value) ? { ...object[key], ...value } : value
}

function changeMatching(resource: Json, key: string, op: Op, { sub }: Path, filter: Filter, value: unknown): void {
  const all = [resource[key] ?? []].flat()
  const fits = (one: unknown) =>
    isObject(one) && String(one[keyIn(one, filter.attribute)]).toLowerCase() === String(filter.value).toLowerCase()
  if (op === 'remove' && sub === undefined) {
    resource[key] = all.filter((one) => !fits(one))
    return
  }
  const found = all.filter(fits) as Json[]
  if (!found.length && op !== 'remove') {
    const made: Json = { [filter.attribute]: filter.value }
    all.push(made)
    found.push(made)
  }
  for (const one of found) {
    if (sub !== undefined) setOrRemove(one, keyIn(one, sub), op, value)
    else if (isObject(value)) Object.assign(one, value)
  }
  resource[key] = all
}

const nameOf = (one: unknown) => (isObject(one) ? one.value : one)
const same = (a: unknown, b: unknown) => String(nameOf(a)) === String(nameOf(b))

/** The values of both lists, each once. */
function joined(before: unknown[], more: unknown[]): unknown[] {
  const known = new Set(before.map((one) => String(nameOf(one))))
  return [...before, ...more.filter((one) => !known.has(String(nameOf(one))))]
}
