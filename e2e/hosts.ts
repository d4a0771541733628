import { join } from 'node:path'
import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { type Lab, openLab } from '@innkeeper/lab/lab'
import type { Layer } from '@innkeeper/lab/layers'
import { type Innkeeper, scratch } from './innkeeper.ts'
import { untilStill } from './until.ts'
import { progressOfServer } from './workflows.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** Why a test was skipped; `npm test` prints it. */
    why?: string
  }
}

const dir = join(scratch, 'lab')

/** For `describe(name, onHosts, …)`: skipped, with the reason, where this machine cannot run practice hosts. */
export const onHosts = await can(dir).then((verdict) =>
  verdict.able ? {} : { skip: true, meta: { why: `practice hosts are not available: ${verdict.reason}` } },
)

/** A lab for these tests with the shared image. */
export const openHosts = (): Promise<Lab> => openLab({ dir })

/** A host with an empty disk or the packages of a layer, whatever an earlier run left under its name. */
export async function freshHost(lab: Lab, name: string, layer?: Layer): Promise<Host> {
  await (await lab.host(name, layer)).wipe()
  return lab.up(name, layer)
}

/**
 * Adds the host as a server (type web by default) with the command that the screen shows, and waits until its services
 * are set up. Answers the server's id.
 */
export async function enrol(
  innkeeper: Innkeeper,
  host: Host,
  type: 'web' | 'cdn' | 'mail' | 'backup' | 'all-in-one' = 'web',
): Promise<number> {
  const server = await innkeeper.must('POST', '/cloud-management/servers', { name: host.name, type })
  const ran = await host.exec(['sh', '-c', server.enrolment.command])
  if (ran.code !== 0) throw new Error(`${host.name} could not be enrolled: ${ran.stdout}${ran.stderr}`)
  await untilStill(`${host.name} is provisioned`, async () => {
    const { provisioned, observed } = await innkeeper.must('GET', `/cloud-management/servers/view/${server.id}`)
    const seen = `${provisioned} ${observed}\n${await progressOfServer(innkeeper, server.id)}`
    return { done: provisioned && observed === 'online' ? true : undefined, seen }
  })
  return server.id
}

/** Sends a signal to the agent's process. Answers whether the process existed. */
export async function agentSignal(host: Host, signal: 'KILL' | 'STOP' | 'CONT'): Promise<boolean> {
  const argv = ['systemctl', 'kill', '--kill-who=main', `--signal=${signal}`, 'innkeeper-agent.service']
  return (await host.exec(argv)).code === 0
}

/** Kills the agent with kill -9; systemd restarts it. Answers whether the process existed. */
export const killAgent = (host: Host): Promise<boolean> => agentSignal(host, 'KILL')
