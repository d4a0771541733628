import type { Ban, IpSet, IpSetView, OnServer } from '@innkeeper/contract/machines/ipsets/shapes'
import { counted, moment } from '../../kit/look/format.ts'

type Word = { state: string; label: string }

/** Status words for a set on one server. */
export const standingWords: Record<OnServer['standing'], Word> = {
  same: { state: 'active', label: 'In force' },
  telling: { state: 'running', label: 'Being sent' },
  waiting: { state: 'waiting', label: 'Waits for the server' },
  failed: { state: 'failed', label: 'Could not be sent' },
  different: { state: 'degraded', label: 'Differs' },
  missing: { state: 'failed', label: 'Does not have it' },
  leaving: { state: 'deleting', label: 'Being taken away' },
}

/** Status of a set over all servers, for the badge of its page. */
export function standingOf({ onServers }: IpSetView): Word {
  if (!onServers.length) return { state: 'none', label: 'On no server yet' }
  const some = (standing: OnServer['standing']) => onServers.find((one) => one.standing === standing)
  const of = onServers.length
  const has = onServers.filter(({ standing }) => standing === 'same').length
  if (some('failed') || some('missing')) return { state: 'failed', label: `In force on ${has} of ${of}` }
  if (some('different')) return { state: 'degraded', label: `In force on ${has} of ${of}` }
  if (some('telling') || some('leaving')) return { state: 'running', label: 'Being sent' }
  if (some('waiting')) return { state: 'waiting', label: `In force on ${has}, ${of - has} not reached` }
  return { state: 'active', label: `In force on ${servers(of)}` }
}

/** Status of a set in a list, from the counts of servers. */
export function stateOf({ servers: all, applied }: IpSet): Word {
  if (all === 0) return { state: 'none', label: 'On no server yet' }
  return applied === all
    ? { state: 'active', label: `On ${servers(all)}` }
    : { state: 'pending', label: `On ${applied} of ${servers(all)}` }
}

export const servers = (n: number) => counted(n, ['server', 'servers'])
export const placeOf = ({ everywhere, serverIds }: IpSet) => (everywhere ? 'all servers' : servers(serverIds.length))

export function banState(ban: Ban): Word {
  if (ban.endedAt) return { state: 'off', label: ban.endedBy === 'its end' ? 'Ran out' : 'Lifted' }
  const all = ban.appliedOn.length + ban.missingOn.length
  if (!ban.missingOn.length) return { state: 'active', label: all ? `On ${servers(all)}` : 'On no server yet' }
  return { state: 'pending', label: `On ${ban.appliedOn.length} of ${all}` }
}

/** End of a ban in words. */
export const endOf = ({ expiresAt }: Pick<Ban, 'expiresAt'>) => (expiresAt ? moment(expiresAt) : 'for good')

export const labels = {
  name: 'Name',
  description: 'Purpose',
  everywhere: 'All servers',
  serverIds: 'Servers',
  maxElements: 'Bans at most',
}
