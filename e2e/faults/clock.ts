import { copyFileSync, existsSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Host } from '@innkeeper/lab/host'
import { must } from '@innkeeper/lab/run'
import { killAgent } from '../hosts.ts'
import type { Fault, Scene } from './fault.ts'
import { revive } from './postgres.ts'

/**
 * Restarts a process with a shifted wall clock, using libfaketime; the monotonic clock is correct. The kernel's clock
 * cannot be shifted, because this machine and its practice hosts share it (Linux has namespaces for the monotonic clock
 * only). So file times, nginx and PHP are not shifted.
 */
const library = () => globSync('/usr/lib/*/faketime/libfaketime.so.1')[0]

/** Restarts a process with this environment; undefined: with the shared clock. */
type Restart = (scene: Scene, env: Record<string, string> | undefined) => Promise<unknown>

const restarts: Record<'API' | 'worker' | 'agent' | 'PostgreSQL', Restart> = {
  async API({ world: { api } }, env) {
    await api.kill()
    await api.start(env)
  },
  async worker({ world: { worker } }, env) {
    await worker.kill()
    worker.start(env)
  },
  async agent({ server: { host } }, env) {
    setUnit(host, env)
    await must(await host.inside(['systemctl', 'daemon-reload']))
    await killAgent(host)
  },
  async PostgreSQL({ world }, env) {
    await must(world.database.crash)
    await must(world.database.start(env))
    await revive(world)
  },
}

export function skewed(which: keyof typeof restarts): Fault {
  return {
    weight: 1,
    absent: () => (library() ? undefined : 'Debian’s libfaketime is not installed'),
    async strike(scene) {
      const FAKETIME = scene.d.pick(['+1h', '-1h'])
      const env = { LD_PRELOAD: library() ?? '', FAKETIME, FAKETIME_DONT_FAKE_MONOTONIC: '1' }
      await restarts[which](scene, env)
      return { about: FAKETIME, lasts: 15_000, mend: () => restarts[which](scene, undefined) }
    },
  }
}

/**
 * systemd starts the agent with environment files beside its unit. The library is copied to the same path in the host.
 */
function setUnit({ root }: Host, env: Record<string, string> | undefined): void {
  const folder = join(root, 'etc/systemd/system/innkeeper-agent.service.d')
  rmSync(folder, { recursive: true, force: true })
  if (!env) return
  const copy = '/var/lib/storm-faketime.so'
  if (!existsSync(join(root, copy))) copyFileSync(env.LD_PRELOAD ?? '', join(root, copy))
  mkdirSync(folder)
  const lines = Object.entries({ ...env, LD_PRELOAD: copy }).map(([name, value]) => `Environment=${name}=${value}`)
  writeFileSync(join(folder, 'storm.conf'), `[Service]\n${lines.join('\n')}\n`)
}
