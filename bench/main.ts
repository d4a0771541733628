import { loadavg } from 'node:os'
import { postgres } from '../bin/machine.ts'
import { actions } from './actions.ts'
import { creates, gets } from './calls.ts'
import { growth } from './growth.ts'
import { lists } from './lists.ts'
import { type Options, readOptions } from './options.ts'
import { sockets } from './sockets.ts'
import { openStage, type Stage } from './stage.ts'
import { type Line, tableOf } from './table.ts'

/** On a provider of `--rows` websites. */
const onStage: Record<string, (stage: Stage, options: Options) => Promise<Line[]>> = {
  lists,
  gets,
  creates,
  sockets,
  actions,
}
/** On databases of their own. */
const alone: Record<string, (server: string, options: Options) => Promise<Line[]>> = { growth }

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
      for (const [name, story] of stories) lines.push(...(await said(name, story(stage, options))))
    } finally {
      await stage.close()
    }
  }
  for (const [name, story] of wanted(alone)) lines.push(...(await said(name, story(server, options))))
} finally {
  own?.stop()
  if (lines.length) console.log(`\n${tableOf(lines)}`)
  const load = loadavg().map((n) => n.toFixed(1))
  console.log(`\n${options.rows} websites, seed ${options.seed}, load average ${load.join(' ')}`)
}
process.exit() // connections that the app in this process kept open hold nobody up

function said<T>(name: string, story: Promise<T>): Promise<T> {
  console.log(`${name}…`)
  return story
}
