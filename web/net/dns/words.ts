import type { WorkflowWithActions } from '@innkeeper/contract/machines/workflows'
import type { NameServer, Zone, ZoneView } from '@innkeeper/contract/net/dns/calls'

/** Status of a zone for the badge of its page. */
export function standing(zone: ZoneView, workflow: WorkflowWithActions | undefined): { state: string; label: string } {
  const servers = zone.servers.length
  if (!zone.active) return { state: 'off', label: 'Not active' }
  if (!servers) return { state: 'pending', label: 'No name server yet' }
  if (workflow?.status === 'waiting') return { state: 'waiting', label: 'Waits for a name server' }
  if (workflow?.status === 'failed') return { state: 'failed', label: 'Not on all name servers' }
  if (workflow?.status === 'running') return { state: 'running', label: 'Being published' }
  if (zone.servers.some(({ seen }) => seen === 'silent')) return { state: 'stale', label: 'A name server is silent' }
  if (
    zone.servers.some(({ seen }) => seen === 'missing' || seen === 'bogus' || seen === 'different' || seen === 'behind')
  )
    return { state: 'degraded', label: 'Name servers differ' }
  if (zone.liveSerial === zone.serial)
    return { state: 'active', label: `Live on ${servers} name ${servers === 1 ? 'server' : 'servers'}` }
  return { state: 'running', label: 'Being published' }
}

/** Status of a zone in a list, without data from its servers. */
export const stateOf = ({ active, liveSerial, serial }: Zone): { state: string; label: string } => {
  if (!active) return { state: 'off', label: 'Not active' }
  return liveSerial === serial ? { state: 'active', label: 'Live' } : { state: 'pending', label: 'Not live yet' }
}

/** Status words for the observed state of a name server. */
export const seenWords: Record<NameServer['seen'], { state: string; label: string }> = {
  same: { state: 'active', label: 'As here' },
  unknown: { state: 'unknown', label: 'Not checked yet' },
  missing: { state: 'failed', label: 'Does not have the zone' },
  behind: { state: 'stale', label: 'Older serial' },
  different: { state: 'degraded', label: 'Other records' },
  bogus: { state: 'failed', label: 'Resolvers refuse it' },
  silent: { state: 'offline', label: 'Does not answer' },
}

/** Downloads a text as a file. */
export function saveAs(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
