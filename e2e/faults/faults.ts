import { rmSync, writeFileSync } from 'node:fs'
import { agentSignal, killAgent } from '../hosts.ts'
import { skewed } from './clock.ts'
import type { Dice } from './dice.ts'
import { type Disk, fill, free } from './disk.ts'
import type { Fault, Struck } from './fault.ts'
import { crash, endConnections, killOne, revive } from './postgres.ts'
import { replay } from './replay.ts'
import type { Managed, World } from './world.ts'

const once: Struck = { lasts: 0, mend: () => {} }
const planted = ({ host }: Managed) => `${host.root}/etc/nginx/conf.d/by-hand.conf`
const diskOf = ({ host }: Managed): Disk => ({ folder: '/var/tmp', exec: (argv) => host.exec(argv) })

export const faults: Record<string, Fault> = {
  'kill -9 of the API': {
    weight: 3,
    async strike({ world: { api }, d }) {
      await api.kill()
      return { lasts: d.below(3000), mend: () => api.start() }
    },
  },
  'kill -9 of the worker': {
    weight: 3,
    async strike({ world: { worker }, d }) {
      await worker.kill()
      return { lasts: d.below(3000), mend: () => worker.start() }
    },
  },
  'kill -9 of the agent': {
    weight: 3,
    async strike({ server }) {
      await killAgent(server.host)
      return once // systemd restarts it
    },
  },
  'kill -9 of restic': {
    weight: 0, // for workflows on backups; see steps.ts
    strike: async ({ world, d }) => ({ ...once, about: await killRestic(world, d.below(400)) }),
  },
  'kill -9 of rest-server': {
    weight: 0,
    async strike({ world, d }) {
      await waitForRestic(world, d.below(200))
      const argv = ['systemctl', 'kill', '--kill-who=main', '--signal=KILL', 'innkeeper-rest-server.service']
      const killed = await Promise.all(world.servers.map(({ host }) => host.exec(argv)))
      return { ...once, about: `${killed.filter(({ code }) => code === 0).length} killed` } // systemd restarts it
    },
  },
  'kill -9 of PostgreSQL': {
    weight: 3,
    async strike({ world, d }) {
      await crash(world)
      return { lasts: d.below(3000), mend: () => revive(world) }
    },
  },
  'kill -9 of one process of PostgreSQL': {
    weight: 2,
    strike: async ({ world, d }) => ({ ...once, about: await killOne(world, d.pick) }),
  },
  'kill -9 of the whole house': {
    weight: 1,
    async strike({ world, server, d }) {
      await Promise.all([world.api.kill(), world.worker.kill(), killAgent(server.host), crash(world)])
      return {
        lasts: d.below(2000),
        async mend() {
          world.worker.start() // the worker must wait for the database by itself
          await Promise.all([world.api.start(), revive(world)])
        },
      }
    },
  },
  'power cut of the host': {
    weight: 3,
    darkens: true,
    async strike({ server: { host }, d }) {
      await host.off()
      return { lasts: d.below(2000), mend: () => host.up() }
    },
  },
  'network cut': {
    weight: 3,
    darkens: true,
    early: true,
    async strike({ server: { host }, d }) {
      await host.cut()
      const lasts = d.chance(0.4) ? 30_000 : 500 + d.below(12_000)
      return { about: `${lasts} ms`, lasts, mend: () => host.heal() }
    },
  },
  'full disk of the host': {
    weight: 3,
    early: true,
    async strike({ server, d }) {
      const mb = await fill(diskOf(server))
      return { about: `${mb} MiB`, lasts: 1000 + d.below(6000), mend: () => free(diskOf(server)) }
    },
  },
  'full disk of the server': {
    weight: 3,
    early: true,
    async strike({ world, d }) {
      const mb = await fill(world.disk)
      const log = d.chance(0.5) // PostgreSQL needs a new WAL file at once, exits, and cannot start until the disk has room
      if (log) await world.look('select pg_switch_wal()').catch(() => {}) // the answer is lost together with the server
      const about = `${mb} MiB${log ? ', the log of PostgreSQL too' : ''}`
      const mend = async () => {
        await free(world.disk)
        await revive(world)
      }
      return { about, lasts: 1000 + d.below(6000), mend }
    },
  },
  'agent frozen beyond its lease': {
    weight: 1,
    async strike({ server: { host }, d }) {
      await agentSignal(host, 'STOP')
      return { lasts: 31_000 + d.below(6000), mend: () => agentSignal(host, 'CONT') } // the agent's answers arrive late
    },
  },
  'worker frozen beyond its lease': {
    weight: 1,
    strike: async ({ world: { worker }, d }) => {
      worker.signal('SIGSTOP')
      return { lasts: 7000 + d.below(3000), mend: () => worker.signal('SIGCONT') }
    },
  },
  'lost NOTIFY': {
    weight: 2,
    async strike({ world }) {
      await endConnections(world, `query ilike 'listen "%'`)
      return once
    },
  },
  'all database connections ended': {
    weight: 1,
    async strike({ world }) {
      await endConnections(world, 'true')
      return once
    },
  },
  'answers again, late and out of order': {
    weight: 2,
    strike: async ({ world, server, d }) => ({ ...once, about: await replay(world, server, d) }),
  },
  'broken nginx file by hand': {
    weight: 2,
    early: true,
    async strike({ server, d }) {
      writeFileSync(planted(server), 'server { listen 80; nonsense on; }\n')
      return { lasts: 2000 + d.below(4000), mend: () => rmSync(planted(server), { force: true }) }
    },
  },
  'clock of the API off by an hour': skewed('API'),
  'clock of the worker off by an hour': skewed('worker'),
  'clock of the agent off by an hour': skewed('agent'),
  'clock of PostgreSQL off by an hour': skewed('PostgreSQL'),
}

/** Waits a moment for a process of restic, then for `ms`, and runs `then` with its id as $p. */
const onRestic = (ms: number, then: string) => `for i in $(seq 60); do p=$(pgrep -o '^restic$') && {
    sleep ${(ms / 1000).toFixed(3)}; tr '\\0' '\\n' < /proc/$p/cmdline | grep -xE 'backup|restore|dump|forget|prune|check|copy|snapshots|list|cat|init' | head -n 1; ${then}
    exit 0; }; sleep 0.02; done; exit 1`
async function killRestic({ servers }: World, ms: number): Promise<string> {
  const script = onRestic(ms, 'kill -9 $p && echo killed')
  const ran = await Promise.all(servers.map(({ host }) => host.exec(['sh', '-c', script])))
  return (
    ran
      .map(({ stdout }) => stdout.trim().replaceAll('\n', ' '))
      .filter(Boolean)
      .join(', ') || 'none ran'
  )
}
const waitForRestic = ({ servers }: World, ms: number) =>
  Promise.race(servers.map(({ host }) => host.exec(['sh', '-c', onRestic(ms, '')])))

export const throwFault = (d: Dice): string =>
  d.pick(
    Object.entries(faults).flatMap(([name, { weight, absent }]) => Array<string>(absent?.() ? 0 : weight).fill(name)),
  )
