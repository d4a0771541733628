import { setTimeout as sleep } from 'node:timers/promises'
import { created, ends } from '../e2e/sites.ts'
import { openStage } from '../e2e/stage.ts'
import type { Options } from './options.ts'
import { atMost, type Line, short } from './table.ts'

const MIB = 2 ** 20
/** Clock ticks a second of /proc. */
const TICKS = 100
/** Seconds until a process has given back what its start took. */
const CALM_S = 60
const LEAST_IDLE_S = 60

/** Measures what the agent and the front of FTP take of a practice host with one website and one FTP user, while nothing is asked. */
export async function* host(_: string, { seconds }: Options): AsyncGenerator<Line> {
  const stage = await openStage('bench-host', { layer: 'databases' })
  try {
    const { innkeeper, server, host } = stage
    const site = await created(innkeeper, server, 'idle.example')
    const ftp = await innkeeper.must('POST', '/ftp/ftp-users', { websiteId: site.id, name: 'up', folder: 'public' })
    await ends(innkeeper, ftp.workflowId, 'done')
    await sleep(CALM_S * 1000)
    const idle = Math.max(seconds, LEAST_IDLE_S)
    const parts = ['agent', 'ftps'].map((name) => [name, `innkeeper-${name}`] as const)
    const before = await Promise.all(parts.map(([, unit]) => costOf(unit)))
    await sleep(idle * 1000)
    const after = await Promise.all(parts.map(([, unit]) => costOf(unit)))
    const of = (figures: { bytes: number }[]) =>
      parts.map(([name], n) => `${name} ${short(figures[n]!.bytes / MIB)} MiB`).join(', ')
    const memory = after.reduce((sum, { bytes }) => sum + bytes, 0)
    yield atMost(
      'host',
      'memory of agent and front',
      memory / MIB,
      100,
      ' MiB',
      `${of(after)}; what both share counts once`,
    )
    const share = after.reduce((sum, { cpu }, n) => sum + cpu - before[n]!.cpu, 0) / idle
    yield atMost('host', 'processor when idle', share * 100, 0.2, ' %', `of a core, in ${idle} s`)

    async function costOf(unit: string) {
      const { stdout } = await host.exec(['systemctl', 'show', '--value', '-p', 'MainPID', unit])
      const inside = stdout.trim()
      const { stdout: rollup } = await host.exec(['cat', `/proc/${inside}/smaps_rollup`])
      const { stdout: stat } = await host.exec(['cat', `/proc/${inside}/stat`])
      const pss = Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1]) * 1024
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return { bytes: pss, cpu: (Number(fields[11]) + Number(fields[12])) / TICKS }
    }
  } finally {
    await stage.close()
  }
}
