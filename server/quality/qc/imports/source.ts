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

/** Reads JSON lines. Yields an invalid line with the reason, and continues. */
export async function* readLines(bytes: AsyncIterable<Uint8Array>): Items {
  const decoder = new TextDecoder()
  let rest = ''
  let line = 0
  for await (const chunk of bytes) {
    rest += decoder.decode(chunk, { stream: true })
    let end = rest.indexOf('\n')
    if (end < 0 && rest.length > LINE_BYTES) throw new RangeError('a line is longer than 32 MiB')
    let start = 0
    while (end >= 0) {
      line += 1
      const read = readLine(rest.slice(start, end), line)
      if (read) yield read
      start = end + 1
      end = rest.indexOf('\n', start)
    }
    rest = rest.slice(start)
  }
  const read = readLine(rest + decoder.decode(), line + 1)
  if (read) yield read
}

function readLine(text: string, line: number): Read | undefined {
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
