import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Service } from '@innkeeper/contract/agent/door'
import { diskMeasured } from '@innkeeper/contract/machines/servers/shapes'
import { ensureDirectory, replace } from '../files/files.ts'
import { homeQuota } from '../files/quota.ts'
import { merged } from '../patience/merged.ts'
import { speaker } from '../patience/speaker.ts'
import { exclusive } from './exclusive.ts'
import { must, run } from './run.ts'

/** Whether systemd is pid 1. Without it, as in a plain container, Debian's init scripts start and stop services. */
export const hasSystemd = () => existsSync('/run/systemd/system')

const BOOT_MS = 30_000

/**
 * Waits until the machine has booted, because the agent may start before the database and name server. Throws after
 * half a minute: a unit that never ends its start must not keep the agent from work.
 */
export async function machineUp(): Promise<void> {
  if (hasSystemd()) await run(['systemctl', 'is-system-running', '--wait'], { withinMs: BOOT_MS })
}

/** Makes systemd read its units again. */
export const reloadUnits = (): Promise<void> =>
  merged('units of systemd', () => must(['systemctl', 'daemon-reload'], { long: true }))

/** The kinds of limits that this machine cannot enforce, in words. */
export async function notEnforced(): Promise<string[]> {
  const quota = await homeQuota()
  return [
    ...(hasSystemd() ? [] : ['memory, CPU and task limits of system users']),
    ...(quota.able ? [] : [`${diskMeasured}, which are measured: ${quota.why}`.slice(0, MOST)]),
  ]
}
/** Longest line of a heartbeat, in characters. */
const MOST = 160

/** A service by its unit's name without `.service`. The verbs throw with the service's error output. */
export function service(name: string) {
  const control = (verb: 'start' | 'reload' | 'restart' | 'stop') => async () => {
    if (!hasSystemd()) return void (await must([script(name), verb], { long: true }))
    const ask = () => run(['systemctl', verb, `${name}.service`], { works: isChanging })
    let ran = await ask()
    if (ran.code !== 0 && verb !== 'stop' && (await isLate(name)) && (await allowMore(name))) ran = await ask()
    for (const pause of killedPauses) {
      if (ran.code === 0 || verb === 'stop' || !(await isKilled(name))) break
      speaker()?.say(`${name} was killed while it started, as the kernel does when memory is full: started again`)
      await sleep(pause)
      ran = await ask()
    }
    if (ran.code !== 0) throw new Error(`${name} does not ${verb}: ${await lastWords(name, ran.stderr)}`)
  }
  /** systemd itself ends a start that takes too long. */
  const isChanging = async () => ['activating', 'deactivating', 'reloading', 'refreshing'].includes(await asked(name))
  const alone = (verb: 'start' | 'restart' | 'stop') => () => exclusive(`the service ${name}`, control(verb))
  const reload = control('reload')
  const start = alone('start')
  async function state(): Promise<Service['state']> {
    if (!hasSystemd()) {
      if (!existsSync(`/etc/init.d/${name}`)) return 'inactive'
      return (await run([script(name), 'status'])).code === 0 ? 'active' : 'inactive'
    }
    return stateOf(await asked(name))
  }
  return {
    start,
    /** Whoever asks while a reload runs shares the next one. */
    reload: () => merged(`reload of ${name}`, () => exclusive(`the service ${name}`, reload)),
    restart: alone('restart'),
    stop: alone('stop'),
    /** Starts the service at boot from now on. `known`: systemd has read the unit, and what is added counts at the next boot. */
    async enable({ known = false } = {}): Promise<void> {
      // `enable` makes systemd read all its units again, three times where there is an init script, too
      if (hasSystemd() && (await asked(name, 'UnitFileState')) === 'enabled') return
      const how = known ? ['--no-reload'] : []
      if (hasSystemd()) await must(['systemctl', 'enable', '--quiet', ...how, `${name}.service`])
      else await must(['update-rc.d', name, 'defaults'])
    },
    /** No longer starts the service at boot. */
    async disable(): Promise<void> {
      if (hasSystemd()) await must(['systemctl', 'disable', '--quiet', `${name}.service`])
      else await must(['update-rc.d', name, 'disable'])
    },
    state,
    /** Waits for a start in progress, because the starting service may have read its files before they changed. */
    async settled(): Promise<Service['state']> {
      const now = await state()
      if (now !== 'activating') return now
      await start().catch(() => undefined) // joins the start in progress; the state tells its result
      return state()
    },
  }
}

const show = async (name: string, property: string) =>
  (await run(['systemctl', 'show', `--property=${property}`, '--value', `${name}.service`])).stdout.trim()
const asked = (name: string, property = 'ActiveState') => show(name, property)

/** Whether systemd has ended the start, because the unit took longer than its file allows. */
const isLate = async (name: string) => (await show(name, 'Result')) === 'timeout'

/** Pauses in milliseconds before a service that was killed at its start is started again. */
const killedPauses = [1000, 5000, 20_000]
/** Whether something has killed the unit, and not an error of its own ended it. */
const isKilled = async (name: string) => ['signal', 'oom-kill'].includes(await show(name, 'Result'))

const moreTime = `# Written by Innkeeper: systemd ended a start of this unit, which takes longer on this machine.
[Service]
TimeoutStartSec=15min
`
/** Gives each start of the unit more time from now on. Answers false where the unit has it already. */
async function allowMore(name: string): Promise<boolean> {
  const folder = `/etc/systemd/system/${name}.service.d`
  await ensureDirectory(folder)
  if (!(await replace(`${folder}/innkeeper-patience.conf`, moreTime))) return false
  speaker()?.say(`${name} takes longer to start than its unit allows: from now on it has 15 minutes`)
  await reloadUnits()
  return true
}

/** Maps a systemd state to one of the contract. */
export function stateOf(said: string): Service['state'] {
  if (said === 'active' || said === 'reloading' || said === 'refreshing') return 'active'
  if (said === 'inactive' || said === 'deactivating') return 'inactive'
  return said === 'failed' || said === 'activating' ? said : 'unknown'
}

function script(name: string): string {
  const file = `/etc/init.d/${name}`
  if (!existsSync(file)) throw new Error(`${name} has no init script, and this machine no systemd`)
  return file
}

/** The last log lines of the service, because systemctl only says "see journalctl". */
export async function lastWords(name: string, said: string): Promise<string> {
  const journal = (...words: string[]) => run(['journalctl', ...words]).catch(() => undefined)
  await journal('--sync') // journald may not have read the last lines when systemctl returns
  const ran = await journal('--unit', `${name}.service`, '--lines=8', '--no-pager', '--output=cat')
  return [said.trim().split('\n')[0], ran?.stdout.trim()].filter(Boolean).join('\n').slice(-2000)
}
