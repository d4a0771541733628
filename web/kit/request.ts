import type { Endpoint } from '@innkeeper/contract/kit'

export interface Request {
  method: string
  /** Path and query below /api. */
  url: string
  body?: BodyInit
  contentType?: string
}

/** Lays one flat input out over path, query and body, as the contract's entry says. */
export function toRequest(endpoint: Endpoint, input: Readonly<Record<string, unknown>> = {}): Request {
  const { method, path, schemas } = endpoint
  const url = path.replace(/:(\w+)/g, (_, key: string) => {
    const value = input[key]
    if (value === undefined || value === null || value === '') throw new Error(`${method} ${path} needs ${key}`)
    return encodeURIComponent(String(value))
  })
  const query = new URLSearchParams()
  for (const [key, schema] of Object.entries(schemas.query?.shape ?? {})) {
    const text = asText(input[key])
    // an empty filter is left out; an empty list of ids means none, and the schema knows which it is
    if (text === undefined || (text === '' && isFilter(schema))) continue
    query.set(key, text)
  }
  const body = pick(schemas.body?.shape, input)
  // clients and proxies drop bodies of DELETE: its fields travel in the query
  if (method === 'DELETE') for (const [key, value] of Object.entries(body)) query.set(key, asText(value) ?? '')
  const search = query.size ? `?${query}` : ''
  const request: Request = { method, url: `/api${url}${search}` }
  if (schemas.form) return { ...request, body: toForm(pick(schemas.form.shape, input)) }
  if (!schemas.body || method === 'DELETE') return request
  return { ...request, body: JSON.stringify(body), contentType: 'application/json' }
}

function pick(shape: object | undefined, input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const keys = Object.keys(shape ?? {}).filter((key) => input[key] !== undefined)
  return Object.fromEntries(keys.map((key) => [key, input[key]]))
}

function asText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  return Array.isArray(value) ? value.map(String).join(',') : String(value)
}

interface Parses {
  safeParse(value: unknown): { success: boolean; data?: unknown }
}
const parses = (schema: unknown): schema is Parses =>
  typeof schema === 'object' && schema !== null && 'safeParse' in schema
function isFilter(schema: unknown): boolean {
  if (!parses(schema)) return true
  const empty = schema.safeParse('')
  return !(empty.success && Array.isArray(empty.data))
}

/** Fields first, then files, as the server reads them. */
function toForm(fields: Record<string, unknown>): FormData {
  const form = new FormData()
  const isFile = (value: unknown): value is Blob => value instanceof Blob
  for (const [key, value] of Object.entries(fields))
    if (!isFile(value)) form.append(key, typeof value === 'object' ? JSON.stringify(value) : String(value))
  for (const [key, value] of Object.entries(fields)) if (isFile(value)) form.append(key, value)
  return form
}
