import { statfs } from 'node:fs/promises'
import type { DumpFinding } from '@innkeeper/contract/hosting/databases/dumps'
import type { Context } from '../../kit/driver.ts'
import { exclusive } from '../../kit/host.ts'
import { RESERVE } from './reading.ts'

type Look = Context<'dump.look'>
type Scratch = NonNullable<Look['input']['scratch']>

/** How an engine tries a dump. */
export interface Trial {
  /** The folder of its databases. */
  databases: string
  create(scratch: Scratch): Promise<unknown>
  load(look: Look, scratch: Scratch): Promise<void>
  /** Drops the database and the account of the trial, if they exist. */
  drop(look: Look, scratch: Scratch): Promise<unknown>
}

/** A database with its indexes needs more room than the statements that make it. */
const ROOM = 2
/** The server failed, not the statement: an import may succeed. */
const ofServer =
  /No space left|is full|gone away|Lost connection|Can't connect|terminating connection|server closed|(?:shut|start)ing (?:down|up)|\(MariaDB (?:1021|1041|1114|1205|1213|2006|2013)\)/i

/**
 * Runs the statements of a dump in a scratch database, where the disk has room, so that people read before an import which
 * statement fails. The database is dropped in any case: at once, by the repeat of an action whose agent died, or by its undo.
 */
export async function tryDump(
  look: Look,
  scratch: Scratch,
  bytes: number,
  trial: Trial,
): Promise<{ tried: boolean; findings: DumpFinding[] }> {
  const { bavail, bsize } = await statfs(trial.databases)
  if (bavail * bsize - RESERVE < ROOM * bytes) return untried('the disk has no room for a second database')
  return exclusive(`database ${scratch.aside}`, async () => {
    look.fence()
    await trial.drop(look, scratch)
    look.say('trying the statements in a scratch database')
    try {
      await trial.create(scratch)
      await trial.load(look, scratch)
      return { tried: true, findings: [] }
    } catch (error) {
      return judged(error instanceof Error ? error.message : String(error))
    } finally {
      await trial.drop(look, scratch)
    }
  })
}

function judged(message: string) {
  const [, line, words = ''] = /^Line (\d+) of the dump: (.*)/s.exec(message) ?? []
  if (!line || ofServer.test(message)) return untried(message)
  const failed: DumpFinding = { effect: 'refused', topic: 'statement', what: words, count: 1, line: Number(line) }
  return { tried: true, findings: [failed] }
}

const untried = (why: string) => ({
  tried: false,
  findings: [
    { effect: 'noted', topic: 'statement', what: `Not tried: ${why}`.slice(0, 500), count: 1, line: 0 },
  ] satisfies DumpFinding[],
})
