import { createReadStream } from 'node:fs'
import type { Readable, Transform } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { flow } from '../../kit/host.ts'
import { checkWhole } from '../dumps/summing.ts'
import { type DumpFacts, dumpText } from './dumpText.ts'
import { accounts, client, countRows, named } from './mariadbAsk.ts'

/** Reads a whole dump without loading it. Checks its end and its checksum, and answers its content. */
export async function checkDump(file: string, sha256?: string): Promise<DumpFacts> {
  const { through, facts } = dumpText()
  await checkWhole(file, { through, isComplete: () => facts.complete }, sha256)
  return facts
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
  })
  const there = await countRows(name, Object.keys(facts.rows))
  const wrong = Object.entries(facts.rows).filter(([table, rows]) => there[table] !== rows)
  if (wrong.length)
    throw new Error(
      `${name} differs from its dump: ${wrong.map(([table, rows]) => `${named(table)} has ${there[table]} rows of ${rows}`).join(', ')}`,
    )
  return there
}
