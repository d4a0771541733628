/** A logical line of a zone file: parentheses joined, comments removed, quoted strings as one word. */
export interface Line {
  /** Number of its first line in the file, from 1. */
  number: number
  text: string
  words: string[]
  /** Starts with a blank, so it continues the previous name. */
  indented: boolean
  /** Why the line cannot be read. */
  broken?: string
}

/** Splits a zone file into logical lines by the quoting rules of RFC 1035, 5.1. */
export function* linesOf(file: string): Generator<Line> {
  let at = 0
  let number = 1
  while (at < file.length) {
    const begin = at
    const first = number
    const words: string[] = []
    const indented = file[at] === ' ' || file[at] === '\t'
    let depth = 0
    let broken: string | undefined
    for (;;) {
      const c = file[at]
      if (c === undefined || (c === '\n' && depth === 0)) break
      if (c === '\n') number += 1
      if (c === '(') depth += 1
      else if (c === ')') depth -= 1
      else if (c === ';') {
        while (at < file.length && file[at] !== '\n') at += 1
        continue
      } else if (!/\s/.test(c)) {
        const word = wordAt(file, at)
        if (word.open) broken = 'A quotation mark is not closed'
        words.push(word.text)
        at = word.end
        continue
      }
      if (depth < 0) broken = 'A parenthesis is closed that was not opened'
      at += 1
    }
    if (depth > 0) broken ??= 'A parenthesis is not closed'
    const text = file.slice(begin, at).trim()
    at += 1
    number += 1
    if (words.length || broken) yield { number: first, text, words, indented, ...(broken && { broken }) }
  }
}

/** One word with its quotation marks and escapes. A string ends at the end of its line at the latest. */
function wordAt(file: string, from: number): { text: string; end: number; open: boolean } {
  let at = from
  const isQuoted = file[at] === '"'
  if (isQuoted) at += 1
  for (; at < file.length; at += 1) {
    const c = file[at] ?? ''
    if (c === '\\' && file[at + 1] !== '\n') at += 1
    else if (c === '\n') break
    else if (!isQuoted && c === '"' && file[at - 1] === '=') {
      // a parameter of HTTPS and SVCB: alpn="h2,h3"
      const inner = wordAt(file, at)
      if (inner.open) return { text: file.slice(from, inner.end), end: inner.end, open: true }
      at = inner.end - 1
    } else if (isQuoted ? c === '"' : /[\s();"]/.test(c)) break
  }
  const closed = isQuoted && file[at] === '"'
  const end = Math.min(closed ? at + 1 : at, file.length)
  return { text: file.slice(from, end), end, open: isQuoted && !closed }
}
