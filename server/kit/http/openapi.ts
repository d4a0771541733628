import {
  type Contract,
  type Endpoint,
  ErrorBody,
  pathKey,
  statusOf,
  takesIdempotencyKey,
  takesTokens,
} from '@innkeeper/contract/kit/endpoint'
import { binary, fileRules } from '@innkeeper/contract/kit/transfer'
import * as z from 'zod'

type Json = Record<string, unknown>

/** OpenAPI 3.1 document of a contract, without aliases. */
export function openapi(contract: Record<string, Contract>, version: string): Json {
  const paths: Record<string, Json> = {}
  /** The first form of each path. Paths that differ by the names of parameters are one path in OpenAPI. */
  const known = new Map<string, string>()
  for (const [domain, calls] of Object.entries(contract))
    for (const [name, endpoint] of Object.entries(calls)) {
      const own = endpoint.path.replace(pathKey, '{$1}')
      const shape = endpoint.path.replace(pathKey, '{}')
      const path = known.get(shape) ?? own
      known.set(shape, path)
      paths[path] ??= {}
      paths[path][endpoint.method.toLowerCase()] = operation(domain, name, endpoint, renamed(own, path))
    }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Innkeeper',
      version,
      description: 'The calls of Innkeeper. docs/api.md explains tokens, errors, paging, idempotency and webhooks.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api' }],
    security: [{ session: [] }, { token: [] }],
    paths,
    webhooks: { changed: { post: webhook } },
    components: {
      schemas: { Error: schemaOf(ErrorBody, 'output') },
      responses: { Refused: refused },
      securitySchemes: {
        session: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        token: { type: 'http', scheme: 'bearer', bearerFormat: 'ink_…', description: 'An API token of a program' },
        ticket: { type: 'apiKey', in: 'query', name: 'ticket' },
      },
    },
  }
}

const refused: Json = {
  description: 'Refused',
  headers: {
    'RateLimit-Limit': { schema: { type: 'integer' }, description: 'Calls of a token in a minute' },
    'RateLimit-Remaining': { schema: { type: 'integer' } },
    'RateLimit-Reset': { schema: { type: 'integer' }, description: 'Seconds until the minute ends' },
    'Retry-After': { schema: { type: 'integer' }, description: 'With 429, and while a first request still runs' },
  },
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
}

/** A message of a webhook, signed by Standard Webhooks. */
const webhook: Json = {
  operationId: 'webhook.changed',
  summary: 'An object changed',
  security: [],
  parameters: ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
    ...{ name, in: 'header', required: true },
    schema: { type: 'string' },
  })),
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['type', 'timestamp', 'data'],
          properties: {
            type: { type: 'string', examples: ['websites.changed'] },
            timestamp: { type: 'string', format: 'date-time' },
            data: {
              type: 'object',
              required: ['kind'],
              properties: { kind: { type: 'string' }, id: { type: 'integer' }, path: { type: 'string' } },
            },
          },
        },
      },
    },
  },
  responses: { '2XX': { description: 'Received' }, '410': { description: 'The receiver wants no more messages' } },
}

/** The names of parameters in another form of the same path. */
function renamed(own: string, path: string): Map<string, string> {
  const names = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const theirs = names(path)
  return new Map(names(own).map((name, i) => [name, theirs[i] ?? name]))
}

function operation(domain: string, name: string, endpoint: Endpoint, names: Map<string, string>): Json {
  const { schemas, spec, access } = endpoint
  const body = bodyOf(endpoint)
  const statuses = [statusOf(endpoint) ?? spec.status ?? 200].flat()
  return {
    operationId: `${domain}.${name}`,
    tags: [domain],
    summary: spec.summary,
    'x-access': access,
    ...securityOf(endpoint),
    parameters: [
      ...parameters(schemas.params, 'path', names),
      ...parameters(schemas.query, 'query'),
      ...(takesIdempotencyKey(endpoint) ? [idempotencyKey] : []),
    ],
    ...(body && { requestBody: { required: true, content: body } }),
    responses: {
      ...Object.fromEntries(statuses.map((status) => [status, answer(endpoint, status)])),
      '4XX': { $ref: '#/components/responses/Refused' },
      default: { $ref: '#/components/responses/Refused' },
    },
  }
}

/** How a call is authenticated, where that differs from the usual. */
function securityOf(endpoint: Endpoint): Json {
  const { access, spec } = endpoint
  if (access === 'public') return { security: [] }
  if (!spec.ticket && takesTokens(endpoint)) return {}
  const token = takesTokens(endpoint) ? [{ token: [] }] : []
  return { security: [{ session: [] }, ...token, ...(spec.ticket ? [{ ticket: [] }] : [])] }
}

const idempotencyKey: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'The same request with the same key within 24 hours gets the first answer again',
  schema: { type: 'string', maxLength: 255 },
}

function bodyOf({ schemas, spec }: Endpoint): Json | undefined {
  if (spec.content) return { 'application/octet-stream': {} }
  if (schemas.body) return { 'application/json': { schema: schemaOf(schemas.body, 'input') } }
  if (!schemas.form) return undefined
  const schema = schemaOf(schemas.form, 'input')
  const bytes = { type: 'string', contentMediaType: 'application/octet-stream' }
  for (const [name, field] of Object.entries(schemas.form.shape)) {
    const rules = fileRules(field)
    if (!rules) continue
    const { max, bytes: limit, types, side } = rules
    const description = [
      `At most ${limit} bytes${max > 1 ? ' each' : ''}`,
      types?.join(', '),
      side && `at most ${side} × ${side} pixels`,
    ]
      .filter(Boolean)
      .join('; ')
    const shown = max > 1 ? { type: 'array', items: bytes, maxItems: max, description } : { ...bytes, description }
    // the properties of a z.object's JSON schema are an object
    Object.assign(schema.properties as Json, { [name]: shown })
  }
  return { 'multipart/form-data': { schema } }
}

function answer({ spec }: Endpoint, status: number): Json {
  if (status === 204 || !spec.returns) return { description: 'Done' }
  if (spec.returns === binary)
    return { description: 'The bytes; ranges are answered with 206', content: { 'application/octet-stream': {} } }
  return { description: 'Done', content: { 'application/json': { schema: schemaOf(spec.returns, 'output') } } }
}

function parameters(
  schema: z.ZodObject | undefined,
  where: 'path' | 'query',
  names = new Map<string, string>(),
): Json[] {
  return Object.entries(schema?.shape ?? {}).map(([name, field]) => ({
    name: names.get(name) ?? name,
    in: where,
    required: where === 'path' || !z.safeParse(field, undefined).success,
    schema: schemaOf(field as z.ZodType, 'input'),
  }))
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    // a call refuses fields that it does not take
    override: ({ zodSchema, jsonSchema }) => {
      if (io === 'input' && zodSchema._zod.def.type === 'object') jsonSchema.additionalProperties ??= false
    },
  })
  return json
}
