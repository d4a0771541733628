import { ImportItem, LINE_BYTES } from '@innkeeper/contract/quality/qc/sourceShapes'
import type * as z from 'zod'
import { textOfHtml } from './adapters/html.ts'

/** What a source yields: an item, or the reason why the item could not be read. `line` counts from 1. */
export type Read = (
  | { line: number; item: ImportItem }
  /** `unread`: id of an item that a later run reads again. `gone`: id of one that no run reads again. */
  | { line: number; reason: string; unread?: string; gone?: string }
) & {
  /** Cursor of an adapter: all items before it have been yielded. */
  cursor?: string
}

/**
 * Items of a source, in the order of its cursor. `readLines` yields them from JSON lines; an adapter reads a help desk
 * and maps its answers to `ImportItem`.
 */
export type Items = AsyncIterable<Read>

const LINE_END = 10
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Reads JSON lines. Yields an invalid line with the reason, and continues. */
export async function* readLines(bytes: AsyncIterable<Uint8Array>): Items {
  let rest: Uint8Array[] = []
  let size = 0
  let line = 0
  for await (const chunk of bytes) {
    let start = 0
    for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, start)) {
      line += 1
      const read = readLine([...rest, chunk.subarray(start, end)], line)
      if (read) yield read
      ;[rest, size, start] = [[], 0, end + 1]
    }
    rest.push(chunk.subarray(start))
    size += chunk.length - start
    if (size > LINE_BYTES) throw new RangeError('a line is longer than 32 MiB')
  }
  const read = readLine(rest, line + 1)
  if (read) yield read
}

function readLine(bytes: readonly Uint8Array[], line: number): Read | undefined {
  let text: string
  try {
    text = utf8.decode(Buffer.concat(bytes))
  } catch {
    // another encoding would turn letters of customers into marks that nobody can undo
    return { line, reason: 'not UTF-8' }
  }
  if (text.trim() === '') return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { line, reason: 'not JSON' }
  }
  return checkItem(value, line)
}

/** Validates an item of a source; returns the item or the reason why it is invalid. */
export function checkItem(value: unknown, line: number): Read {
  const result = ImportItem.safeParse(value)
  return result.success ? { line, item: withWords(result.data) } : { line, reason: reasonOf(result.error) }
}

/** The item with the words of messages in HTML. */
const withWords = (item: ImportItem): ImportItem => ({
  ...item,
  messages: item.messages.map(({ format, ...message }) =>
    format === 'html' ? { ...message, text: textOfHtml(message.text) } : message,
  ),
})

const reasonOf = ({ issues: [issue] }: z.ZodError): string =>
  issue ? `${issue.path.join('.') || 'item'}: ${issue.message}`.slice(0, 300) : 'not an item'
