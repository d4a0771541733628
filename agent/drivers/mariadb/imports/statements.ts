/** A part of a dump: a whole statement, the beginning of a longer one and its rows, or text between statements. */
export interface Piece {
  kind: 'statement' | 'head' | 'rows' | 'text'
  bytes: Buffer
  /** Line of its first byte. */
  line: number
}

const HEAD = 512 // bytes that tell what a statement does
const MOST_DEFINITION = 16 * 1024 * 1024
/** MariaDB accepts no larger packet, and its client holds the whole statement in memory. */
const MOST_STATEMENT = 1024 ** 3
const [NEWLINE, SPACE, DASH, SLASH, STAR, HASH, BACKSLASH, BANG, M] = [10, 32, 45, 47, 42, 35, 92, 33, 77]
const quotes = [34, 39, 96] // " ' `
const isSpace = (byte: number) => byte === SPACE || (byte >= 9 && byte <= 13)
/** Statements with rows: passed on while they are read. All others are collected whole. */
const rows = /^(?:\/\*M?!\d*\s*)?(?:insert|replace|\()/i
/** Bytes that mean nothing among the values of a row: digits, commas, brackets, spaces. */
const plainIn = new Uint8Array(256)
for (const byte of Buffer.from('0123456789,() +.')) plainIn[byte] = 1
const fileFunction = Buffer.from('load_file')
/** What follows `/*M!` in the first line of a dump of MariaDB: a command of newer clients, and a comment for every server. */
const sandbox = Buffer.from('999999\\-')

interface Options {
  piece(piece: Piece): void
  /** A call of LOAD_FILE outside of quotes. */
  readsFile(line: number): void
  mostBytes?: number
}

/**
 * Splits SQL into statements as the client of MariaDB does, in any chunks, with memory for one definition. Comments
 * with a version (those that begin with `/*!`) are code; others belong to the text around, also the line that each of
 * several dumps in one file begins with.
 */
export function statements({ piece, readsFile, mostBytes = MOST_STATEMENT }: Options) {
  let delimiter = Buffer.from(';')
  let state: 'code' | 'quote' | 'line comment' | 'comment' = 'code'
  let quote = 0
  let versioned = 0
  let line = 1
  let begunAt = 1
  /** Whether a statement has begun; otherwise the bytes are space and comments. */
  let within = false
  /** The head of a statement with rows was passed on already. */
  let passing = false
  /** The statement has no rows: it is collected whole. */
  let defines = false
  let parts: Buffer[] = []
  let size = 0
  /** Bytes of the statement, also those that were passed on. */
  let whole = 0
  let rest = Buffer.alloc(0)
  let matched = 0

  const keep = (bytes: Buffer) => {
    if (!bytes.length) return
    parts.push(bytes)
    size += bytes.length
    whole += bytes.length
  }
  const flush = (kind: Piece['kind']) => {
    if (size) piece({ kind, bytes: parts.length === 1 ? parts[0]! : Buffer.concat(parts), line: begunAt })
    parts = []
    size = 0
  }
  const ends = () => {
    flush(passing ? 'rows' : 'statement')
    within = false
    passing = false
    defines = false
    whole = 0
    begunAt = line
  }
  /** Passes on the bytes that need not stay in memory. */
  const ease = () => {
    if (!within) whole = 0
    else if (whole > mostBytes)
      throw new Error(`line ${begunAt} begins a statement of more than 1 GB, which MariaDB does not accept`)
    if (!within || passing) return flush(passing ? 'rows' : 'text')
    if (size > MOST_DEFINITION)
      throw new Error(`line ${begunAt} begins a statement of more than ${MOST_DEFINITION >> 20} MB that is no INSERT`)
    if (defines || size < HEAD) return
    const head = parts.length === 1 ? parts[0]! : Buffer.concat(parts)
    parts = [head]
    defines = !rows.test(head.toString('latin1', 0, 64))
    if (defines) return
    passing = true
    flush('head')
  }

  function take(chunk: Buffer, last: boolean): void {
    const bytes = rest.length ? Buffer.concat([rest, chunk]) : chunk
    // what may continue in the next chunk: a delimiter, two bytes of a comment, or a line with DELIMITER
    const until = last ? bytes.length : Math.max(0, bytes.length - 64)
    let at = 0
    let from = 0
    while (at < until) {
      if (state === 'quote') {
        // most bytes of a dump pass here, so this path makes no other call or check
        const closing = quote
        while (at < until) {
          const inside = bytes[at]!
          if (inside === closing) {
            state = 'code'
            at++
            break
          }
          if (inside === NEWLINE) line++
          else if (inside === BACKSLASH && closing !== 96) {
            if (bytes[at + 1] === NEWLINE) line++
            at++
          }
          at++
        }
        continue
      }
      const byte = bytes[at]!
      if (passing && state === 'code' && plainIn[byte]) {
        matched = 0
        at++
        continue
      }
      if (byte === NEWLINE) line++
      if (state === 'line comment') {
        if (byte === NEWLINE) state = 'code'
        at++
        continue
      }
      if (state === 'comment') {
        if (byte === STAR && bytes[at + 1] === SLASH) {
          state = 'code'
          at += 2
        } else at++
        continue
      }
      if (isSpace(byte)) {
        matched = 0
        at++
        continue
      }
      const next = bytes[at + 1] ?? 0
      if (byte === HASH || (byte === DASH && next === DASH && isSpace(bytes[at + 2] ?? NEWLINE))) {
        state = 'line comment'
        at++
        continue
      }
      if (byte === SLASH && next === STAR) {
        const third = bytes[at + 2]
        const version = third === BANG ? at + 3 : third === M && bytes[at + 3] === BANG ? at + 4 : undefined
        if (version !== undefined && !startsWith(bytes, version, sandbox)) versioned++
        else {
          state = 'comment'
          at += 2
          continue
        }
      }
      if (byte === STAR && next === SLASH && versioned) versioned--
      if (!within) {
        if ((byte | 32) === 100) {
          const word = /^delimiter[ \t]+(\S{1,16})[^\n]*(?:\n|$)/i.exec(bytes.toString('latin1', at, at + 64))
          if (word) {
            // the client reads this line itself
            delimiter = Buffer.from(word[1]!, 'latin1')
            keep(bytes.subarray(from, at + word[0].length))
            at += word[0].length
            from = at
            if (word[0].endsWith('\n')) line++
            flush('text')
            begunAt = line
            continue
          }
        }
        if (!startsWith(bytes, at, delimiter)) {
          keep(bytes.subarray(from, at))
          flush('text')
          from = at
          within = true
          begunAt = line
        }
      }
      if (byte === delimiter[0] && startsWith(bytes, at, delimiter)) {
        at += delimiter.length
        keep(bytes.subarray(from, at))
        from = at
        versioned = 0
        matched = 0
        ends()
        continue
      }
      if (quotes.includes(byte)) {
        state = 'quote'
        quote = byte
        matched = 0
      } else if ((byte | 32) === fileFunction[matched] || (byte === 95 && fileFunction[matched] === 95)) {
        matched++
        if (matched === fileFunction.length) {
          readsFile(line)
          matched = 0
        }
      } else matched = (byte | 32) === fileFunction[0] ? 1 : 0
      at++
    }
    keep(bytes.subarray(from, at))
    // an escape may have stepped over the end
    rest = Buffer.from(bytes.subarray(at))
    ease()
  }

  return {
    take: (chunk: Buffer) => take(chunk, false),
    /** What ends a statement here. */
    delimiter: () => delimiter.toString('latin1'),
    /** Answers how the text ends: inside quotes or a comment, or inside a statement. */
    end(): 'whole' | 'open' | 'without delimiter' {
      take(Buffer.alloc(0), true)
      const open = state === 'quote' || state === 'comment' || versioned > 0
      const left = within
      if (left) ends()
      else flush('text')
      return open ? 'open' : left ? 'without delimiter' : 'whole'
    },
  }
}

function startsWith(bytes: Buffer, at: number, what: Buffer): boolean {
  for (let i = 0; i < what.length; i++) if (bytes[at + i] !== what[i]) return false
  return true
}
