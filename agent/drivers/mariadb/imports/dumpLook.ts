import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Driver } from '../../../kit/driver.ts'
import { spooled } from '../../../kit/host.ts'
import { askRows } from '../mariadbAsk.ts'
import { compressionOf, unpacking } from './compression.ts'
import { inWords, progress, roomForData } from './dumpFetch.ts'
import { counting, foreignDump } from './foreignDump.ts'
import type { Server } from './rules.ts'

/** What the rules of an import need to know of this MariaDB. */
export async function serverFacts(): Promise<Server> {
  const found = await askRows<{ name: string }>(
    `select json_object('name', full_collation_name) from information_schema.collation_character_set_applicability;`,
  )
  return { collations: new Set(found.map(({ name }) => name.toLowerCase())) }
}
/** Reads a dump without running it. */
export const lookAtDump: Driver<'dump.look'> = {
  async run({ input: { file, mostBytes }, say }) {
    const path = await spooled(file)
    const { size } = await stat(path)
    const compression = await compressionOf(path)
    const { count, read } = counting()
    const hash = createHash('sha256')
    const tell = progress(say, size)
    count.on('data', (part: Buffer) => {
      hash.update(part)
      tell(read())
    })
    count.pause()
    const { through, facts } = foreignDump(await serverFacts())
    const nowhere = new Writable({ write: (_, __, done) => done() })
    await pipeline([
      createReadStream(path),
      count,
      ...unpacking(compression, Math.min(mostBytes, await roomForData()), read),
      through,
      nowhere,
    ]).catch((error: unknown) => {
      throw inWords(error)
    })
    const found = facts()
    say(`${found.statements} statements, ${found.tables} tables, ${found.bytes} bytes`)
    return { sha256: hash.digest('hex'), compression, size, ...found }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // reads only, so a repeat is harmless
}
