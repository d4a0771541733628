import * as z from 'zod'

/** An uploaded file as a handler receives it. Its bytes are already stored under `key`. */
export interface Upload {
  /** Opaque storage key, independent of the name. */
  key: string
  /** Size in bytes. */
  size: number
  /** SHA-256 of the bytes in hex. */
  sha256: string
  /** Name that the sender gave, without folders and control characters. */
  name: string
  /** Detected from the first bytes, regardless of the name and the sender's claim. */
  type: string
}

/** Rules of a file field, enforced before the file is kept. */
export interface FileRules {
  /** Maximum number of files per call. */
  max: number
  /** Maximum bytes per file. */
  bytes: number
  /** Allowed types by the first bytes; absent: any. */
  types?: readonly string[]
  /** Maximum width and height of pictures in pixels, read from the header. Protects against decompression bombs. */
  side?: number
}

type Known = FileRules & { list: boolean }
const known = new WeakMap<z.ZodType, Known>()

/** The rules of a file field, and whether it is a list; undefined for other fields. */
export function fileRules(field: unknown): Known | undefined {
  const inner = field instanceof z.ZodOptional ? field.unwrap() : field
  return inner instanceof z.ZodType ? known.get(inner) : undefined
}

/** A Blob in the browser, validated before sending; an Upload after the server has read the form. */
const one = ({ bytes, types }: FileRules) =>
  z
    .custom<Upload | Blob>((value) => typeof value === 'object' && value !== null && 'size' in value, 'Required')
    .check(({ value, issues }) => {
      if (value.size > bytes)
        issues.push({ code: 'custom', input: value, message: `Larger than ${sizeText(bytes)}`, continue: false })
      if (types && value.type && !types.includes(value.type))
        issues.push({ code: 'custom', input: value, message: `Must be ${listOf(types)}`, continue: false })
    })

/** A form field with one file: `image: file({ bytes: 5 * MiB, types: pictures })`. */
export function file(rules: Omit<FileRules, 'max'>): z.ZodType<Upload, Blob> {
  const all = { max: 1, ...rules }
  // the input is a Blob and the output an Upload, because the server's form reader comes between
  const schema = one(all) as unknown as z.ZodType<Upload, Blob>
  known.set(schema, { ...all, list: false })
  return schema
}

/** A form field with several files under one name. */
export function files(rules: FileRules): z.ZodType<Upload[], Blob[]> {
  const list = z.array(one(rules)).min(1, 'Required').max(rules.max, `At most ${rules.max} files at once`)
  const schema = list as unknown as z.ZodType<Upload[], Blob[]> // as above
  known.set(schema, { ...rules, list: true })
  return schema
}

/** A download, as a handler describes it. */
export interface Served {
  name: string
  /** Stored type. The browser receives it only if it may display the file. */
  type: string
  size: number
  sha256: string
  /** True: the browser displays the file instead of saving it; only for pictures and PDF. */
  inline?: boolean
  /** Seconds for which any cache may keep the answer. Absent: the cache must revalidate each time. */
  keep?: number
  /** Opens the bytes from `start` to `end`, both included, when they are sent. */
  read(start: number, end: number): AsyncIterable<Uint8Array>
}

/** Content that is generated while it is sent, such as a CSV file or an archive of unknown length. */
export interface Written {
  name: string
  type: string
  parts: AsyncIterable<string | Uint8Array>
}

/** `returns: binary`: bytes instead of JSON, with ranges, a file name and a sandbox. Clients receive a Blob. */
export const binary = z.custom<unknown>() as unknown as z.ZodType<Blob, Served | Written> // as `file`

/** A raw request body, which the handler reads as a stream. */
export interface Content {
  /** Maximum bytes. */
  bytes: number
}

export const KiB = 1024
export const MiB = 1024 * KiB
export const GiB = 1024 * MiB
/** Types that every browser displays as a picture and never runs. */
export const pictures = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const

const sizeText = (bytes: number) => (bytes >= GiB ? `${bytes / GiB} GB` : `${Math.round(bytes / MiB)} MB`)
/** For example `PNG, JPEG or PDF`. */
export function listOf(types: readonly string[]): string {
  const names = types.map((type) => (type === 'text/plain' ? 'text' : type.replace(/^.*\//, '').toUpperCase()))
  return [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' or ')
}
