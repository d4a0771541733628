import { Transform } from 'node:stream'

/** Longer lines are rows, whose beginning is passed on at once. */
const HEAD = 400
const NEWLINE = 0x0a
const ofTable = /^-- (?:Table structure|Dumping data) for table `((?:[^`]|``)*)`/
const ofOther =
  /^-- (?:Temporary (?:table|view) structure for view|Final view structure for view|Dumping (?:events|routines) for|Sequence structure for|Insufficient privileges)/
const footer = '/*!40103 SET TIME_ZONE=@OLD_TIME_ZONE'

/** Passes on only these tables of a dump of mariadb-dump, with their triggers. Views, routines and events are left out. */
export function pickTables(tables: readonly string[]): { through: Transform; missing: () => string[] } {
  const wanted = new Set(tables)
  const seen = new Set<string>()
  let on = true
  /** The beginning of a line that is not complete. */
  let held: Buffer | undefined
  /** Whether the position is inside a long line, which is kept or dropped as its beginning was. */
  let within = false

  function decide(line: string): void {
    const table = ofTable.exec(line)?.[1]?.replaceAll('``', '`')
    if (table !== undefined) {
      on = wanted.has(table)
      seen.add(table)
    }
    if (ofOther.test(line)) on = false
    if (line.startsWith(footer)) on = true
  }

  const through = new Transform({
    transform(part: Buffer, _, done) {
      let at = 0
      while (at < part.length) {
        const found = part.indexOf(NEWLINE, at)
        const piece = part.subarray(at, found < 0 ? part.length : found + 1)
        at += piece.length
        if (!within) {
          const line: Buffer = held ? Buffer.concat([held, piece]) : piece
          if (found < 0 && line.length < HEAD) {
            held = line
            continue
          }
          held = undefined
          decide(line.toString('latin1', 0, HEAD))
          if (on) this.push(line)
        } else if (on) this.push(piece)
        within = found < 0
      }
      done()
    },
    flush(done) {
      if (held) {
        decide(held.toString('latin1'))
        if (on) this.push(held)
      }
      done()
    },
  })
  return { through, missing: () => tables.filter((table) => !seen.has(table)) }
}
