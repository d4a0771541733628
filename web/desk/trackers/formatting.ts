/** A part of a line: plain, bold, italic, or code. */
export interface Span {
  at: number
  text: string
  style: 'plain' | 'bold' | 'italic' | 'code'
}
export interface Block {
  at: number
  kind: 'paragraph' | 'heading' | 'list' | 'numbers' | 'code' | 'quote'
  lines: string[]
}

/** The kind of a line by its first characters, and the text without these. */
function lineOf(line: string): [kind: Block['kind'] | 'empty', text: string] {
  if (!line.trim()) return ['empty', '']
  const heading = /^#{1,4}\s+(.*)/.exec(line)?.[1]
  if (heading !== undefined) return ['heading', heading]
  const listed = /^\s*[-*]\s+(.*)/.exec(line)?.[1]
  if (listed !== undefined) return ['list', listed]
  const numbered = /^\s*\d{1,3}[.)]\s+(.*)/.exec(line)?.[1]
  if (numbered !== undefined) return ['numbers', numbered]
  const quoted = /^>\s?(.*)/.exec(line)?.[1]
  return quoted === undefined ? ['paragraph', line] : ['quote', quoted]
}

/** Reads the formatting of texts: headings, lists, quotes and code between lines of three backticks. Everything else is text. */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = []
  let current: Block | undefined
  let isCode = false
  for (const [at, line] of text.split('\n').entries()) {
    if (line.startsWith('```')) {
      isCode = !isCode
      current = isCode ? { at, kind: 'code', lines: [] } : undefined
      if (current) blocks.push(current)
      continue
    }
    if (isCode) {
      current?.lines.push(line)
      continue
    }
    const [kind, rest] = lineOf(line)
    if (kind === 'empty') current = undefined
    else if (current?.kind === kind && kind !== 'heading') current.lines.push(rest)
    else {
      current = { at, kind, lines: [rest] }
      blocks.push(current)
    }
  }
  return blocks
}

const marks = /(`[^`\n]+`|\*\*[^*\n]+\*\*|(?<!\w)_[^_\n]+_(?!\w))/g

/** Bold, italic and code within a line. */
export function spansOf(line: string): Span[] {
  let at = 0
  return line.split(marks).flatMap((part): Span[] => {
    const start = at
    at += part.length
    if (!part) return []
    if (/^`[^`]+`$/.test(part)) return [{ at: start, text: part.slice(1, -1), style: 'code' }]
    if (/^\*\*[^*]+\*\*$/.test(part)) return [{ at: start, text: part.slice(2, -2), style: 'bold' }]
    if (/^_[^_]+_$/.test(part)) return [{ at: start, text: part.slice(1, -1), style: 'italic' }]
    return [{ at: start, text: part, style: 'plain' }]
  })
}
