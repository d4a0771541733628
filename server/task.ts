import { runTask } from './kit/maintenance.ts'
import { readSettings } from './kit/settings.ts'
import { tasks } from './tasks.ts'

/** `node server/task.ts seed`, `node server/task.ts reset-admin`. */
const name = process.argv[2] ?? ''
try {
  if (!Object.hasOwn(tasks, name)) throw new Error(`No task ${name}: there are ${Object.keys(tasks).join(', ')}`)
  await runTask(readSettings(process.env, []), name, tasks[name as keyof typeof tasks]) // looked up just now
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
