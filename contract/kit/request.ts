import { type Endpoint, pathKey } from './endpoint.ts'

export interface Request {
  method: string
  /** Path and query string below /api. */
  url: string
  body?: string | FormData | Blob
  contentType?: string
}

/** Distributes a flat input over path, query string and body, as the endpoint of the contract defines. */
export function toRequest(endpoint: Endpoint, input: Readonly<Record<string, unknown>> = {}): Request {
  const { method, path, schemas, spec } = endpoint
  const url = path.replace(pathKey, (mark, key: string) => {
    const value = input[key]
    if (value === undefined || value === null || value === '') throw new Error(`${method} ${path} needs ${key}`)
    const segments = mark.endsWith('*') ? String(value).split('/') : [String(value)]
    return segments.map(encodeURIComponent).join('/')
  })
  const query = new URLSearchParams()
  for (const [key, schema] of Object.entries(schemas.query?.shape ?? {})) {
    const text = asText(input[key])
    // an empty filter is omitted; an empty list of ids means "none", and the schema tells the two apart
    if (text === undefined || (text === '' && isFilter(schema))) continue
    query.set(key, text)
  }
  const body = pick(schemas.body?.shape, input)
  // clients and proxies drop the body of DELETE, so its fields go into the query string
  if (method === 'DELETE') for (const [key, value] of Object.entries(body)) query.set(key, asText(value) ?? '')
  const search = query.size ? `?${query}` : ''
  const request: Request = { method, url: `/api${url}${search}` }
  if (schemas.form) return { ...request, body: toForm(pick(schemas.form.shape, input)) }
  if (spec.content && input.content instanceof Blob)
    return { ...request, body: input.content, contentType: 'application/octet-stream' }
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

/** Appends fields before files, the order that the server reads. */
function toForm(fields: Record<string, unknown>): FormData {
  const form = new FormData()
  const parts = Object.entries(fields).map(([key, value]) => ({ key, value, files: filesOf(value) }))
  for (const { key, value, files } of parts)
    if (!files) form.append(key, typeof value === 'object' ? JSON.stringify(value) : String(value))
  for (const { key, files = [] } of parts) for (const file of files) form.append(key, file)
  return form
}

function filesOf(value: unknown): Blob[] | undefined {
  if (value instanceof Blob) return [value]
  return Array.isArray(value) && value.length > 0 && value.every((one) => one instanceof Blob) ? value : undefined
}
