const [NEWLINE, QUOTE, DOUBLE, DASH, SLASH, STAR, BACKSLASH, SEMICOLON, DOLLAR, DOT] = [
  10, 39, 34, 45, 47, 42, 92, 59, 36, 46,
]
const MOST_STATEMENT = 64 * 1024 * 1024
const isWord = (byte: number) =>
  (byte >= 48 && byte <= 57) || (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122) || byte === 95 || byte > 127
const copying =
  /^copy\s+((?:"(?:[^"]|"")+"|[^\s"(.]+)(?:\s*\.\s*(?:"(?:[^"]|"")+"|[^\s"(.]+))?)(?:\s*\([^)]*\))?\s+from\s+stdin\b/i

export interface Pieces {
  /** A statement with the comments before it, and its own text without them. */
  statement(bytes: Buffer, text: string, line: number): void
  /** A command of the client: `\connect shop`. */
  command(text: string, line: number): void
  /** Rows of COPY, in pieces, with the line that ends them. */
  data(bytes: Buffer): void
  /** A row of COPY into this table has been read. */
  row?(table: string): void
}

type State = 'code' | 'quote' | 'escaped' | 'name' | 'dollar' | 'line' | 'block' | 'command' | 'copy'

/**
 * Splits SQL as psql does, in any chunks, with memory for one statement: quotes, dollar quotes, comments, rows of COPY.
 * A `;` inside a function body of the form BEGIN ATOMIC splits too: its parts are passed on one after the other.
 */
export function script({ statement, command, data, row }: Pieces) {
  let state: State = 'code'
  /** The functions below change the state, which the compiler does not see. */
  const is = (one: State) => state === one
  let parts: Buffer[] = []
  let size = 0
  let [line, begunAt] = [1, 1]
  let [prev, before] = [0, 0]
  let depth = 0
  /** A dollar tag that may begin, and the one that is open. */
  let [tagging, tag] = [undefined as number[] | undefined, [] as number[]]
  let matched = 0
  let lastQuote: 'quote' | 'escaped' = 'quote'
  let commandText: number[] = []
  let table = ''
  let lineHead: number[] = []

  const keep = (bytes: Buffer) => {
    if (!bytes.length) return
    parts.push(bytes)
    size += bytes.length
    if (size > MOST_STATEMENT)
      throw new Error(`line ${begunAt} begins a statement of more than ${MOST_STATEMENT >> 20} MB`)
  }
  const take = () => {
    const bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts)
    parts = []
    size = 0
    return bytes
  }
  const ends = () => {
    const bytes = take()
    const text = withoutComments(bytes.toString('utf8', 0, Math.min(bytes.length, 65_536)))
    if (text) statement(bytes, text, begunAt)
    else if (bytes.length) data(bytes)
    const into = copying.exec(text)
    if (into) {
      state = 'copy'
      table = (into[1] ?? '').replaceAll('"', '').replace(/^public\./, '')
      lineHead = [SEMICOLON] // the rest of the line of the statement
    }
  }

  function code(byte: number): boolean {
    if (tagging) {
      if (byte === DOLLAR) {
        tag = [DOLLAR, ...tagging, DOLLAR]
        tagging = undefined
        matched = 0
        state = 'dollar'
        return false
      }
      if (isWord(byte) && (tagging.length || byte < 48 || byte > 57)) tagging.push(byte)
      else tagging = undefined
    }
    if (byte === QUOTE) {
      const again = prev === QUOTE && lastQuote === 'escaped'
      lastQuote = again || ((prev === 69 || prev === 101) && !isWord(before)) ? 'escaped' : 'quote'
      state = lastQuote
    } else if (byte === DOUBLE) state = 'name'
    else if (byte === DASH && prev === DASH) state = 'line'
    else if (byte === STAR && prev === SLASH) {
      state = 'block'
      depth = 1
      prev = 0
    } else if (byte === DOLLAR && !isWord(prev)) tagging = []
    else if (byte === BACKSLASH) {
      state = 'command'
      commandText = []
    } else if (byte === SEMICOLON) return true
    return false
  }

  function within(byte: number): void {
    if (state === 'quote' || state === 'escaped') {
      if (state === 'escaped' && byte === BACKSLASH && prev === BACKSLASH) {
        prev = 0
        return
      }
      if (byte === QUOTE && !(state === 'escaped' && prev === BACKSLASH)) state = 'code'
    } else if (state === 'name') {
      if (byte === DOUBLE) state = 'code'
    } else if (state === 'line') {
      if (byte === NEWLINE) state = 'code'
    } else if (state === 'block') {
      if (byte === STAR && prev === SLASH) {
        depth++
        prev = 0
        return
      }
      if (byte === SLASH && prev === STAR) {
        if (--depth === 0) state = 'code'
        prev = 0
        return
      }
    } else if (state === 'dollar') {
      matched = byte === tag[matched] ? matched + 1 : byte === DOLLAR ? 1 : 0
      if (matched === tag.length) {
        state = 'code'
        prev = 0
        return
      }
    }
    before = prev
    prev = byte
  }

  /** Reads rows of COPY from a place in the chunk. Answers where they end, or the length of the chunk. */
  function rows(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; ) {
      const end = chunk.indexOf(NEWLINE, at)
      const upTo = end < 0 ? chunk.length : end
      for (let i = at; i < upTo && lineHead.length < 4; i++) lineHead.push(chunk[i]!)
      if (end < 0) break
      line++
      const last = lineHead[0] === BACKSLASH && lineHead[1] === DOT && (lineHead.length === 2 || lineHead[2] === 13)
      const first = lineHead[0] === SEMICOLON && parts.length === 0 && atFirst
      if (!last && !first) row?.(table)
      atFirst = false
      lineHead = []
      at = end + 1
      if (last) {
        data(chunk.subarray(from, at))
        state = 'code'
        begunAt = line
        return at
      }
    }
    data(chunk.subarray(from))
    return chunk.length
  }
  let atFirst = false

  return {
    write(chunk: Buffer): void {
      let start = 0
      for (let at = 0; at < chunk.length; ) {
        if (state === 'copy') {
          at = rows(chunk, at)
          start = at
          continue
        }
        const byte = chunk[at]!
        if (byte === NEWLINE) line++
        if (state === 'command') {
          if (byte === NEWLINE) {
            // the text before the backslash belongs to the next statement
            command(Buffer.from(commandText).toString().trim(), line - 1)
            keep(Buffer.from([NEWLINE]))
            state = 'code'
            start = at + 1
          } else if (commandText.length < 4096) commandText.push(byte)
          at++
          prev = 0
          continue
        }
        if (state !== 'code') {
          within(byte)
          at++
          continue
        }
        const over = code(byte)
        if (is('command')) {
          keep(chunk.subarray(start, at))
          at++
          continue
        }
        if (!(is('block') && prev === 0)) {
          before = prev
          prev = byte
        }
        at++
        if (over) {
          keep(chunk.subarray(start, at))
          start = at
          prev = 0
          ends()
          atFirst = is('copy')
          begunAt = line
        }
      }
      if (state !== 'copy' && state !== 'command') keep(chunk.subarray(start))
    },
    /** Passes on the rest of the text. Answers false if the text ends inside a quote, a comment or rows. */
    end(): boolean {
      if (state === 'command') command(Buffer.from(commandText).toString().trim(), line)
      const whole = state === 'code' || state === 'line' || state === 'command'
      ends()
      return whole
    },
  }
}

/** The statement without the comments before it. */
export function withoutComments(text: string): string {
  let rest = text.trimStart()
  for (;;) {
    if (rest.startsWith('--')) {
      const end = rest.indexOf('\n')
      rest = end < 0 ? '' : rest.slice(end + 1).trimStart()
    } else if (rest.startsWith('/*')) {
      let [depth, at] = [1, 2]
      while (depth && at < rest.length) {
        if (rest.startsWith('/*', at)) [depth, at] = [depth + 1, at + 2]
        else if (rest.startsWith('*/', at)) [depth, at] = [depth - 1, at + 2]
        else at++
      }
      rest = rest.slice(at).trimStart()
    } else return rest.trim()
  }
}

/** The statements of a short text. */
export function split(sql: string): string[] {
  const found: string[] = []
  const commands: string[] = []
  const reading = script({
    statement: (_, text) => void found.push(text),
    command: (text) => void commands.push(text),
    data: () => {},
  })
  reading.write(Buffer.from(`${sql}\n`))
  reading.end()
  if (commands.length) throw new Error(`\\${commands[0]} is a command of the client, not SQL`)
  return found.filter((text) => text !== ';')
}
