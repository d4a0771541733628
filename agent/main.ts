import { mkdirSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { messageOf } from './attempt.ts'
import { beating } from './beating.ts'
import { Away, openDoor } from './door.ts'
import { drivers } from './drivers/drivers.ts'
import { heartbeat } from './heartbeat.ts'
import { type Journal, openJournal } from './journal.ts'
import { keepReserve } from './kit/files/reserve.ts'
import { emptySpool } from './kit/files/spool.ts'
import { emptyTrash } from './kit/files/trash.ts'
import { machineUp } from './kit/programs/service.ts'
import { log } from './log.ts'
import { openNodes } from './nodes.ts'
import { runner } from './runner.ts'
import { addressesIn, readSettings, type Settings } from './settings.ts'
import { finishSwitch } from './switch.ts'
import { connectTo } from './transfer/link.ts'
import { resumeTransfers } from './transfer/source.ts'
import { version } from './version.ts'

const patienceMs = 60_000

/**
 * The agent of a managed server. `--enrol` enrols with a one-use token from standard input; `--version` prints the
 * version; `--switch` finishes an update. Without an option the agent runs until SIGTERM.
 */
async function main(): Promise<void> {
  z.config({ jitless: true })
  process.umask(0o022) // whatever umask the parent had: nginx must be able to read website files
  if (process.argv.includes('--version')) return console.log(version)
  if (process.argv.includes('--switch')) return finishSwitch()
  const settings = readSettings()
  mkdirSync(settings.stateDir, { recursive: true, mode: 0o700 })
  const journal = openJournal(`${settings.stateDir}/journal.db`)
  try {
    if (process.argv.includes('--enrol')) await enrol(settings, journal, (await text(process.stdin)).trim())
    else await work(settings, journal)
  } finally {
    journal.close()
  }
}

/** Saves the credential before sending it: after a lost answer, a retry with the same token and credential succeeds. */
async function enrol(settings: Settings, journal: Journal, token: string): Promise<void> {
  const { pin } = settings
  const credential = journal.pending()
  const door = openDoor(openNodes(addressesIn(settings)), pin)
  for (const end = performance.now() + patienceMs; ; await sleep(1000))
    try {
      const { serverId, name } = await door.ask('/agent/enrol', { token, credential, hostname: hostname() })
      journal.enrolled(`${pin} ${serverId}`)
      return log('info', 'enrolled', { serverId, name })
    } catch (error) {
      if (!(error instanceof Away) || performance.now() > end) throw error
      log('warn', 'enrolment does not get through yet', { reason: error.message })
    }
}

async function work(settings: Settings, journal: Journal): Promise<void> {
  const { pin, stateDir } = settings
  const credential = journal.credential()
  if (!credential) throw new Error('This agent is not enrolled: run the command that the server page shows')
  const nodes = openNodes(addressesIn(settings), { stateDir, spread: credential })
  const door = openDoor(nodes, pin, credential)
  connectTo({ nodes, pin, credential })
  const pruned = journal.prune()
  const transfers = await resumeTransfers()
  log('info', 'starts', { version, url: nodes.current, pruned, transfers })
  const stopped = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stopped.abort())

  const up = machineUp().catch((error: unknown) =>
    log('warn', 'works although this machine is still starting', { reason: messageOf(error) }),
  )
  const working = runner(door, drivers, journal, up)
  let seen = false // the installer waits for the file `checked-in`, and rolls back to the previous agent without it
  const tidying = setInterval(() => {
    journal.prune()
    for (const [what, tidy] of [
      ['trash', emptyTrash],
      ['spool folder', emptySpool],
    ] as const)
      tidy().then(
        (gone) => gone && log('info', `emptied the ${what}`, { gone }),
        (error: unknown) => log('error', `the ${what} could not be emptied`, { reason: messageOf(error) }),
      )
  }, 86_400_000)
  await beating(door, {
    say: heartbeat,
    stopped: stopped.signal,
    heard({ addresses }) {
      if (addresses) nodes.learn(addresses) // older control planes leave them out
      if (!seen) writeFileSync(`${stateDir}/checked-in`, `${version}\n`)
      seen = true
      keepReserve().catch((error: unknown) => log('warn', 'no room is kept for undos', { reason: messageOf(error) }))
    },
    back: working.reconnect,
  })
  clearInterval(tidying)
  log('info', 'stops')
  await working.stop(patienceMs)
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    log('error', messageOf(error))
    process.exit(1)
  },
)
