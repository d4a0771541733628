import { ImportItem, LINE_BYTES } from '@innkeeper/contract/qc/sources'
import type * as z from 'zod'

/** One thing that a source hands over: an item, or why it could not be read. `line` counts from 1. */
export type Read = ({ line: number; item: ImportItem } | { line: number; reason: string }) & {
  /** Of an adapter: up to here everything was yielded. */
  cursor?: string
}

/**
 * A source yields items in the order of its cursor. JSON lines are one; an adapter of a help desk is another file with
 * the same type, which asks the help desk and maps its answers to `ImportItem`.
 */
export type Items = AsyncIterable<Read>

/** Reads JSON lines. A bad line is yielded with its reason and stops nothing. */
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

/** An item as a source made it, or what is wrong with it. */
export function checkItem(value: unknown, line: number): Read {
  const result = ImportItem.safeParse(value)
  return result.success ? { line, item: result.data } : { line, reason: reasonOf(result.error) }
}

const reasonOf = ({ issues: [issue] }: z.ZodError): string =>
  issue ? `${issue.path.join('.') || 'item'}: ${issue.message}`.slice(0, 300) : 'not an item'
