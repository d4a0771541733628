import * as z from 'zod'

/** What a handler gets of a file that came with a form: its bytes lie in storage under `key` by then. */
export interface Upload {
  /** Opaque; nothing of the name is in it. */
  key: string
  /** Bytes. */
  size: number
  /** Of the bytes, in hex. */
  sha256: string
  /** As the sender called it, without folders and control characters. */
  name: string
  /** Told by the first bytes, whatever the name or the sender says. */
  type: string
}

/** Declared per field, enforced before anything is kept. */
export interface FileRules {
  /** Files of this field in one call. */
  max: number
  /** Of each. */
  bytes: number
  /** What the first bytes may show; absent: anything. */
  types?: readonly string[]
  /** Of pictures: pixels either way, as the header says, so that no small file unpacks to a huge one. */
  side?: number
}

type Known = FileRules & { list: boolean }
const known = new WeakMap<z.ZodType, Known>()

/** The rules of a form's field that takes files, and whether it is a list of them; undefined for a plain one. */
export function fileRules(field: unknown): Known | undefined {
  const inner = field instanceof z.ZodOptional ? field.unwrap() : field
  return inner instanceof z.ZodType ? known.get(inner) : undefined
}

/** In a browser it is a Blob yet, checked before it is sent; behind the server's reader it is an Upload. */
const one = ({ bytes, types }: FileRules) =>
  z
    .custom<Upload | Blob>((value) => typeof value === 'object' && value !== null && 'size' in value, 'Required')
    .check(({ value, issues }) => {
      if (value.size > bytes)
        issues.push({ code: 'custom', input: value, message: `Larger than ${sizeText(bytes)}`, continue: false })
      if (types && value.type && !types.includes(value.type))
        issues.push({ code: 'custom', input: value, message: `Has to be ${listOf(types)}`, continue: false })
    })

/** A field of a form that takes one file: `image: file({ bytes: 5 * MiB, types: pictures })`. */
export function file(rules: Omit<FileRules, 'max'>): z.ZodType<Upload, Blob> {
  const all = { max: 1, ...rules }
  // what goes in is a Blob and what comes out an Upload: the server's reader stands between the two
  const schema = one(all) as unknown as z.ZodType<Upload, Blob>
  known.set(schema, { ...all, list: false })
  return schema
}

/** A field that takes several under one name. */
export function files(rules: FileRules): z.ZodType<Upload[], Blob[]> {
  const list = z.array(one(rules)).min(1, 'Required').max(rules.max, `At most ${rules.max} files at once`)
  const schema = list as unknown as z.ZodType<Upload[], Blob[]> // as above
  known.set(schema, { ...rules, list: true })
  return schema
}

/** An answer of bytes: what a handler says of it, and how it is read. */
export interface Served {
  name: string
  /** As stored; a browser is told of it only where it may show it. */
  type: string
  size: number
  sha256: string
  /** For the browser to show instead of to save; only pictures and PDF ever are. */
  inline?: boolean
  /** How long a browser may keep it without asking: seconds, for anybody. Absent: it asks each time. */
  keep?: number
  /** The bytes from `start` to `end`, both included. Opened when they are sent. */
  read(start: number, end: number): AsyncIterable<Uint8Array>
}

/** Text that is written while it is read, so that nobody knows yet how long it will be: a CSV of any number of rows. */
export interface Written {
  name: string
  type: string
  parts: AsyncIterable<string>
}

/** `returns: binary`: bytes instead of JSON, with ranges, a name and a sandbox. Clients get a Blob. */
export const binary = z.custom<unknown>() as unknown as z.ZodType<Blob, Served | Written> // as `file`

/** A body of bytes as they are, not JSON: read by the handler while they come. */
export interface Content {
  /** At most. */
  bytes: number
}

export const KiB = 1024
export const MiB = 1024 * KiB
export const GiB = 1024 * MiB
/** What every browser shows as a picture and none as a program. */
export const pictures = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const

const sizeText = (bytes: number) => (bytes >= GiB ? `${bytes / GiB} GB` : `${Math.round(bytes / MiB)} MB`)
/** `PNG, JPEG or PDF`. */
export function listOf(types: readonly string[]): string {
  const names = types.map((type) => type.replace(/^.*\//, '').toUpperCase())
  return [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' or ')
}
