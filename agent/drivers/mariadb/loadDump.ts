import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type Readable, Transform, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { flow } from '../../kit/host.ts'
import { type DumpFacts, dumpText } from './dumpText.ts'
import { accounts, client, countRows, LONG_MS, named } from './mariadbAsk.ts'

/** Reads a whole dump without loading it. Checks its end and its checksum, and answers its content. */
export async function checkDump(file: string, sha256?: string): Promise<DumpFacts> {
  const { through, facts } = dumpText()
  const { sum, summary } = summing()
  const nowhere = new Writable({ write: (_, __, done) => done() })
  try {
    await pipeline(createReadStream(file), sum, createGunzip(), through, nowhere)
  } catch (error) {
    throw new Error(`${file} cannot be read as a dump: ${error instanceof Error ? error.message : error}`)
  }
  if (!facts.complete) throw new Error(`${file} is incomplete: its last line is missing`)
  same(file, summary().sha256, sha256)
  return facts
}
/** Compares only the checksum of the file with the one from when it was written and checked. */
export async function checkSum(file: string, sha256: string): Promise<void> {
  const { sum, summary } = summing()
  await pipeline(createReadStream(file), sum, new Writable({ write: (_, __, done) => done() }))
  same(file, summary().sha256, sha256)
}
function same(file: string, is: string, was: string | undefined): void {
  if (was && is !== was) throw new Error(`${file} differs from the dump that was written: its checksum is ${is}`)
}
/** The definers of a dump that do not exist on this server. */
export async function missingDefiners(definers: Iterable<string>): Promise<string[]> {
  const there = await accounts()
  return [...definers].filter((one) => !there.has(one)).sort()
}
/** Loads a checked dump, then compares the row count of each table with the dump. */
export async function loadDump(name: string, file: string, definer?: string): Promise<Record<string, number>> {
  const { through, facts } = dumpText(definer)
  const from: [Readable, ...Transform[]] = [createReadStream(file), createGunzip(), through]
  await flow([...client, '--binary-mode', '--default-character-set=utf8mb4', `--database=${name}`], {
    from,
    timeoutMs: LONG_MS,
  })
  const there = await countRows(name, Object.keys(facts.rows))
  const wrong = Object.entries(facts.rows).filter(([table, rows]) => there[table] !== rows)
  if (wrong.length)
    throw new Error(
      `${name} differs from its dump: ${wrong.map(([table, rows]) => `${named(table)} has ${there[table]} rows of ${rows}`).join(', ')}`,
    )
  return there
}
export function summing(): { sum: Transform; summary: () => { bytes: number; sha256: string } } {
  const hash = createHash('sha256')
  let bytes = 0
  const sum = new Transform({
    transform(part: Buffer, _, done) {
      hash.update(part)
      bytes += part.length
      done(null, part)
    },
  })
  return { sum, summary: () => ({ bytes, sha256: hash.digest('hex') }) }
}
