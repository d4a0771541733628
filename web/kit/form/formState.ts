import type { Endpoint } from '@innkeeper/contract/kit'
import * as z from 'zod'

export type Values = Record<string, unknown>
export type Problems = Record<string, string>

/** Schema of a call for path, query and body together; drops unknown fields. */
export function schemaOf({ schemas }: Endpoint): z.ZodObject {
  const shapes = [schemas.params, schemas.query, schemas.body, schemas.form].map((part) => part?.shape ?? {})
  return z.object(Object.assign({}, ...shapes))
}

/** Converts empty fields: to null where the call accepts null, else omits optional ones. */
export function clean(schema: z.ZodObject, values: Values): Values {
  const field = (key: string, value: unknown) => {
    const part = schema.shape[key]
    if (value !== '' || !part) return value
    if (part.safeParse(null).success) return null
    return part.safeParse(undefined).success ? undefined : value
  }
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, field(key, value)]))
}

/** First error of each field; empty when all fields are valid (RP5-002). */
export function check(schema: z.ZodObject, values: Values): Problems {
  const result = schema.safeParse(clean(schema, values), { reportInput: true })
  const problems: Problems = {}
  for (const issue of result.error?.issues ?? []) {
    const key = String(issue.path[0] ?? '')
    // an empty field is missing, whatever its rule says; an optional one that may not be empty keeps the words of the rule
    problems[key] ??= isBlank(values[key]) && isRequired(schema, key) ? 'Required' : plain(issue)
  }
  return problems
}

const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === ''
const missingValue = (input: unknown) => input === undefined || input === null || input === ''
/** Message of the contract, except one common word for missing values. */
function plain(issue: z.core.$ZodIssue): string {
  const needed = issue.code === 'invalid_type' || issue.code === 'invalid_value' || issue.code === 'invalid_union'
  return needed && missingValue(issue.input) ? 'Required' : issue.message
}

/** Whether the field is required, for the mark beside the label. */
export const isRequired = (schema: z.ZodObject, key: string): boolean =>
  schema.shape[key]?.safeParse(undefined).success === false

/** Fields that another person changed meanwhile, with the stored value and the value of the form. */
export function differences(values: Values, current: unknown): { key: string; stored: unknown; yours: unknown }[] {
  if (typeof current !== 'object' || current === null) return []
  const same = (a: unknown, b: unknown) => JSON.stringify(a ?? '') === JSON.stringify(b ?? '')
  return Object.entries(current)
    .filter(([key, stored]) => key in values && key !== 'version' && !same(stored, values[key]))
    .map(([key, stored]) => ({ key, stored, yours: values[key] }))
}
