/** Rows of some tables of a dump as mysqldump and mariadb-dump write it. */
export type Tables = Record<string, Record<string, string | null>[]>

const MOST_LINE = 32 * 1_048_576
const MOST_ROWS = 200_000
const HEAD = 200

/** Reads the rows of the wanted tables, in one pass and without running anything. Lines of other tables are not kept. */
export async function tablesIn(body: AsyncIterable<Buffer>, wanted: ReadonlySet<string>): Promise<Tables> {
  const tables: Tables = {}
  const columns = new Map<string, string[]>()
  let creating: string | undefined
  let rows = 0
  for await (const line of linesOf(body, (head) => creating !== undefined || isWanted(head, wanted))) {
    const created = /^CREATE TABLE (?:IF NOT EXISTS )?`([a-z_]{1,64})`/i.exec(line)?.[1]
    if (created !== undefined) {
      creating = wanted.has(created) ? created : undefined
      if (creating !== undefined) columns.set(creating, [])
    } else if (creating !== undefined) {
      const column = /^\s{0,9}`([A-Za-z0-9_]{1,64})`\s/.exec(line)?.[1]
      if (column) columns.get(creating)?.push(column)
      else if (/^\)/.test(line)) creating = undefined
    } else {
      const head = /^INSERT (?:IGNORE )?INTO `([a-z_]{1,64})`\s{0,9}(\([^)]{0,8000}\))?\s{0,9}VALUES\s{0,9}/i.exec(line)
      const table = head?.[1]
      if (!head || table === undefined || !wanted.has(table)) continue
      const names = head[2]?.match(/`([^`]{1,64})`/g)?.map((one) => one.slice(1, -1)) ?? columns.get(table) ?? []
      for (const values of tuplesIn(line, head[0].length)) {
        if (++rows > MOST_ROWS) throw new Error(`the dump of the panel has more than ${MOST_ROWS} rows`)
        tables[table] ??= []
        tables[table]?.push(Object.fromEntries(names.map((name, i) => [name, values[i] ?? null])))
      }
    }
  }
  return tables
}

const isWanted = (head: string, wanted: ReadonlySet<string>) => {
  const table = /^(?:CREATE TABLE (?:IF NOT EXISTS )?|INSERT (?:IGNORE )?INTO )`([a-z_]{1,64})`/i.exec(head)?.[1]
  return table !== undefined && wanted.has(table)
}

/** Lines whose beginning is kept; the others pass without being collected. */
async function* linesOf(body: AsyncIterable<Buffer>, keeps: (head: string) => boolean): AsyncGenerator<string> {
  let parts: Buffer[] = []
  let have = 0
  let kept: boolean | undefined
  const add = (part: Buffer) => {
    if (kept === false) return
    parts.push(part)
    have += part.length
    if (have > MOST_LINE) throw new Error('a line in the dump of the panel is longer than 32 MB')
    if (kept === undefined && have >= HEAD) {
      kept = keeps(Buffer.concat(parts).toString('utf8', 0, HEAD))
      if (!kept) parts = []
    }
  }
  for await (const chunk of body) {
    for (let at = 0; at < chunk.length; ) {
      const end = chunk.indexOf(10, at)
      add(chunk.subarray(at, end < 0 ? chunk.length : end))
      if (end < 0) break
      const line = kept === false ? '' : Buffer.concat(parts).toString('utf8')
      if (kept !== false && keeps(line.slice(0, HEAD))) yield line
      ;[parts, have, kept] = [[], 0, undefined]
      at = end + 1
    }
  }
}

const escapes: Record<string, string> = { 0: '\0', n: '\n', r: '\r', t: '\t', Z: '\x1a', b: '\b' }

/** `(1,'a',NULL),(…);` from a place in a line on. */
function* tuplesIn(line: string, from: number): Generator<(string | null)[]> {
  let at = from
  while (line[at] === '(') {
    const values: (string | null)[] = []
    at++
    for (;;) {
      const [value, next] = valueAt(line, at)
      values.push(value)
      at = next
      if (line[at] === ',') at++
      else break
    }
    if (line[at] !== ')') throw new Error('the dump of the panel cannot be read: a row breaks off')
    yield values
    at++
    if (line[at] !== ',') return
    at++
  }
}

function valueAt(line: string, from: number): [string | null, number] {
  let at = line.startsWith('_binary ', from) ? from + 8 : from
  if (line[at] !== "'") {
    const start = at
    while (at < line.length && line[at] !== ',' && line[at] !== ')') at++
    const text = line.slice(start, at)
    return [text === 'NULL' ? null : text, at]
  }
  const parts: string[] = []
  let start = ++at
  for (; at < line.length; at++) {
    if (line[at] === '\\') {
      const next = line[at + 1] ?? ''
      parts.push(line.slice(start, at), escapes[next] ?? next)
      start = ++at + 1
    } else if (line[at] === "'") {
      if (line[at + 1] !== "'") return [parts.join('') + line.slice(start, at), at + 1]
      parts.push(line.slice(start, at), "'")
      start = ++at + 1
    }
  }
  throw new Error('the dump of the panel cannot be read: a text breaks off')
}
