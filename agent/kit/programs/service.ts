import { existsSync } from 'node:fs'
import type { Service } from '@innkeeper/contract/agent/door'
import { diskMeasured } from '@innkeeper/contract/machines/servers/shapes'
import { homeQuota } from '../files/quota.ts'
import { must, run } from './run.ts'

/** Whether systemd is pid 1. Without it, as in a plain container, Debian's init scripts start and stop services. */
export const hasSystemd = () => existsSync('/run/systemd/system')

const BOOT_MS = 30_000

/**
 * Waits until the machine has booted, because the agent may start before the database and name server. Throws after
 * half a minute.
 */
export async function machineUp(): Promise<void> {
  if (hasSystemd()) await run(['systemctl', 'is-system-running', '--wait'], { timeoutMs: BOOT_MS })
}

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
    if (hasSystemd()) {
      const ran = await run(['systemctl', verb, `${name}.service`], { timeoutMs: 90_000 })
      if (ran.code !== 0) throw new Error(`${name} does not ${verb}: ${await lastWords(name, ran.stderr)}`)
      return
    }
    await must([script(name), verb], { timeoutMs: 90_000 })
  }
  const start = control('start')
  async function state(): Promise<Service['state']> {
    if (!hasSystemd()) {
      if (!existsSync(`/etc/init.d/${name}`)) return 'inactive'
      return (await run([script(name), 'status'])).code === 0 ? 'active' : 'inactive'
    }
    const said = (
      await run(['systemctl', 'show', '--property=ActiveState', '--value', `${name}.service`])
    ).stdout.trim()
    return stateOf(said)
  }
  return {
    start,
    reload: control('reload'),
    restart: control('restart'),
    stop: control('stop'),
    /** Starts the service at boot from now on. */
    async enable(): Promise<void> {
      if (hasSystemd()) await must(['systemctl', 'enable', '--quiet', `${name}.service`])
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
async function lastWords(name: string, said: string): Promise<string> {
  const journal = (...words: string[]) => run(['journalctl', ...words]).catch(() => undefined)
  await journal('--sync') // journald may not have read the last lines when systemctl returns
  const ran = await journal('--unit', `${name}.service`, '--lines=8', '--no-pager', '--output=cat')
  return [said.trim().split('\n')[0], ran?.stdout.trim()].filter(Boolean).join('\n').slice(-2000)
}
