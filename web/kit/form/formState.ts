import type { Endpoint } from '@innkeeper/contract/kit/endpoint'
import * as z from 'zod'
import { formTexts } from './texts.ts'

export type Values = Record<string, unknown>
export type Problems = Record<string, string>

/** Schema of a call for path, query and body together; drops unknown fields. */
export function schemaOf({ schemas }: Endpoint): z.ZodObject {
  const shapes = [schemas.params, schemas.query, schemas.body, schemas.form].map((part) => part?.shape ?? {})
  return z.object(Object.assign({}, ...shapes))
}

/**
 * Converts empty fields: to null where the call accepts null, else omits optional ones. A text that was not empty when
 * the form was opened stays '' where the call accepts it: omitted, it would stay stored.
 */
export function clean(schema: z.ZodObject, values: Values, opened: Values = {}): Values {
  const field = (key: string, value: unknown) => {
    const part = schema.shape[key]
    if (value !== '' || !part) return value
    if (part.safeParse(null).success) return null
    if ((opened[key] ?? '') !== '' && part.safeParse('').success) return ''
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
    problems[key] ??= isBlank(values[key]) && isRequired(schema, key) ? formTexts().required : plain(issue)
  }
  return problems
}

const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === ''
const missingValue = (input: unknown) => input === undefined || input === null || input === ''
/** Message of the contract, except one common word for missing values. */
function plain(issue: z.core.$ZodIssue): string {
  const needed = issue.code === 'invalid_type' || issue.code === 'invalid_value' || issue.code === 'invalid_union'
  return needed && missingValue(issue.input) ? formTexts().required : issue.message
}

/** Whether the field is required, for the mark beside the label. */
export const isRequired = (schema: z.ZodObject, key: string): boolean =>
  schema.shape[key]?.safeParse(undefined).success === false

/**
 * What a form sends: of a change to a stored version, only what its user changed; fields that the call requires, and
 * fields with a default of the call, always.
 */
export function sentOf(endpoint: Endpoint, values: Values, opened: Values): Values {
  const { shape } = schemaOf(endpoint)
  const differs = (key: string) => JSON.stringify(values[key] ?? '') !== JSON.stringify(opened[key] ?? '')
  if (endpoint.method !== 'PATCH' || !shape.version || !Object.keys(values).some(differs)) return values
  const mayLack = (key: string) => {
    const lacking = shape[key]?.safeParse(undefined)
    return lacking?.success === true && lacking.data === undefined
  }
  return Object.fromEntries(Object.entries(values).filter(([key]) => differs(key) || !mayLack(key)))
}
