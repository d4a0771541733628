import type { Readable } from 'node:stream'
import type { Endpoint } from '@innkeeper/contract/kit/endpoint'
import { fileRules, type Upload } from '@innkeeper/contract/kit/transfer'
import type { FastifyRequest } from 'fastify'
import type * as z from 'zod'
import type { App } from '../app/app.ts'
import { tooLarge } from '../storage/blobs.ts'
import { invalid, Refusal } from './errors.ts'
import { unknownInBody, unknownInQuery } from './unknownFields.ts'
import { atMost, dropUploads, type Form, readForm } from './upload.ts'
import { type StillMay, whileAllowed } from './whileAllowed.ts'

type Fields = Record<string, unknown>
const MOST_PROBLEMS = 200

/**
 * Merges path, query and body into one flat object. The path takes precedence; a body value that differs from the path
 * is a 400. Stores the files of a form, which the caller then has to keep or drop.
 */
export async function readInput(
  app: App,
  endpoint: Endpoint,
  request: FastifyRequest,
  stillMay?: StillMay,
): Promise<{ input: Fields; uploads: Upload[] }> {
  const { schemas, method, spec } = endpoint
  const { '*': rest, ...named } = request.params as Fields
  const params: Fields = rest === undefined ? named : { ...named, [restKey(endpoint.path)]: rest }
  // parameters that are in the path of an alias, but in the body of the canonical call
  const moved = Object.entries(params).filter(([key]) => !(key in (schemas.params?.shape ?? {})))
  const query = request.query as Fields
  const problems: Record<string, string> = {}
  const read = (schema: z.ZodObject | undefined, value: Fields) => {
    if (!schema) return {}
    const result = schema.safeParse(value)
    if (result.success) return result.data
    // a list of thousands has as many problems, of which nobody reads more than some
    for (const issue of result.error.issues.slice(0, MOST_PROBLEMS)) problems[issue.path.join('.')] ??= issue.message
    return {}
  }
  const add = (unknown: Record<string, string>) => {
    for (const [key, why] of Object.entries(unknown)) problems[key] ??= why
  }
  const refuse = () => {
    if (Object.keys(problems).length) throw invalid(problems)
  }
  if ('password' in query && schemas.body && 'password' in schemas.body.shape)
    problems.password = 'Belongs in the body, because logs of proxies contain addresses'
  add(unknownInQuery(endpoint, query))
  const places = { ...read(schemas.query, query), ...read(schemas.params, params) }
  if (spec.content) {
    refuse()
    return {
      input: { ...places, content: whileAllowed(contentOf(request, spec.content.bytes), stillMay) },
      uploads: [],
    }
  }
  const form = await formOf(app, endpoint, request, refuse)
  try {
    const body = form?.input ?? bodyOf(endpoint, request)
    const sent = method === 'DELETE' ? { ...query, ...body } : body
    for (const [key, value] of Object.entries(params))
      if (key in sent && String(sent[key]) !== value) problems[key] = `differs from the ${value} of the path`
    add(unknownInBody(endpoint, body))
    const input = { ...read(schemas.body ?? schemas.form, { ...sent, ...Object.fromEntries(moved) }), ...places }
    refuse()
    if (form) await stillMay?.() // the files may have taken minutes
    return { input, uploads: form?.uploads ?? [] }
  } catch (error) {
    await dropUploads(app, form?.uploads ?? [])
    throw error
  }
}

const restKey = (path: string) => /:(\w+)\*$/.exec(path)?.[1] ?? '*'

/** Validates path and query before storing a file of the form. */
async function formOf(
  app: App,
  { schemas }: Endpoint,
  request: FastifyRequest,
  refuse: () => void,
): Promise<Form | undefined> {
  if (!request.isMultipart()) return undefined
  if (!schemas.form) throw unreadable('This call takes no form')
  refuse()
  return readForm(app, request, schemas.form)
}

/** The JSON body. Rejects text in a file field: only the form reader creates files. */
function bodyOf({ schemas }: Endpoint, request: FastifyRequest): Fields {
  const { body } = request
  if (body === undefined || body === null) return {}
  if (isStream(body)) throw unreadable('This call takes JSON')
  if (typeof body !== 'object' || Array.isArray(body)) throw invalid({ '': 'The body has to be a JSON object' })
  const fields = body as Fields // JSON objects have string keys
  const files = Object.keys(schemas.form?.shape ?? {}).filter((key) => fileRules(schemas.form?.shape[key]))
  for (const key of files) if (key in fields) throw invalid({ [key]: 'Has to be a file, sent as multipart/form-data' })
  return fields
}

function contentOf(request: FastifyRequest, most: number): AsyncIterable<Uint8Array> {
  if (!isStream(request.body)) throw unreadable('This call takes bytes, as application/octet-stream')
  if (Number(request.headers['content-length'] ?? 0) > most)
    throw tooLarge('The content is larger than what the upload still lacks', 'content')
  return atMost(request.body, most, 'content')
}

const isStream = (body: unknown): body is Readable => typeof body === 'object' && body !== null && 'pipe' in body
const unreadable = (message: string) => new Refusal(415, { code: 'content-type', message })
