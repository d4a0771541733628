import { commandLine } from './kit/app/serverFolder.ts'
import { readSettings } from './kit/app/settings.ts'
import { isLoopback } from './machines/servers/enrolment/reachability.ts'
import { tellSystemd } from './operating/notify.ts'
import { startError } from './operating/startError.ts'
import { start } from './start.ts'

/**
 * `node server/main.js --role=api,worker`: reads the settings, starts the node, prints its URL, and stops on a signal.
 */
export async function serve(): Promise<void> {
  try {
    const settings = readSettings()
    const running = await start(settings)
    if (running.port !== undefined) {
      console.log(
        `\n  Innkeeper is ready: ${settings.https ? 'https' : 'http'}://${settings.publicHost ?? 'localhost'}:${running.port}`,
      )
      if (running.password)
        console.log(
          `  Sign in as admin with the password ${running.password}\n  (shown once; ${commandLine('reset-admin')} sets a new one)`,
        )
      if (isLoopback(settings.agentHost))
        console.log(
          `  It listens for agents on ${settings.agentHost} only, so that only practice servers reach it.\n  HOST=0.0.0.0 lets other servers reach it`,
        )
      console.log('')
    }
    const fail = (error: unknown) => {
      console.error(error)
      process.exit(1)
    }
    let stopping = false
    const stop = (code: number) => {
      if (stopping) return
      stopping = true
      running.drain()
      tellSystemd('stopping', 'Ends the running requests').catch(fail)
      setTimeout(() => {
        // a stop that hangs must not delay the next start
        setTimeout(() => process.exit(1), settings.stopSeconds * 1000).unref()
        running.stop().then(() => process.exit(code), fail)
      }, settings.drainSeconds * 1000)
    }
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop(0))
    await tellSystemd('ready', `Serves ${[...settings.roles].join(' and ')}`)
    running.outdated
      .then(({ message }) => {
        console.error(`${message} It stops now.`)
        stop(1)
      })
      .catch(fail)
  } catch (error) {
    console.error(startError(error))
    process.exit(1)
  }
}

if (import.meta.main) await serve() // npm run dev
