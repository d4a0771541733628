import type { Multipart, MultipartFile } from '@fastify/multipart'
import { type FileRules, fileRules, listOf, MiB, type Upload } from '@innkeeper/contract/kit/transfer'
import type { FastifyRequest } from 'fastify'
import * as z from 'zod'
import type { App } from '../app/app.ts'
import { dropBlob, storeBlob, tooLarge } from '../storage/blobs.ts'
import { HEAD, typeOf } from '../storage/fileType.ts'
import { PIXELS_WITHIN, pixelsOf } from '../storage/pixels.ts'
import { invalid, Refusal } from './errors.ts'

/** A parsed form: its fields, and its files in storage, which the caller has to keep. */
export interface Form {
  input: Record<string, unknown>
  uploads: Upload[]
}

const FIELD_BYTES = MiB
const FIELDS = 100

/**
 * Reads a multipart form: fields first, then files, which are streamed into storage. Limits apply before buffering: an
 * announced excessive length is refused before reading, an invalid field before the first file, a file at its first
 * bytes. After an error, no stored file remains.
 */
export async function readForm(app: App, request: FastifyRequest, schema: z.ZodObject): Promise<Form> {
  const rules = new Map(
    Object.entries(schema.shape).flatMap(([name, field]) => {
      const found = fileRules(field)
      return found ? [[name, found] as const] : []
    }),
  )
  refuseLong(request, [...rules.values()])
  const plain = z.object(Object.fromEntries(Object.entries(schema.shape).filter(([name]) => !rules.has(name))))
  const fields: Record<string, unknown> = {}
  const found = new Map<string, Upload[]>()
  const uploads: Upload[] = []
  try {
    const limits = { fieldSize: FIELD_BYTES, fields: FIELDS, fileSize: Number.MAX_SAFE_INTEGER, headerPairs: 20 }
    for await (const part of parsed(request.parts({ limits }))) {
      if (part.type === 'field') {
        if (rules.has(part.fieldname)) throw invalid({ [part.fieldname]: 'Has to be a file' })
        addField(fields, plain, part)
      } else {
        if (!uploads.length) checkFields(plain, fields)
        const rule = rules.get(part.fieldname)
        if (!rule) throw invalid({ [part.fieldname]: 'No file is asked for here' })
        if (part.filename === undefined || part.filename === '') {
          for await (const _ of part.file); // a file input without a chosen file: discard its empty content
          continue
        }
        const list = found.get(part.fieldname) ?? []
        found.set(part.fieldname, list)
        if (list.length >= rule.max) throw tooLarge(`At most ${rule.max} files at once`, part.fieldname)
        const upload = await storeFile(app, part, rule)
        list.push(upload)
        uploads.push(upload)
      }
    }
    for (const [name, list] of found) fields[name] = rules.get(name)?.list ? list : list[0]
    return { input: fields, uploads }
  } catch (error) {
    // read and discard the rest: a client does not see an answer while it sends
    request.raw.unpipe()
    request.raw.resume()
    await dropUploads(app, uploads)
    throw error
  }
}

/** Deletes the files of a failed call. The sweep deletes files for which this fails. */
export async function dropUploads(app: App, uploads: Upload[]): Promise<void> {
  for (const { key, size } of uploads)
    await dropBlob(app, key, size).catch((err) => app.log.warn({ err }, 'an upload is left to the sweep'))
}

/** Passes on the parser's events. A parse error is a 400. */
async function* parsed<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* source
  } catch (error) {
    if (error instanceof Error && 'statusCode' in error) throw error
    throw invalid({ '': `This is no whole form: ${error instanceof Error ? error.message : 'it cannot be read'}` })
  }
}

/** Refuses an announced excessive length before reading the body. */
function refuseLong({ headers }: FastifyRequest, rules: FileRules[]): void {
  const most = rules.reduce((sum, { max, bytes }) => sum + max * bytes, FIELDS * FIELD_BYTES)
  if (Number(headers['content-length'] ?? 0) > most)
    throw new Refusal(413, { code: 'too-large', message: 'That is more than may be sent at once' })
}

/**
 * Adds a text field: as text if its schema accepts the text, else as JSON; `data` has the remaining fields as a JSON
 * object.
 */
function addField(fields: Record<string, unknown>, plain: z.ZodObject, part: Multipart): void {
  if (part.type !== 'field') return
  const { fieldname: name, value, valueTruncated } = part
  if (valueTruncated) throw tooLarge('Too long', name)
  const schema = plain.shape[name]
  const text = typeof value === 'string' ? value : undefined
  const parsed = text === undefined ? value : asJson(text)
  if (!schema && name === 'data' && typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
    for (const [key, inner] of Object.entries(parsed)) put(fields, key, inner)
  else put(fields, name, text === undefined || (schema && takes(schema, text)) ? value : (parsed ?? value))
}

/** Adds a value. A repeated field becomes a list, as in a query. */
function put(fields: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') throw invalid({ [name]: 'Not a field' })
  fields[name] = Object.hasOwn(fields, name) ? [fields[name], value].flat() : value
}

const takes = (schema: unknown, text: string) => schema instanceof z.ZodType && schema.safeParse(text).success

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function checkFields(plain: z.ZodObject, fields: Record<string, unknown>): void {
  const read = plain.safeParse(fields)
  if (read.success) return
  throw invalid(Object.fromEntries(read.error.issues.map(({ path, message }) => [path.join('.'), message])))
}

async function storeFile(app: App, { file, filename, fieldname }: MultipartFile, rule: FileRules): Promise<Upload> {
  const start = await peek(parsed(file), (head) => head.length >= HEAD)
  const type = typeOf(start.head.subarray(0, HEAD))
  if (rule.types && !rule.types.includes(type)) {
    const message = `The content of ${cleanName(filename)} has to be ${listOf(rule.types)}`
    throw new Refusal(422, { code: 'wrong-type', message, fields: { [fieldname]: message } })
  }
  const bytes = rule.side ? await atMostPixels(start.all, type, rule.side, fieldname) : start.all
  return storeBlob(app, { name: cleanName(filename), type }, atMost(bytes, rule.bytes, fieldname))
}

/** Passes a picture on if neither side exceeds `side` pixels. Refuses a picture whose header has no size. */
async function atMostPixels(bytes: AsyncIterable<Uint8Array>, type: string, side: number, field: string) {
  const { head, all } = await peek(
    bytes,
    (known) => known.length >= PIXELS_WITHIN || pixelsOf(known, type) !== undefined,
  )
  const size = pixelsOf(head, type)
  if (!size)
    throw new Refusal(422, {
      code: 'wrong-type',
      message: 'The picture does not say how large it is',
      fields: { [field]: 'Has to say how large it is. Save it anew as PNG, JPEG or WebP.' },
    })
  if (size.width > side || size.height > side)
    throw tooLarge(`${size.width} × ${size.height} pixels; at most ${side} × ${side}`, field)
  return all
}

/** Reads until `enough` accepts the head, or to the end. Returns the head and a stream that starts with it. */
async function peek(
  file: AsyncIterable<Uint8Array>,
  enough: (head: Buffer) => boolean,
): Promise<{ head: Buffer; all: AsyncIterable<Uint8Array> }> {
  const source = file[Symbol.asyncIterator]()
  let head = Buffer.alloc(0)
  let ended = false
  while (!enough(head) && !ended) {
    const step = await source.next()
    if (step.done) ended = true
    else head = Buffer.concat([head, step.value])
  }
  async function* all() {
    if (head.length) yield head
    if (!ended) yield* { [Symbol.asyncIterator]: () => source }
  }
  return { head, all: all() }
}

/** Stops at the first byte beyond the limit. */
export async function* atMost(bytes: AsyncIterable<Uint8Array>, most: number, field: string) {
  let seen = 0
  for await (const chunk of bytes) {
    seen += chunk.length
    if (seen > most) throw tooLarge(`Larger than ${Math.floor(most / MiB)} MB`, field)
    yield chunk
  }
}

/** A display name: no folders, invisible characters or direction marks; at most 200 characters. */
export function cleanName(name: string): string {
  const last = name.normalize('NFC').split(/[\\/]/).at(-1) ?? ''
  const visible = last.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu, '').trim()
  if (/^\.*$/.test(visible)) return 'file'
  if (visible.length <= 200) return visible
  const end = /\.[^.]{1,20}$/.exec(visible)?.[0] ?? ''
  return `${visible.slice(0, 200 - end.length)}${end}`.toWellFormed()
}
