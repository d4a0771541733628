import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { PassThrough, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { putInPlace } from '../../kit/host.ts'
import type { Change, Table } from './found.ts'

/** Passes an ASCII stream to `work` line by line, with back pressure through `ready`. */
export function lineByLine(work: (line: string) => void, ready: () => Promise<void> = async () => {}): Writable {
  let held = ''
  return new Writable({
    write(chunk: Buffer, _, done) {
      const lines = (held + chunk.toString('latin1')).split('\n')
      held = lines.pop() ?? ''
      try {
        for (const line of lines) work(line)
      } catch (error) {
        return done(error instanceof Error ? error : new Error(String(error)))
      }
      ready().then(() => done(), done)
    },
  })
}

type Entry = [table: number, column: number, key: string[], before: string, after: string]

export interface Journal {
  keep(one: Change): void
  ready(): Promise<void>
}

/** Writes each change with its former value into a file that is complete or absent. */
export async function writeJournal(file: string, work: (journal: Journal) => Promise<void>): Promise<void> {
  const aside = `${file}.part`
  await rm(aside, { force: true })
  const lines = new PassThrough()
  const kept = pipeline(lines, createGzip({ level: 1 }), createWriteStream(aside, { mode: 0o600, flags: 'wx' }))
  const tables = new Map<Table, number>()
  const journal: Journal = {
    keep({ table, column, key, before, after }) {
      if (!tables.has(table)) {
        tables.set(table, tables.size)
        lines.write(`${JSON.stringify(table)}\n`)
      }
      const entry: Entry = [tables.get(table)!, table.columns.indexOf(column), key, before, after]
      lines.write(`${JSON.stringify(entry)}\n`)
    },
    async ready() {
      if (lines.writableNeedDrain) await Promise.race([new Promise((done) => lines.once('drain', done)), kept])
    },
  }
  const filled = async () => {
    try {
      await work(journal)
      lines.end()
    } catch (error) {
      lines.destroy()
      throw error
    }
  }
  try {
    const [ended, written] = await Promise.allSettled([filled(), kept])
    for (const one of [ended, written]) if (one.status === 'rejected') throw one.reason
    await putInPlace(aside, file)
  } catch (error) {
    await rm(aside, { force: true })
    throw error
  }
}

/** The changes of a journal, or with `back` the changes that revert them. */
export async function* readJournal(file: string, back: boolean): AsyncGenerator<Change> {
  const tables: Table[] = []
  const input = createGunzip()
  createReadStream(file)
    .on('error', (error) => input.destroy(error))
    .pipe(input)
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.startsWith('{')) {
      tables.push(JSON.parse(line) as Table) // written above
      continue
    }
    const [at, of, key, before, after] = JSON.parse(line) as Entry
    const table = tables[at]!
    yield { table, column: table.columns[of]!, key, ...(back ? { before: after, after: before } : { before, after }) }
  }
}
