import type { Endpoint } from '@innkeeper/contract/kit/endpoint'
import fc from 'fast-check'
import type * as z from 'zod'
import { addressOf } from './calls.ts'
import { bodyWith, oddForms, valuesOf } from './forms.ts'
import { goodValues, junk, oddText, typeOf, typesOf } from './values.ts'
import type { Row } from './world/row.ts'
import { columnsOf, free, type Known } from './world/world.ts'

export interface Sent {
  method: Endpoint['method']
  url: string
  headers: Record<string, string>
  payload?: string | Buffer
  /** A body field with a value of a wrong JSON type, if any. */
  wrong?: string
}
type Fields = Record<string, unknown>

/** Encodes a value for path or query. Replaces lone surrogates, which have no encoding there. */
const text = (value: unknown) =>
  encodeURIComponent((typeof value === 'object' ? JSON.stringify(value) : String(value)).toWellFormed())

const headOf = (type?: string): Record<string, string> => (type === undefined ? {} : { 'content-type': type })

/** Valid fields, preferably with values of the row `about`; optional fields are sometimes left out. */
function good(
  schema: z.ZodObject | undefined,
  path: string,
  { words, near }: Known,
  about: Row = {},
): fc.Arbitrary<Fields> {
  const fields = Object.entries(schema?.shape ?? {}).map(([key, raw]): [string, fc.Arbitrary<unknown>] => {
    const field = raw as z.ZodType // safe cast: the values of a shape are schemas
    const values = goodValues(field, words).filter((value) => value !== undefined)
    if (!values.length) return [key, fc.constant(undefined)]
    const columns = columnsOf(key, path)
    const small = values.filter((value) => typeof value === 'number' && value >= 1 && value <= 6)
    const fits = (value: unknown) => value !== undefined && field.safeParse(value).success
    const said = columns.filter((column) => about[column] !== undefined && about[column] !== null)
    const own = said.flatMap((column) => [about[column], String(about[column])]).filter(fits)
    const some = fc.oneof(
      ...[own, [...goodValues(field, near(columns)), ...small], goodValues(field, free), values].flatMap((list, n) =>
        list.length ? [{ weight: [9, 3, 3][n] ?? 1, arbitrary: fc.constantFrom(...list) }] : [],
      ),
    )
    return [key, field.safeParse(undefined).success ? fc.option(some, { nil: undefined, freq: 2 }) : some]
  })
  return fc
    .record(Object.fromEntries(fields))
    .map((record) => Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)))
}

/** Replaces one field by junk, or adds an unknown one. */
const broken = (fields: fc.Arbitrary<Fields>, keys: string[]): fc.Arbitrary<Fields> =>
  fc
    .tuple(fields, fc.constantFrom(...keys, 'constructor', 'toString', 'nobody', ''), junk)
    .map(([known, key, value]) => ({ ...known, [key]: value }))

const queryText = (fields: Fields): fc.Arbitrary<string> =>
  fc.constantFrom('plain', 'repeated', 'brackets', 'filters').map((form) =>
    Object.entries(fields)
      .flatMap(([key, value]) => {
        const name = encodeURIComponent(key.toWellFormed())
        const one = [value].flat().slice(0, 50)
        if (form === 'brackets') return one.map((v) => `${name}[]=${text(v)}`)
        if (form === 'filters') return [`filters[${name}]=${text(value)}`]
        if (form === 'repeated') return one.flatMap((v) => [`${name}=${text(v)}`, `${name}=${text(v)}`])
        return [`${name}=${one.map(text).join(',')}`]
      })
      .join('&'),
  )

const rawBodies = fc.constantFrom(
  ...[
    '',
    '{',
    '}',
    '[',
    'null',
    '1',
    '"x"',
    '[]',
    '{}{}',
    '{"a":1,}',
    '{a:1}',
    "{'a':1}",
    '\ufeff{}',
    '\0',
    '{"id":1,"id":2}',
  ],
  ...[
    '{"__proto__":{"isAdmin":true}}',
    '{"constructor":{"prototype":{"isAdmin":true}}}',
    '{"a":1e999}',
    '{"a":-}',
    'NaN',
  ],
  `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
  '{"a":'.repeat(50_000),
  `{"user":${'['.repeat(9000)}1${']'.repeat(9000)}}`,
)
const contentTypes = fc.constantFrom(
  ...['text/plain', 'application/xml', 'multipart/form-data', 'multipart/form-data; boundary=x', '*/*', ';', 'a'],
  ...['application/x-www-form-urlencoded', 'application/json; charset=utf-16', 'application/jsonx', 'x/__proto__'],
)

const keysOf = (schema: z.ZodObject | undefined) => Object.keys(schema?.shape ?? {})

/** The valid parts of a request to a call, and the function that assembles them. */
function partsOf(endpoint: Endpoint, known: Known, about?: Row) {
  const { method, path, schemas } = endpoint
  const params = good(schemas.params, path, known, about)
  const query = good(schemas.query, path, known, about)
  const body = good(valuesOf(endpoint), path, known, about)
  const sent = (
    places: fc.Arbitrary<Fields>,
    asked: fc.Arbitrary<Fields>,
    payload: fc.Arbitrary<{ payload?: string | Buffer; type?: string; wrong?: string }>,
  ): fc.Arbitrary<Sent> =>
    fc.tuple(places, asked.chain(queryText), payload).map(([fields, search, { payload: bytes, type, wrong }]) => ({
      method,
      url:
        addressOf(path, Object.fromEntries(Object.entries(fields).map(([key, v]) => [key, text(v)]))) +
        (search ? `?${search}` : ''),
      headers: headOf(type),
      ...(bytes !== undefined && { payload: bytes }),
      ...(wrong !== undefined && { wrong }),
    }))
  const json = (fields: fc.Arbitrary<unknown>) =>
    method === 'GET' ? fc.constant({}) : fields.map((value) => bodyWith(endpoint, value))
  return { params, query, body, sent, json }
}

/** Valid requests to a call about existing rows. */
export function goodRequestsTo(endpoint: Endpoint, known: Known): fc.Arbitrary<Sent> {
  const { schemas, path } = endpoint
  const keys = [schemas.params, schemas.query, schemas.body, schemas.form].flatMap(keysOf)
  const places = known.rowsWith(keys.map((key) => columnsOf(key, path)))
  return fc.constantFrom(undefined, ...places).chain((about) => {
    const { params, query, body, sent, json } = partsOf(endpoint, known, about)
    return sent(params, query, json(body))
  })
}

/** Valid requests, requests with one invalid part, and completely invalid ones. */
export function requestsTo(endpoint: Endpoint, known: Known): fc.Arbitrary<Sent> {
  const { method, schemas } = endpoint
  const bodySchema = valuesOf(endpoint)
  const { params, query, body, sent, json } = partsOf(endpoint, known)
  const oddParams = broken(params, keysOf(schemas.params))
    .map((fields) => Object.fromEntries(keysOf(schemas.params).map((key) => [key, fields[key]])))
    // an empty value would make the request match another path
    .filter((fields) => Object.values(fields).every((value) => text(value) !== ''))
  const twice = body.map((fields) => ({
    type: 'application/json',
    payload: `{${Object.entries(fields)
      .flatMap(([key, value]) => [`${JSON.stringify(key)}:null`, `${JSON.stringify(key)}:${JSON.stringify(value)}`])
      .join(',')}}`,
  }))
  return fc.oneof(
    { weight: 4, arbitrary: goodRequestsTo(endpoint, known) },
    { weight: 3, arbitrary: sent(params, query, json(broken(body, keysOf(bodySchema)))) },
    { weight: 2, arbitrary: sent(params, broken(query, keysOf(schemas.query)), json(body)) },
    { weight: 1, arbitrary: sent(oddParams, query, json(body)) },
    { weight: 1, arbitrary: sent(params, query, json(junk)) },
    ...(method === 'GET'
      ? []
      : [
          { weight: 1, arbitrary: sent(params, query, twice) },
          {
            weight: 1,
            arbitrary: sent(
              params,
              query,
              rawBodies.map((payload) => ({ payload, type: 'application/json' })),
            ),
          },
          {
            weight: 1,
            arbitrary: sent(
              params,
              query,
              fc
                .tuple(
                  contentTypes,
                  fc.oneof(
                    oddText,
                    fc.uint8Array({ maxLength: 50 }).map((b) => Buffer.from(b)),
                  ),
                )
                .map(([type, payload]) => ({ type, payload })),
            ),
          },
        ]),
    ...(schemas.form ? [{ weight: 2, arbitrary: sent(params, query, oddForms(endpoint, body)) }] : []),
    ...(schemas.body && bodySchema && keysOf(bodySchema).length
      ? [{ weight: 2, arbitrary: sent(params, query, wrongKind(bodySchema, body)) }]
      : []),
  )
}

/** A value of a JSON type that the field's schema does not accept. */
function wrongKind(schema: z.ZodObject, body: fc.Arbitrary<Fields>) {
  const shown = [true, [1], ['1'], [], { id: 1 }, {}, null, 1.5, 7, 'text']
  const wrongs = Object.entries(schema.shape).flatMap(([key, raw]) => {
    const types = typesOf(raw as z.ZodType) // see good()
    if (!types.size) return []
    if (types.has('number')) types.add('integer')
    // a number may be sent as text, as forms do
    if (types.has('integer') || types.has('number')) types.add('string')
    return shown.filter((value) => !types.has(typeOf(value))).map((value) => ({ key, value }))
  })
  if (!wrongs.length) return body.map((fields) => ({ payload: JSON.stringify(fields), type: 'application/json' }))
  return fc.tuple(body, fc.constantFrom(...wrongs)).map(([fields, { key, value }]) => ({
    payload: JSON.stringify({ ...fields, [key]: value }),
    type: 'application/json',
    wrong: key,
  }))
}
