import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rename, rm, symlink } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { syncFolder } from './kit/files/files.ts'
import { hasSystemd, must, notes, places, read, remove, replace, run } from './kit/host.ts'
import { log } from './log.ts'

/** A switch between two releases, in progress while the marker file exists. */
const Switch = z.object({
  release: z.string().startsWith('/'),
  before: z.string().startsWith('/'),
  actionId: z.int(),
  version: z.string(),
})
type Switch = z.output<typeof Switch>

const marker = `${places.state}/switching.json`
const checkedIn = `${places.state}/checked-in`
const unit = 'innkeeper-agent-switch'
const unitFile = `/etc/systemd/system/${unit}.service`
const PATIENCE_MS = Number(process.env.INNKEEPER_PATIENCE ?? 60) * 1000

/** Whether a switch is in progress, so that the final release is not decided yet. */
export const switching = (): boolean => existsSync(marker)

/**
 * Starts the switch in a separate process of the current release. With systemd, the process is a unit that starts at
 * boot while the marker file exists, so that a switch continues after a power cut.
 */
export async function beginSwitch(wanted: Switch): Promise<void> {
  await replace(marker, JSON.stringify(wanted), { mode: 0o600 })
  const argv = [`${wanted.before}/node`, `${wanted.before}/agent.mjs`, '--switch']
  if (!hasSystemd()) {
    spawn(argv[0] ?? '', argv.slice(1), { detached: true, stdio: 'ignore', cwd: '/' }).unref()
    return
  }
  await replace(
    unitFile,
    `# Written by Innkeeper for one update of its agent; gone when that is decided.
[Unit]
Description=Innkeeper agent: from one release to another
ConditionPathExists=${marker}

[Service]
ExecStart=${argv.join(' ')}
Environment=INNKEEPER_PATIENCE=${PATIENCE_MS / 1000}

[Install]
WantedBy=multi-user.target
`,
  )
  await must(['systemctl', 'daemon-reload'])
  await must(['systemctl', 'enable', '--quiet', `${unit}.service`])
  await must(['systemctl', 'start', '--no-block', `${unit}.service`])
}

/** Runs `--switch`: activates the new release and rolls back when the new agent does not check in within a minute. */
export async function finishSwitch(): Promise<void> {
  const text = await read(marker)
  if (text === undefined) return
  const { release, before, actionId, version } = Switch.parse(JSON.parse(text))
  await rm(checkedIn, { force: true })
  await pointAt(release)
  await restart()
  if (await checksIn()) log('info', 'the new agent has checked in', { release })
  else {
    const result = `The agent ${version} did not check in within ${PATIENCE_MS / 1000} s: the one before it is back`
    log('error', result)
    // a full disk must not keep the server on an agent that does not work
    await notes.keep('agent-update', `${actionId}`, actionId, { result }).catch((error: unknown) => {
      log('error', 'the result of the update could not be noted', { reason: String(error) })
    })
    await pointAt(before)
    await restart()
  }
  await remove(marker)
  await remove(unitFile)
  if (hasSystemd()) await run(['systemctl', 'disable', '--quiet', `${unit}.service`]) // fails without the unit file
}

async function pointAt(release: string): Promise<void> {
  const link = `${places.home}/current`
  await rm(`${link}.new`, { force: true })
  await symlink(release, `${link}.new`)
  await rename(`${link}.new`, link)
  await syncFolder(places.home)
}

const restart = () =>
  hasSystemd()
    ? must(['systemctl', 'restart', 'innkeeper-agent.service'])
    : must(['/etc/init.d/innkeeper-agent', 'restart'])

async function checksIn(): Promise<boolean> {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await sleep(200))
    if (existsSync(checkedIn)) return true
  return false
}
