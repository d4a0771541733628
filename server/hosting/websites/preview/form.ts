import type { IncomingMessage } from 'node:http'
import { fromPreview, type Previewed } from './rewriting.ts'

/** Maximum size; larger bodies, such as uploads of films, are passed on unchanged. */
const MOST_BYTES = 8 * 1024 * 1024
const rewritten =
  /^(application\/x-www-form-urlencoded|multipart\/form-data|text\/|application\/(?:[\w.-]+\+)?(json|xml))/i

export interface Form {
  /** The whole body with the website's own names; undefined if the body is passed on unchanged. */
  text?: Buffer
  /** The bytes that were already read of a body that is passed on unchanged. */
  read: Buffer[]
}

/** Reads the body of a form up to the maximum size, and replaces names of the preview by those of the website. */
export async function readForm(incoming: IncomingMessage, previewed: Previewed): Promise<Form> {
  const { 'content-type': type = '', 'content-length': length, 'content-encoding': encoding } = incoming.headers
  const isForm = rewritten.test(type) && encoding === undefined && Number(length ?? 0) <= MOST_BYTES
  const hasBody = length !== undefined || incoming.headers['transfer-encoding'] !== undefined
  if (!isForm || !hasBody) return { read: [] }
  const read: Buffer[] = []
  let bytes = 0
  for await (const part of incoming.iterator({ destroyOnReturn: false })) {
    read.push(part)
    bytes += part.length
    if (bytes > MOST_BYTES) return { read }
  }
  return { text: Buffer.from(fromPreview(previewed)(Buffer.concat(read).toString('latin1')), 'latin1'), read: [] }
}
