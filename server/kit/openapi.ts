import { type Contract, type Endpoint, ErrorBody, statusOf } from '@innkeeper/contract/kit'
import * as z from 'zod'

type Json = Record<string, unknown>

/** OpenAPI 3.1 of a contract. Aliases are left out: they are the same calls. */
export function openapi(contract: Record<string, Contract>, version: string): Json {
  const paths: Record<string, Json> = {}
  for (const [domain, calls] of Object.entries(contract))
    for (const [name, endpoint] of Object.entries(calls)) {
      const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
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
      securitySchemes: { session: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
  }
}

function operation(domain: string, name: string, endpoint: Endpoint): Json {
  const { schemas, spec, access } = endpoint
  const body = schemas.form ?? schemas.body
  const media = schemas.form ? 'multipart/form-data' : 'application/json'
  const statuses = [statusOf(endpoint) ?? spec.status ?? 200].flat()
  return {
    operationId: `${domain}.${name}`,
    tags: [domain],
    summary: spec.summary,
    'x-access': access,
    ...(access === 'public' && { security: [] }),
    parameters: [...parameters(schemas.params, 'path'), ...parameters(schemas.query, 'query')],
    ...(body && { requestBody: { required: true, content: { [media]: { schema: schemaOf(body, 'input') } } } }),
    responses: {
      ...Object.fromEntries(statuses.map((status) => [status, answer(endpoint, status)])),
      default: {
        description: 'Refused',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  }
}

function answer({ spec }: Endpoint, status: number): Json {
  if (status === 204 || !spec.returns) return { description: 'Done' }
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
