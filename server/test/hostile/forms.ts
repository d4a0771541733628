import type { Endpoint } from '@innkeeper/contract/kit/endpoint'
import { fileRules } from '@innkeeper/contract/kit/transfer'
import fc from 'fast-check'
import * as z from 'zod'

/** Bytes that begin like a PNG of 1 × 1 pixel. */
const png = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01 and more', 'latin1')
const fileKeys = (schema: z.ZodObject) => Object.keys(schema.shape).filter((key) => fileRules(schema.shape[key]))

/** The schema of the body's values, without files. */
export function valuesOf({ schemas }: Endpoint): z.ZodObject | undefined {
  const { form } = schemas
  if (!form) return schemas.body
  return z.object(Object.fromEntries(Object.entries(form.shape).filter(([, field]) => !fileRules(field))))
}

export interface Body {
  payload: string | Buffer
  type: string
}

/** A body for these values: JSON, a form with a file in each file field, or bytes. */
export function bodyWith({ schemas, spec }: Endpoint, values: unknown, file: Buffer = png): Body {
  if (spec.content) return { payload: Buffer.alloc(0), type: 'application/octet-stream' }
  if (!schemas.form || typeof values !== 'object') return { payload: JSON.stringify(values), type: 'application/json' }
  const fields = Object.entries(values ?? {}).map(([key, value]) =>
    part(`name="${named(key)}"`, typeof value === 'string' ? value : (JSON.stringify(value) ?? '')),
  )
  const files = fileKeys(schemas.form).map((key) => part(`name="${key}"; filename="a.png"`, file))
  return {
    payload: Buffer.concat([...fields, ...files, Buffer.from('--b--\r\n')]),
    type: 'multipart/form-data; boundary=b',
  }
}

/** Escapes a field name as browsers do. */
const named = (key: string) => key.replace(/[\r\n"]/g, (c) => encodeURIComponent(c))
const part = (head: string, content: string | Buffer) =>
  Buffer.concat([
    Buffer.from(`--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
    Buffer.from(content as string),
    Buffer.from('\r\n'),
  ])

const hostileFiles = [
  ...['', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', '<html><script>alert(1)</script>'],
  ...['%PDF-1.7\n/JavaScript', 'PK\x03\x04'.padEnd(300, '\0'), '\0'.repeat(5000)],
].map((text) => Buffer.from(text, 'latin1'))
const hostileHeads = [
  'name="files"; filename="../../etc/passwd"',
  'name="__proto__"',
  'name=""',
  'filename="x"',
  'name="x'.repeat(500),
]

/** Invalid forms: truncated, without files, with wrong files, with odd names. */
export const oddForms = (endpoint: Endpoint, good: fc.Arbitrary<unknown>): fc.Arbitrary<Body> =>
  fc.oneof(
    fc.tuple(good, fc.constantFrom(...hostileFiles)).map(([values, file]) => bodyWith(endpoint, values, file)),
    fc.tuple(good, fc.double({ min: 0, max: 1, noNaN: true })).map(([values, share]) => {
      const { payload, type } = bodyWith(endpoint, values)
      return { payload: payload.slice(0, Math.floor(payload.length * share)), type }
    }),
    fc.constantFrom(...hostileHeads).map((head) => ({
      payload: Buffer.concat([part(head, png), Buffer.from('--b--\r\n')]),
      type: 'multipart/form-data; boundary=b',
    })),
  )
