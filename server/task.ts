import { type LoneTask, runTask, type Task } from './kit/app/offeredTasks.ts'
import { readSettings } from './kit/app/settings.ts'
import { reasonOf } from './kit/db/failures.ts'
import { tasks } from './tasks.ts'

/** Usage: `node server/task.ts seed`, `node server/task.ts backup FILE`. */
const [name = '', ...args] = process.argv.slice(2)
try {
  if (!Object.hasOwn(tasks, name)) throw new Error(`No task ${name}. Tasks: ${Object.keys(tasks).join(', ')}`)
  const task: Task | LoneTask = tasks[name as keyof typeof tasks] // the name was checked above
  // npm runs scripts in the repository and passes the caller's folder
  const folder = process.env.INIT_CWD ?? process.cwd()
  await runTask(readSettings(process.env, []), task, { name, args, folder })
} catch (error) {
  console.error(reasonOf(error))
  process.exitCode = 1
}
