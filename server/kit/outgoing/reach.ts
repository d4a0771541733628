import type { lookup } from 'node:dns'
import { networkInterfaces } from 'node:os'
import { type Reach as Judged, reachOf as judging } from '@innkeeper/contract/reach'
import type { Logger } from 'pino'
import type { Settings } from '../app/settings.ts'
import { NotReached } from './notReached.ts'
import { patiently } from './patientLookup.ts'

/** Where Innkeeper may connect to for somebody who names a host. Refusals are logged, because people read one text. */
export interface Reach extends Judged {
  log: Pick<Logger, 'warn'>
}

export function reachOf({
  settings,
  log,
  resolve = patiently as typeof lookup,
}: {
  settings: Pick<Settings, 'privateTargets' | 'port' | 'agentPort' | 'previewPort'>
  log: Pick<Logger, 'warn'>
  resolve?: typeof lookup
}): Reach {
  const { privateTargets, port, agentPort, previewPort } = settings
  const ownPorts = [port, agentPort, previewPort].filter(Boolean)
  const refuse = (why: string) => new NotReached(why)
  return { log, ...judging({ privateTargets, ownPorts, ownAddresses, resolve, refuse }) }
}

/**
 * For addresses in settings of the environment: whoever writes them may name private hosts, without allowing the same to
 * people on screens (decision 188). Innkeeper's own ports and the secrets of clouds stay out of reach.
 */
export const operatorsReach = ({ settings, log }: Parameters<typeof reachOf>[0]): Reach =>
  reachOf({ settings: { ...settings, privateTargets: ['0.0.0.0/0', '::/0'] }, log })

const ownAddresses = () => Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address))
