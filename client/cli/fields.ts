import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import type { Endpoint } from '@innkeeper/contract/kit/endpoint'
import { fileRules } from '@innkeeper/contract/kit/transfer'
import * as z from 'zod'
import { kebab } from './calls.ts'
import { UsageError } from './exit.ts'

export interface Field {
  name: string
  schema: z.ZodType
  place: 'path' | 'query' | 'body'
  isRequired: boolean
}

/** The fields of a call: those of the path first, in their order. */
export function fieldsOf({ schemas }: Endpoint): Field[] {
  const of = (schema: z.ZodObject | undefined, place: Field['place']) =>
    Object.entries(schema?.shape ?? {}).map(([name, field]): Field => {
      const typed = field as z.ZodType // the values of a shape are schemas
      return { name, schema: typed, place, isRequired: place === 'path' || !typed.safeParse(undefined).success }
    })
  return [...of(schemas.params, 'path'), ...of(schemas.query, 'query'), ...of(schemas.body ?? schemas.form, 'body')]
}

/** The field that an option means: by its name, or by a part of its name that one field only, or one required field, has. */
export function fieldNamed(fields: readonly Field[], option: string): Field {
  const plain = (text: string) => text.replaceAll('-', '').toLowerCase()
  const exact = fields.find(({ name }) => plain(name) === plain(option))
  if (exact) return exact
  const alike = fields.filter(({ name }) => plain(name).includes(plain(option)))
  const needed = alike.filter(({ isRequired }) => isRequired)
  const [only] = alike.length === 1 ? alike : needed
  if (only && (alike.length === 1 || needed.length === 1)) return only
  const known = (alike.length ? alike : fields).map(({ name }) => `--${kebab(name)}`).join(', ')
  throw new UsageError(
    alike.length ? `--${option} may mean ${known}` : `There is no option --${option}. Known: ${known || 'none'}`,
  )
}

/** A typed text as the value that the field takes; `found` false: as no value of the field. */
export async function givenValue(
  { schema }: Field,
  texts: readonly (string | true)[],
): Promise<{ value: unknown; found: boolean }> {
  const rules = fileRules(schema)
  if (rules) {
    const files = await Promise.all(texts.map((text) => fileAt(String(text).replace(/^@/, ''))))
    return { value: rules.list ? files : files[0], found: true }
  }
  const [first] = texts
  const several = texts.length > 1 ? texts : typeof first === 'string' ? first.split(',') : []
  const one = texts.length === 1 && first !== undefined ? candidates(first) : []
  const lists = [several.map(String), several.map((text) => Number(text))]
  const value = [...one, ...lists].find((candidate) => schema.safeParse(candidate).success)
  return value === undefined ? { value: texts.length === 1 ? first : texts, found: false } : { value, found: true }
}

function candidates(text: string | true): unknown[] {
  if (text === true) return [true, 'true']
  const isNumber = /^-?\d+(\.\d+)?$/.test(text)
  return [
    text,
    ...(isNumber ? [Number(text)] : []),
    ...(text === 'true' || text === 'false' ? [text === 'true'] : []),
    ...(text === 'null' || text === '' ? [null] : []),
    ...(/^[[{]/.test(text) ? [parsed(text)] : []),
  ]
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`Not JSON: ${text.slice(0, 60)}`)
  }
}

async function fileAt(path: string): Promise<File> {
  const blob = await openAsBlob(path).catch(() => {
    throw new UsageError(`The file ${path} cannot be read`)
  })
  return new File([blob], basename(path))
}

/** The type of a field in words, for the help. */
export function typeText({ schema }: Field): string {
  if (fileRules(schema)) return 'file'
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return shown(json).slice(0, 120)
}

function shown(json: z.core.JSONSchema._JSONSchema): string {
  if (typeof json === 'boolean') return 'value'
  if (json.enum) return json.enum.map(String).join('|')
  if (json.type === 'array')
    return `list of ${typeof json.items === 'object' && !Array.isArray(json.items) ? shown(json.items) : 'values'}`
  if (json.anyOf) return [...new Set(json.anyOf.map(shown))].join(' or ')
  if (json.type === 'object') return 'JSON'
  return json.type ? String(json.type) : 'value'
}
