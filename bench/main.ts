import { loadavg } from 'node:os'
import { postgres } from '../bin/machine.ts'
import { lists } from './lists.ts'
import { readOptions } from './options.ts'
import { openStage, type Stage } from './stage.ts'
import { type Line, tableOf } from './table.ts'

const stories = ['lists'] as const
const options = readOptions(process.argv.slice(2), [...stories])
const wants = (story: (typeof stories)[number]) => options.only.length === 0 || options.only.includes(story)

console.log(`npm run bench -- --rows ${options.rows} --seed ${options.seed}`)
const own = options.postgres ? undefined : postgres()
const server = options.postgres ?? own?.url
if (!server) throw new Error('npm run bench needs PostgreSQL: apt-get install postgresql-15')
const lines: Line[] = []
let stage: Stage | undefined
try {
  if (wants('lists')) {
    stage = await openStage(server, options.rows, options.seed)
    lines.push(...(await lists(stage, options)))
  }
} finally {
  await stage?.close()
  own?.stop()
}
console.log(
  `\n${tableOf(lines)}\n\nload average ${loadavg()
    .map((n) => n.toFixed(1))
    .join(' ')}, seed ${options.seed}`,
)
process.exit()
