import { readSettings } from './kit/app/settings.ts'
import { FolderInUse } from './kit/db/folderLock.ts'
import { isLoopback } from './servers/enrolment/reachability.ts'
import { start } from './start.ts'

/**
 * `node server/main.js --role=api,worker`: reads the settings, starts the node, prints its URL, and stops on a signal.
 */
export async function serve(): Promise<void> {
  try {
    const settings = readSettings()
    const running = await start(settings)
    if (running.port !== undefined) {
      console.log(`\n  Innkeeper is ready: http://localhost:${running.port}`)
      if (running.password)
        console.log(
          `  Sign in as admin with the password ${running.password}\n  (shown once; npm run reset-admin sets a new one)`,
        )
      if (isLoopback(settings.host))
        console.log(
          `  It listens on ${settings.host} only, so that only practice servers reach it.\n  HOST=0.0.0.0 lets other servers reach it`,
        )
      console.log('')
    }
    let stopping = false
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.on(signal, () => {
        if (stopping) return
        stopping = true
        setTimeout(() => process.exit(1), 1_900).unref() // a stop that hangs must not delay the next start
        running.stop().then(
          () => process.exit(0),
          (error: unknown) => {
            console.error(error)
            process.exit(1)
          },
        )
      })
  } catch (error) {
    console.error(plainly(error))
    process.exit(1)
  }
}

if (import.meta.main) await serve() // npm run dev

/** A short message for errors that a person can fix, otherwise the whole error. */
function plainly(error: unknown): unknown {
  if (error instanceof FolderInUse) return error.message
  if (!(error instanceof Error)) return error
  if ('code' in error && error.code === 'EADDRINUSE' && 'port' in error)
    return `Port ${error.port} is in use. Set PORT to a free one: the agents' and the preview port follow it.`
  return error.stack
}
