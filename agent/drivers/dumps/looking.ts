import { pipeline } from 'node:stream/promises'
import type { Driver } from '../../kit/driver.ts'
import { spooled } from '../../kit/host.ts'
import { type ForeignFacts, inWords, type Reading } from './reading.ts'
import { nowhere } from './summing.ts'
import { type Trial, tryDump } from './tryDump.ts'

/** Reads a dump, and tries it in a scratch database if the operation names one and nothing is refused. */
export const looking = (
  open: (
    path: string,
    mostBytes: number,
    say: (text: string) => void,
    readAs: readonly string[],
  ) => Promise<Reading<ForeignFacts>>,
  trial: Trial,
): Driver<'dump.look'> => ({
  async run(c) {
    const { input, say } = c
    const { file, mostBytes, readAs = [], scratch } = input
    const { from, facts, sha256, compression, size } = await open(await spooled(file), mostBytes, say, readAs)
    await pipeline([...from, nowhere()]).catch((error: unknown) => {
      throw inWords(error)
    })
    const found = facts()
    say(`${found.statements} statements, ${found.tables} tables, ${found.bytes} bytes`)
    const answer = { sha256: sha256(), compression, size, ...found, ...(readAs.length && { readAs }) }
    if (!scratch || found.findings.some(({ effect }) => effect === 'refused')) return answer
    const { tried, findings } = await tryDump(c, scratch, found.bytes, trial)
    for (const { what, line } of findings) say(line ? `line ${line}: ${what}` : what)
    return { ...answer, tried, findings: [...found.findings, ...findings] }
  },
  async undo(c) {
    if (c.input.scratch) await trial.drop(c, c.input.scratch)
  },
  inspect: async () => 'no', // a repeat is harmless
})
