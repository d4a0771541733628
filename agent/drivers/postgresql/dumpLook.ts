import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Driver } from '../../kit/driver.ts'
import { spooled } from '../../kit/host.ts'
import { compressionOf, unpacking } from '../mariadb/imports/compression.ts'
import { inWords, progress } from '../mariadb/imports/dumpFetch.ts'
import { counting } from '../mariadb/imports/foreignDump.ts'
import { type DumpFacts, ownDump } from './ownDump.ts'

export const RESERVE = 1024 ** 3

/** Reads a dump without running it. */
export const lookAtDump: Driver<'dump.look'> = {
  async run({ input: { file, mostBytes }, say }) {
    const path = await spooled(file)
    const { size } = await stat(path)
    const read = await reading(path, mostBytes, say)
    const nowhere = new Writable({ write: (_, __, done) => done() })
    await pipeline([...read.from, nowhere]).catch((error: unknown) => {
      throw inWords(error)
    })
    const found = foreignFacts(read.facts())
    say(`${found.statements} statements, ${found.tables} tables, ${found.bytes} bytes`)
    return { sha256: read.sha256(), compression: read.compression, size, ...found }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // reads only, so a repeat is harmless
}
/** A file without one statement is no dump. */
function foreignFacts({ rows: _, complete: __, ...facts }: DumpFacts): Omit<DumpFacts, 'rows' | 'complete'> {
  if (facts.statements || facts.findings.some(({ effect }) => effect === 'refused')) return facts
  const what = 'no statement of SQL'
  return { ...facts, findings: [...facts.findings, { effect: 'refused', topic: 'format', what, count: 1, line: 1 }] }
}
export async function reading(path: string, mostBytes: number, say: (text: string) => void) {
  const { size } = await stat(path).catch(() => {
    throw new Error('The dump is not on the server any more: look at it again')
  })
  const compression = await compressionOf(path)
  const { count, read } = counting()
  const hash = createHash('sha256')
  const tell = progress(say, size)
  count.on('data', (part: Buffer) => {
    hash.update(part)
    tell(read())
  })
  count.pause()
  const { through, facts } = ownDump()
  const { bavail, bsize } = await statfs('/var/lib/postgresql')
  const most = Math.min(mostBytes, Math.max(0, bavail * bsize - RESERVE))
  return {
    from: [createReadStream(path), count, ...unpacking(compression, most, read), through] as const,
    ...{ facts, compression, sha256: () => hash.digest('hex') },
  }
}
