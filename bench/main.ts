import { loadavg } from 'node:os'
import { postgres } from '../bin/machine.ts'
import { actions } from './actions.ts'
import { adopted } from './adopted.ts'
import { agents } from './agents.ts'
import { archives } from './archives.ts'
import { byHand } from './byHand.ts'
import { calendar } from './calendar.ts'
import { creates, gets } from './calls.ts'
import { checks } from './checks.ts'
import { directus } from './directus.ts'
import { growth } from './growth.ts'
import { host } from './host.ts'
import { imported } from './imported.ts'
import { jumps } from './jumps.ts'
import { least } from './least/least.ts'
import { lighthouse } from './lighthouse.ts'
import { lists } from './lists.ts'
import { log } from './log.ts'
import { type Options, readOptions } from './options.ts'
import { quality } from './quality.ts'
import { rechecked } from './rechecked.ts'
import { sockets } from './sockets.ts'
import { openStage, type Stage } from './stage.ts'
import { type Line, tableOf } from './table.ts'
import { web } from './web.ts'
import { year } from './year.ts'

/** Stories on a provider with `--rows` websites. */
const onStage: Record<string, (stage: Stage, options: Options) => AsyncIterable<Line>> = {
  lists,
  least,
  jumps,
  gets,
  creates,
  sockets,
  actions,
  log,
  agents,
  directus,
  year,
}
/** Stories with databases of their own. */
const alone: Record<string, (server: string, options: Options) => AsyncIterable<Line>> = {
  growth,
  web,
  lighthouse,
  calendar,
  checks,
  archives,
  adopted,
  imported,
  byHand,
  host,
  quality,
  rechecked,
}

const options = readOptions(process.argv.slice(2), Object.keys({ ...onStage, ...alone }))
const wanted = <T>(stories: Record<string, T>) =>
  Object.entries(stories).filter(([name]) => options.only.length === 0 || options.only.includes(name))

const own = options.postgres ? undefined : postgres()
const server = options.postgres ?? own?.url
if (!server) throw new Error('npm run bench needs PostgreSQL: apt-get install postgresql-15')
const lines: Line[] = []
try {
  const stories = wanted(onStage)
  if (stories.length) {
    const stage = await openStage(server, options.rows, options.seed)
    try {
      for (const [, story] of stories) await hear(story(stage, options))
    } finally {
      await stage.close()
    }
  }
  for (const [, story] of wanted(alone)) await hear(story(server, options))
} finally {
  own?.stop()
  if (lines.length) console.log(`\n${tableOf(lines)}`)
  const load = loadavg().map((n) => n.toFixed(1))
  console.log(`\n${options.rows} websites, seed ${options.seed}, load average ${load.join(' ')}`)
}
process.exit() // connections of the app in this process would keep it alive

/** Prints each line as soon as it is measured; the table repeats them. */
async function hear(story: AsyncIterable<Line>): Promise<void> {
  for await (const line of story) {
    lines.push(line)
    console.log(`  ${line.story}: ${line.what} ${line.figure} ${line.target}  ${line.detail}`)
  }
}
