import type { Server, ServiceName } from '@innkeeper/contract/machines/servers/shapes'
import { attempt, succeeds } from '../../kit/api/attempt.ts'
import { confirm, confirmByName, errorDialog } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { counted } from '../../kit/look/format.ts'
import { serversApi } from './api.ts'
import { impactText } from './words.ts'

const domains = ['servers', 'workflows'] as const
type Known = Pick<Server, 'id' | 'name' | 'version'>

/** Sets a server down after a confirmation that shows the affected websites. */
export async function setDown({ id, name, version }: Known): Promise<void> {
  const impact = await serversApi.impact({ id }).catch(errorDialog)
  if (!impact) return
  const sure = await confirm({
    title: `Set ${name} down?`,
    text: `${impactText(impact)}\nIts agent gets no work while it is down, and no new website is placed on it.`,
    verb: 'Set down',
    danger: impact.websites > 0 || impact.running > 0,
  })
  if (!sure) return
  const set = await attempt(() => serversApi.status({ id, status: 'down', version }), domains)
  if (set) toast.warning(`${name} is set down`, 'Its work waits until it is set up again.')
}

export async function setUp({ id, name, version }: Known): Promise<void> {
  const set = await attempt(() => serversApi.status({ id, status: 'up', version }), domains)
  if (set) toast.success(`${name} is set up`, 'Its waiting work continues.')
}

export async function provision({ id, name }: Known): Promise<void> {
  const begun = await attempt(() => serversApi.provision({ id }), domains)
  if (begun) toast.info(`Provisioning ${name}`, 'Each step is shown on its page.')
}

export async function repair({ id, name }: Known, service: ServiceName): Promise<void> {
  const begun = await attempt(() => serversApi.repair({ id, service }), domains)
  if (begun) toast.info(`Repairing ${service} on ${name}`, 'Each step is shown on its page.')
}

export async function addPhp({ id, name }: Known, phpVersion: string): Promise<void> {
  const begun = await attempt(() => serversApi.addPhp({ id, phpVersion }), domains)
  if (begun)
    toast.info(
      `Installing PHP ${phpVersion} on ${name}`,
      'The installation takes a few minutes. The page of the server shows each step.',
    )
}

export async function updateAgent({ id, name }: Known): Promise<void> {
  const begun = await attempt(() => serversApi.updateAgent({ id }), domains)
  if (begun)
    toast.info(
      `Updating the agent of ${name}`,
      'If the new agent does not check in, the former one is restored automatically.',
    )
}

/** Updates all differing agents: one server first, the others after its success. */
export async function updateAgents(): Promise<void> {
  const sure = await confirm({
    title: 'Update all agents?',
    text: 'Every connected agent without the current version is updated: one server first, the others when that agent has checked in. If a new agent does not check in, the former one is restored automatically. Websites stay online.',
    verb: 'Update agents',
  })
  if (!sure) return
  const begun = await attempt(() => serversApi.updateAgents({}), domains)
  if (begun) toast.info(`Updating ${counted(begun.servers, ['agent', 'agents'])}`, 'One first, then the rest.')
}

export async function revoke({ id, name }: Known): Promise<void> {
  const sure = await confirm({
    title: `Revoke the credential of ${name}?`,
    text: 'Its agent is disconnected at once and gets no more work. Its websites stay online. To reconnect it, enrol it again.',
    verb: 'Revoke credential',
    danger: true,
  })
  if (!sure) return
  const done = await succeeds(() => serversApi.revoke({ id }), domains)
  if (done) toast.warning(`The credential of ${name} is revoked`)
}

/** Returns whether the server was removed. */
export async function remove({ id, name, version }: Known): Promise<boolean> {
  const sure = await confirmByName({
    title: `Remove ${name}?`,
    name,
    verb: 'Remove server',
    goes: [`The entry of ${name}`, 'The credential of its agent, which is cut off at once'],
    stays: 'The machine keeps running with all its content. Its history stays in the log.',
  })
  if (!sure) return false
  const done = await succeeds(() => serversApi.remove({ id, version }), domains)
  if (done) toast.success(`${name} is removed`)
  return done === true
}

/** Why the server cannot be removed; undefined if the attempt is allowed. */
export const notRemovable = ({ name, websites }: Pick<Server, 'name' | 'websites'>): string | undefined =>
  websites > 0
    ? `${websites} ${websites === 1 ? 'website lives' : 'websites live'} on ${name}. Move or delete them first.`
    : undefined

/** Why the agent cannot be updated; undefined if the attempt is allowed. */
export const notUpdatable = ({ name, lastSeenAt, agentSkew }: Server): string | undefined => {
  if (!lastSeenAt) return `${name} has no agent yet. Enrol it first.`
  return agentSkew ? undefined : `The agent of ${name} has the current version.`
}
