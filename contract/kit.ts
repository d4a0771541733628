import * as z from 'zod'
import type { Access } from './access.ts'
import { binary, type Content, fileRules } from './transfer.ts'

/** One value describes one REST call; routes, guards, checks, client, forms and OpenAPI are derived from it. */
export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
export type Effect = 'read' | 'write' | 'stream'
type Shape = z.ZodRawShape

export interface Spec {
  /** Path parameters; integers unless said otherwise here. */
  params?: Shape
  query?: Shape
  body?: Shape
  /** Multipart: fields first, then files (`file` and `files` of transfer.ts). JSON is taken too where no file is sent. */
  form?: Shape
  /** Instead of a body: bytes as they are, which the handler reads as `content` while they come. */
  content?: Content
  /** `binary` of transfer.ts for a download. */
  returns?: z.ZodType
  /** Of a download: a browser may open it by itself, with `?ticket=` of a minute instead of a token. */
  ticket?: true
  /** Of success. Default: 201 for POST, 204 where nothing is returned, else 200. A list: the handler chooses. */
  status?: number | readonly number[]
  /** A path parameter that names a person: with one's own id there a session is enough (own data). */
  own?: string
  /** Default: GET reads, all else writes (a transaction and its log row). */
  effect?: Effect
  /** Asks a managed server while the caller waits: 503 with the code `unavailable` where that does not answer. */
  live?: true
  /** Other paths of the same call, served but left out of OpenAPI (docs/ANSWERS: doubtful mounts). */
  aliases?: readonly string[]
  /** Open also to a person who has to choose a password or set up a second factor first. */
  whileOwing?: boolean
  summary: string
}

export interface Endpoint<P extends string = string, S extends Spec = Spec> {
  method: Method
  path: P
  access: Access
  spec: S
  effect: Effect
  schemas: { params?: z.ZodObject; query?: z.ZodObject; body?: z.ZodObject; form?: z.ZodObject }
}
export type Contract = { [name: string]: Endpoint }

/** `:path*`, the last one, takes several segments. */
type PathKeys<P extends string> = P extends `${string}:${infer K}/${infer R}`
  ? K | PathKeys<`/${R}`>
  : P extends `${string}:${infer K}*`
    ? K
    : P extends `${string}:${infer K}`
      ? K
      : never
type Side = 'in' | 'out'
type Face<T extends z.ZodType, D extends Side> = D extends 'in' ? z.input<T> : z.output<T>
type Part<S extends Spec, K extends 'query' | 'body' | 'form', D extends Side> = S[K] extends Shape
  ? Face<z.ZodObject<S[K]>, D>
  : unknown
type Params<P extends string, S extends Spec, D extends Side> = S['params'] extends Shape
  ? Face<z.ZodObject<S['params']>, D>
  : { [K in PathKeys<P>]: number }
type Bytes<S extends Spec, D extends Side> = S['content'] extends Content
  ? { content: D extends 'in' ? Blob : AsyncIterable<Uint8Array> }
  : unknown
type Flat<T> = { [K in keyof T]: T[K] } & {}

/** The call's one flat input: path, query and body together. `in` is what a client sends, `out` what a handler gets. */
export type Input<E, D extends Side = 'in'> =
  E extends Endpoint<infer P, infer S>
    ? Flat<Params<P, S, D> & Part<S, 'query', D> & Part<S, 'body', D> & Part<S, 'form', D> & Bytes<S, D>>
    : never
export type Output<E, D extends Side = 'out'> =
  E extends Endpoint<string, infer S> ? (S['returns'] extends z.ZodType ? Face<S['returns'], D> : void) : never

const make =
  (method: Method) =>
  <const P extends string, const S extends Spec>(path: P, access: Access, spec: S): Endpoint<P, S> => {
    const keys = [...path.matchAll(pathKey)].map((m) => m[1] ?? '')
    const schemas: Endpoint['schemas'] = {}
    if (keys.length) schemas.params = z.object(spec.params ?? Object.fromEntries(keys.map((key) => [key, id])))
    for (const part of ['query', 'body', 'form'] as const) if (spec[part]) schemas[part] = z.object(spec[part])
    const names = [...Object.keys(spec.query ?? {}), ...Object.keys(spec.body ?? {}), ...Object.keys(spec.form ?? {})]
    const clash = names.find((name, i) => names.indexOf(name) !== i)
    if (clash) throw new Error(`${method} ${path}: ${clash} stands in the query and in the body`)
    if (spec.own && !keys.includes(spec.own)) throw new Error(`${method} ${path}: ${spec.own} is not in the path`)
    if (spec.content && spec.effect !== 'stream') throw new Error(`${method} ${path}: no transaction waits for a body`)
    if (spec.ticket && spec.returns !== binary) throw new Error(`${method} ${path}: a ticket opens downloads alone`)
    if ([spec.query, spec.body].some((part) => Object.values(part ?? {}).some(fileRules)))
      throw new Error(`${method} ${path}: files come with a form`)
    return { method, path, access, spec, schemas, effect: spec.effect ?? (method === 'GET' ? 'read' : 'write') }
  }

/** A key of a path: `:id`, or `:path*` for the rest of it. */
export const pathKey = /:(\w+)\*?/g

export const get = make('GET')
export const post = make('POST')
export const patch = make('PATCH')
export const del = make('DELETE')

/** The success status where the handler has no choice. */
export function statusOf({ method, spec }: Endpoint): number | undefined {
  if (typeof spec.status === 'object') return undefined
  return spec.status ?? (spec.returns === undefined ? 204 : method === 'POST' ? 201 : 200)
}

// --- fields that every domain uses -------------------------------------------------------------------------------

/** A whole number; paths, queries and forms send it as text. Coercion would take `true` for 1, `[5]` for 5, `0x10` for 16. */
export const whole = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value),
    z.int().min(min).max(max),
    // preprocess forgets what may be sent; forms and the client want to know
  ) as unknown as z.ZodType<number, number | string>

/** A positive identity integer. */
export const id = whole(1, 2_147_483_647)

/** ISO 8601 with offset, as in every answer. */
export const instant = z.iso.datetime({ offset: true })

/** Trimmed, without control characters; empty where nothing was said. */
export const words = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .refine((text) => !/\p{Cc}/u.test(text), 'Control characters are not allowed')

/** Free text of a person, who said something. */
export const line = (max: number) => words(max).min(1, 'Required')

/** `1,2`, `ids[]=1&ids[]=2` and `ids=1&ids=2` are all the same list. */
export const csv = <T extends z.ZodType>(item: T) =>
  z
    .union([z.string(), z.number(), z.array(z.union([z.string(), z.number()]))])
    .transform((value) =>
      [value].flat().flatMap((v) =>
        String(v)
          .split(',')
          .filter((text) => text !== ''),
      ),
    )
    // items read text, as every query does; their declared input is often narrower
    .pipe(z.array(item).max(1000) as unknown as z.ZodType<z.output<T>[], string[]>)

/** An empty filter is no filter; an empty list is one where lists are taken, and so are commas with nothing between them. */
export const filter = <T extends z.ZodType>(schema: T) => {
  const takesLists = schema.safeParse([]).success
  const isEmpty = (value: unknown) => [value].flat().every((one) => typeof one === 'string' && /^,*$/.test(one))
  return z.preprocess(
    (value) => (value === '' || (takesLists && isEmpty(value)) ? undefined : value),
    schema.optional(),
    // preprocess forgets what may be sent; forms and the client want to know
  ) as unknown as z.ZodOptional<z.ZodType<z.output<T>, z.input<T> | ''>>
}

const pageNumber = filter(
  // not coerced, as `true` would be page 1
  z.preprocess((value) => (typeof value === 'string' ? Number(value) : value), z.number()) as unknown as z.ZodType<
    number,
    number | string
  >,
).transform((page = 1) => (Number.isInteger(page) && page >= 1 ? Math.min(page, 1_000_000) : 1))

/** What every list takes. `after` is the `next` of the page before: the same page without counting rows. */
export const paging = (size = 25) => ({
  page: pageNumber,
  itemsPerPage: filter(whole(1, 200)).transform((n) => n ?? size),
  after: filter(z.string().max(500)),
})

/** Paging and the columns that the list can be sorted by; the first is the default. */
export const listQuery = <const C extends readonly [string, ...string[]]>(columns: C, size = 25) => ({
  ...paging(size),
  sort: filter(z.enum(columns)),
  direction: filter(z.enum(['ASC', 'DESC'])),
})

/** `total` is exact to 10,000; beyond it `more` is true. `next` is the key for `after`; absent on the last page. */
export const pageFields = { total: z.int(), more: z.boolean().optional(), next: z.string().optional() }
export const pageOf = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item), ...pageFields })

/** Columns of every stored thing. `version` rises with each write: send it back and a stale write is a 409. */
export const stored = { id: z.int(), version: z.int(), createdAt: instant, updatedAt: instant }
/** Text too: clients and proxies drop bodies of DELETE, so its fields may come in the query. */
export const version = whole(1).optional()

/** The body of every error. `current` is the stored row of a 409. */
export const ErrorBody = z.object({
  message: z.union([z.string(), z.array(z.string())]),
  code: z.string(),
  fields: z.record(z.string(), z.string()).optional(),
  current: z.unknown().optional(),
  requestId: z.string().optional(),
})
export type ErrorBody = z.output<typeof ErrorBody>
