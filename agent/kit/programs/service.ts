import { existsSync } from 'node:fs'
import type { Service } from '@innkeeper/contract/agent/door'
import { homeQuota } from '../files/quota.ts'
import { must, run } from './run.ts'

/** systemd is pid 1 here. Without it (a plain container) Debian's init scripts start and stop what is managed. */
export const hasSystemd = () => existsSync('/run/systemd/system')

const BOOT_MS = 30_000

/**
 * Once this machine has come up: an agent that is back before the services of its machine would find neither database nor
 * name server. Throws where that takes longer than half a minute.
 */
export async function machineUp(): Promise<void> {
  if (hasSystemd()) await run(['systemctl', 'is-system-running', '--wait'], { timeoutMs: BOOT_MS })
}

/** What this machine does not hold accounts to, in words for people. */
export async function notEnforced(): Promise<string[]> {
  const quota = await homeQuota()
  return [
    ...(hasSystemd() ? [] : ['memory, CPU and task limits of system users']),
    ...(quota.able ? [] : [`disk limits of system users, which are measured: ${quota.why}`.slice(0, MOST)]),
  ]
}
/** Characters of a line in a heartbeat. */
const MOST = 160

/** One service of the machine, by its unit's name without `.service`. The verbs throw with what the service said. */
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
    /** Comes up with the machine from now on. */
    async enable(): Promise<void> {
      if (hasSystemd()) await must(['systemctl', 'enable', '--quiet', `${name}.service`])
      else await must(['update-rc.d', name, 'defaults'])
    },
    /** And no more. */
    async disable(): Promise<void> {
      if (hasSystemd()) await must(['systemctl', 'disable', '--quiet', `${name}.service`])
      else await must(['update-rc.d', name, 'disable'])
    },
    state,
    /** Once a start that is under way has ended: what is starting may have read its files before they were changed. */
    async settled(): Promise<Service['state']> {
      const now = await state()
      if (now !== 'activating') return now
      await start().catch(() => undefined) // joins that start, whose end the state tells
      return state()
    },
  }
}

/** systemd's word for it in ours. */
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

/** systemctl says "see journalctl": people want the line itself. */
async function lastWords(name: string, said: string): Promise<string> {
  const ran = await run(['journalctl', '--unit', `${name}.service`, '--lines=8', '--no-pager', '--output=cat']).catch(
    () => undefined,
  )
  return [said.trim().split('\n')[0], ran?.stdout.trim()].filter(Boolean).join('\n').slice(-2000)
}
