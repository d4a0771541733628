import { type Contract, type Endpoint, ErrorBody, pathKey, statusOf } from '@innkeeper/contract/kit/endpoint'
import { binary, fileRules } from '@innkeeper/contract/kit/transfer'
import * as z from 'zod'

type Json = Record<string, unknown>

/** OpenAPI 3.1 document of a contract, without aliases. */
export function openapi(contract: Record<string, Contract>, version: string): Json {
  const paths: Record<string, Json> = {}
  for (const [domain, calls] of Object.entries(contract))
    for (const [name, endpoint] of Object.entries(calls)) {
      const path = endpoint.path.replace(pathKey, '{$1}')
      paths[path] ??= {}
      paths[path][endpoint.method.toLowerCase()] = operation(domain, name, endpoint)
    }
  return {
    openapi: '3.1.0',
    info: { title: 'Innkeeper', version },
    servers: [{ url: '/api' }],
    security: [{ session: [] }],
    paths,
    components: {
      schemas: { Error: schemaOf(ErrorBody, 'output') },
      securitySchemes: {
        session: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        ticket: { type: 'apiKey', in: 'query', name: 'ticket' },
      },
    },
  }
}

function operation(domain: string, name: string, endpoint: Endpoint): Json {
  const { schemas, spec, access } = endpoint
  const body = bodyOf(endpoint)
  const statuses = [statusOf(endpoint) ?? spec.status ?? 200].flat()
  return {
    operationId: `${domain}.${name}`,
    tags: [domain],
    summary: spec.summary,
    'x-access': access,
    ...(access === 'public' && { security: [] }),
    ...(spec.ticket && { security: [{ session: [] }, { ticket: [] }] }),
    parameters: [...parameters(schemas.params, 'path'), ...parameters(schemas.query, 'query')],
    ...(body && { requestBody: { required: true, content: body } }),
    responses: {
      ...Object.fromEntries(statuses.map((status) => [status, answer(endpoint, status)])),
      default: {
        description: 'Refused',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  }
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

function parameters(schema: z.ZodObject | undefined, where: 'path' | 'query'): Json[] {
  return Object.entries(schema?.shape ?? {}).map(([name, field]) => ({
    name,
    in: where,
    required: where === 'path' || !z.safeParse(field, undefined).success,
    schema: schemaOf(field as z.ZodType, 'input'),
  }))
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return json
}
