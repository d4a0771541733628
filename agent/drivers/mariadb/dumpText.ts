import { Transform } from 'node:stream'

/** What a dump contains, collected while it streams. */
export interface DumpFacts {
  /** Rows of each table; 0 for an empty table. */
  rows: Record<string, number>
  /** The definers of views, triggers, routines and events, such as `shop@localhost`. */
  definers: Set<string>
  /** Whether the last line of mariadb-dump was seen. */
  complete: boolean
}

const HEAD = 96 // bytes that suffice to classify a line
const [NEWLINE, PAREN] = [0x0a, 0x28]
const kinds = [
  ['definer', '/*!50013 DEFINER='],
  ['definer', '/*!50003 CREATE*/ /*!50017 DEFINER='],
  ['definer', '/*!50106 CREATE*/ /*!50117 DEFINER='],
  ['definer', 'CREATE DEFINER='],
  ['insert', 'INSERT INTO `'],
  ['table', 'CREATE TABLE `'],
  ['view', '/*!50001 VIEW `'],
  ['end', '-- Dump completed'],
] as const
const name = '`((?:[^`]|``)*)`'
const who = new RegExp(`DEFINER=${name}@${name}`)

/**
 * Streams a dump line by line. mariadb-dump writes each row on its own line and escapes line breaks in values, so the
 * beginning of a line tells its kind. `definer` replaces all definers. `of`: the dumped database.
 */
export function dumpText(definer?: string, of?: string): { through: Transform; facts: DumpFacts } {
  const facts: DumpFacts = { rows: {}, definers: new Set(), complete: false }
  let table = ''
  /** The beginning of a line that is not classified yet or is needed whole. */
  let held: Buffer | undefined
  /** Whether the position is inside a line that is passed on unchanged. */
  let within = false

  function line(text: string): string {
    facts.complete = false
    const kind = kindOf(text)
    if (kind === 'insert' || kind === 'table') {
      table = /`((?:[^`]|``)*)`/.exec(text)?.[1]?.replaceAll('``', '`') ?? ''
      facts.rows[table] ??= 0
      // older versions write the first row on the line of INSERT
      if (kind === 'insert' && /VALUES \(/.test(text)) facts.rows[table]! += 1
    } else if (kind === 'end') facts.complete = true
    else if (kind === 'view') return of ? withoutDatabase(text, of) : text
    else if (kind === 'definer') {
      const [, user = '', host = ''] = who.exec(text) ?? []
      facts.definers.add(`${user}@${host}`)
      if (definer) return text.replace(who, () => `DEFINER=\`${definer}\`@\`localhost\``)
    }
    return text
  }

  /** A line that is no row, as it is passed on. */
  function judged(begun: Buffer, kind: ReturnType<typeof kindOf>): Buffer {
    if (kind) {
      const text = begun.toString()
      const now = line(text)
      return now === text ? begun : Buffer.from(now)
    }
    if (begun.length > 1) facts.complete = false
    return begun
  }

  const through = new Transform({
    transform(part: Buffer, _, done) {
      let at = 0
      /** Start of the bytes that are not passed on yet: many rows are passed on in one piece. */
      let from = 0
      const passOn = (until: number) => {
        if (until > from) this.push(part.subarray(from, until))
        from = until
      }
      while (at < part.length) {
        const found = part.indexOf(NEWLINE, at)
        const end = found < 0 ? part.length : found + 1
        if (!within) {
          const piece = part.subarray(at, end)
          const begun: Buffer = held ? Buffer.concat([held, piece]) : piece
          const wasHeld = held !== undefined
          held = undefined
          if (begun[0] === PAREN) {
            facts.rows[table] = (facts.rows[table] ?? 0) + 1
            facts.complete &&= begun.length < 2
          } else {
            const kind = kindOf(begun.toString('latin1', 0, HEAD))
            if (found < 0 && (kind || begun.length < HEAD)) {
              passOn(at)
              held = Buffer.from(begun) // incomplete line
              from = end
              at = end
              continue
            }
            const now = judged(begun, kind)
            if (now !== piece || wasHeld) {
              passOn(at)
              this.push(now)
              from = end
            }
          }
        }
        at = end
        within = found < 0
      }
      passOn(part.length)
      done()
    },
    flush(done) {
      if (held) this.push(Buffer.from(line(held.toString())))
      done()
    },
  })
  return { through, facts }
}

/**
 * MariaDB names the database in columns of views that name their table. A copy under another name would lack them.
 */
export const withoutDatabase = (view: string, of: string) => view.replaceAll(`\`${of.replaceAll('`', '``')}\`.`, '')

const kindOf = (head: string) => kinds.find(([, begins]) => head.startsWith(begins))?.[0]
