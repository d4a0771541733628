import * as z from 'zod'
import type { Access } from './access.ts'
import './fieldMessages.ts'
import { binary, type Content, fileRules } from './transfer.ts'

/**
 * HTTP methods of endpoints. One endpoint describes a REST call; routes, guards, validation, client, forms and OpenAPI
 * derive from it.
 */
export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
export type Effect = 'read' | 'write' | 'stream'
type Shape = z.ZodRawShape

export interface TicketKind {
  /** Query values that the ticket binds, besides the path. */
  binds?: readonly string[]
  /** True: a call of its own issues the ticket and is recorded in the action log; the common call (`files.ticket`) does not. */
  isRecorded?: boolean
}

export interface Spec {
  /** Path parameters. Default: integers. */
  params?: Shape
  query?: Shape
  body?: Shape
  /**
   * Multipart body: first fields, then files (`file` and `files` of transfer.ts). JSON is accepted too if no file is
   * sent.
   */
  form?: Shape
  /** Instead of a body: raw bytes, which the handler reads as the stream `content`. */
  content?: Content
  /** Schema of the answer; `binary` of transfer.ts for a download. */
  returns?: z.ZodType
  /** For a download: the browser may open it without a token, with `?ticket=` that is valid once within a minute. */
  ticket?: TicketKind
  /** Status of success. Default: 201 for POST, 204 without an answer, else 200. With a list, the handler chooses. */
  status?: number | readonly number[]
  /**
   * Name of the path parameter that is a person's id. A person may call the endpoint for their own id with a session
   * alone.
   */
  own?: string
  /** Default: `read` for GET, else `write` (one transaction with a log row). */
  effect?: Effect
  /**
   * The call queries a managed server while the caller waits. Answers 503 with the code `unavailable` if the server
   * does not reply.
   */
  live?: true
  /**
   * The call keeps unfinished work of the caller, such as a draft, until another call ends it. Only that other call is
   * an act: a success of this one has no log row.
   */
  unfinished?: true
  /** Further paths of the same call. They are served but not in OpenAPI. */
  aliases?: readonly string[]
  /** Allowed before a person has met their obligations (password, second factor). */
  whileOwing?: boolean
  /**
   * Whether a program with a token may make the call. Default: calls with a permission only, because a token has
   * permissions and is no session of a person.
   */
  tokens?: boolean
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

/** Names of path parameters. `:path*` must be the last and matches several segments. */
type PathKeys<P extends string> = P extends `${string}:${infer K}/${infer R}`
  ? K | PathKeys<`/${R}`>
  : P extends `${string}:${infer K}*`
    ? K
    : P extends `${string}:${infer K}`
      ? K
      : never
type Side = 'in' | 'out'
type ValueOf<T extends z.ZodType, D extends Side> = D extends 'in' ? z.input<T> : z.output<T>
type Part<S extends Spec, K extends 'query' | 'body' | 'form', D extends Side> = S[K] extends Shape
  ? ValueOf<z.ZodObject<S[K]>, D>
  : unknown
type Params<P extends string, S extends Spec, D extends Side> = S['params'] extends Shape
  ? ValueOf<z.ZodObject<S['params']>, D>
  : { [K in PathKeys<P>]: number }
type Bytes<S extends Spec, D extends Side> = S['content'] extends Content
  ? { content: D extends 'in' ? Blob : AsyncIterable<Uint8Array> }
  : unknown
type Flat<T> = { [K in keyof T]: T[K] } & {}

/**
 * The flat input of a call: path, query and body together. `in` is what a client sends, `out` what a handler receives.
 */
export type Input<E, D extends Side = 'in'> =
  E extends Endpoint<infer P, infer S>
    ? Flat<Params<P, S, D> & Part<S, 'query', D> & Part<S, 'body', D> & Part<S, 'form', D> & Bytes<S, D>>
    : never
export type Output<E, D extends Side = 'out'> =
  E extends Endpoint<string, infer S> ? (S['returns'] extends z.ZodType ? ValueOf<S['returns'], D> : void) : never

const make =
  (method: Method) =>
  <const P extends string, const S extends Spec>(path: P, access: Access, spec: S): Endpoint<P, S> => {
    const keys = [...path.matchAll(pathKey)].map((m) => m[1] ?? '')
    const schemas: Endpoint['schemas'] = {}
    if (keys.length) schemas.params = z.object(spec.params ?? Object.fromEntries(keys.map((key) => [key, id])))
    for (const part of ['query', 'body', 'form'] as const) if (spec[part]) schemas[part] = z.object(spec[part])
    const names = [...Object.keys(spec.query ?? {}), ...Object.keys(spec.body ?? {}), ...Object.keys(spec.form ?? {})]
    const clash = names.find((name, i) => names.indexOf(name) !== i)
    if (clash) throw new Error(`${method} ${path}: ${clash} is in the query and in the body`)
    if (spec.own && !keys.includes(spec.own)) throw new Error(`${method} ${path}: ${spec.own} is not in the path`)
    if (spec.content && spec.effect !== 'stream')
      throw new Error(`${method} ${path}: a call with content needs the effect stream`)
    if (spec.ticket && spec.returns !== binary) throw new Error(`${method} ${path}: a ticket needs returns: binary`)
    if ([spec.query, spec.body].some((part) => Object.values(part ?? {}).some(fileRules)))
      throw new Error(`${method} ${path}: files need a form`)
    return { method, path, access, spec, schemas, effect: spec.effect ?? (method === 'GET' ? 'read' : 'write') }
  }

/** A parameter in a path: `:id`, or `:path*` for the rest of the path. */
export const pathKey = /:(\w+)\*?/g

export const get = make('GET')
export const post = make('POST')
export const patch = make('PATCH')
export const del = make('DELETE')

/** Status of success; undefined if the handler chooses. */
export function statusOf({ method, spec }: Endpoint): number | undefined {
  if (typeof spec.status === 'object') return undefined
  return spec.status ?? (spec.returns === undefined ? 204 : method === 'POST' ? 201 : 200)
}

/** Whether a program with a token may make the call. */
export const takesTokens = ({ access, spec }: Endpoint): boolean => spec.tokens ?? access !== 'signedIn'

/** Whether the call takes an `Idempotency-Key`: it creates something, in one transaction. */
export const takesIdempotencyKey = ({ method, effect, access }: Endpoint): boolean =>
  method === 'POST' && effect === 'write' && access !== 'public'

// --- fields that every domain uses ---------------------------------------------------------------------------------

/**
 * An integer. Also accepts digits as text, as paths, queries and forms send them; coercion would accept `true`, `[5]`
 * and `0x10`.
 */
export const whole = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value),
    z.int().min(min).max(max),
    // preprocess loses the input type, which forms and the client need
  ) as unknown as z.ZodType<number, number | string>

/** A positive database id. */
export const id = whole(1, 2_147_483_647)

/** A time in ISO 8601 with an offset, as in all answers. */
export const instant = z.iso.datetime({ offset: true })

/** Trimmed text without control characters; may be empty. */
export const words = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .refine((text) => !/\p{Cc}/u.test(text), 'Control characters are not allowed')

/** Required text on one line, typed by a person. */
export const line = (max: number) => words(max).min(1, 'Required')

/** A list in a query: `1,2`, `ids[]=1&ids[]=2` and `ids=1&ids=2` are equivalent. */
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
    // items are parsed from text, although their declared input type is often narrower
    .pipe(z.array(item).max(1000) as unknown as z.ZodType<z.output<T>[], string[]>)

/**
 * An optional filter. Empty text counts as absent; for schemas that accept lists, so do empty lists and lone commas.
 */
export const filter = <T extends z.ZodType>(schema: T) => {
  const takesLists = schema.safeParse([]).success
  const isEmpty = (value: unknown) => [value].flat().every((one) => typeof one === 'string' && /^,*$/.test(one))
  return z.preprocess(
    (value) => (value === '' || (takesLists && isEmpty(value)) ? undefined : value),
    schema.optional(),
    // preprocess loses the input type, which forms and the client need
  ) as unknown as z.ZodOptional<z.ZodType<z.output<T>, z.input<T> | ''>>
}

const pageNumber = filter(
  // not coerced, because coercion reads `true` as page 1
  z.preprocess((value) => (typeof value === 'string' ? Number(value) : value), z.number()) as unknown as z.ZodType<
    number,
    number | string
  >,
).transform((page = 1) => (Number.isInteger(page) && page >= 1 ? Math.min(page, 1_000_000) : 1))

/** Query parameters of all lists. `after` is the `next` of the previous page and avoids counting rows. */
export const paging = (size = 25) => ({
  page: pageNumber,
  itemsPerPage: filter(whole(1, 200)).transform((n) => n ?? size),
  after: filter(z.string().max(500)),
})

/** Paging, and the sortable columns; the first is the default. */
export const listQuery = <const C extends readonly [string, ...string[]]>(columns: C, size = 25) => ({
  ...paging(size),
  // by its words: the type of the enumeration is none that the types of the client may name
  sort: filter(z.enum(columns) as unknown as z.ZodType<C[number], C[number]>),
  direction: filter(z.enum(['ASC', 'DESC'])),
})

/** `total` is exact up to 10,000; above, `more` is true. `next` is the value for `after`, absent on the last page. */
export const pageFields = { total: z.int(), more: z.boolean().optional(), next: z.string().optional() }
export const pageOf = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item), ...pageFields })

/** Columns of every stored row. `version` rises with each write; a write with an outdated version answers 409. */
export const stored = { id: z.int(), version: z.int(), createdAt: instant, updatedAt: instant }
/** The expected version. Accepted as text too, because clients and proxies drop bodies of DELETE requests. */
export const version = whole(1).optional()

/** Body of every error. `current` is the stored row of a 409. */
export const ErrorBody = z.object({
  message: z.union([z.string(), z.array(z.string())]),
  code: z.string(),
  fields: z.record(z.string(), z.string()).optional(),
  current: z.unknown().optional(),
  /** The missing permissions of a 403, which the message has in words. */
  scopes: z.array(z.string()).optional(),
  requestId: z.string().optional(),
})
export type ErrorBody = z.output<typeof ErrorBody>
