import type { Service } from '@innkeeper/contract/agent/door'
import type { Enrolment, Impact, Server } from '@innkeeper/contract/machines/servers/shapes'
import { listed } from '../../kit/access/reasons.ts'
import { counted, lasting } from '../../kit/look/format.ts'

/** Names of `serverTypes` for people. */
const typeWords: Record<Server['type'], string> = {
  web: 'Web',
  dns: 'DNS',
  database: 'Database',
  mail: 'Mail',
  cdn: 'CDN',
  xdn: 'XDN',
  backup: 'Backup',
  'all-in-one': 'All in one',
  adopted: 'Adopted, in use elsewhere',
}
export const typeWord = (type: Server['type']): string => typeWords[type]

type Seen = Pick<Server, 'observed' | 'lastSeenAt' | 'uptime'>
/** Text beside the observed status: "4 s ago, up for 61 days", or that no heartbeat has ever arrived. */
export function seenHint({ observed, lastSeenAt, uptime }: Seen, now = new Date()): string {
  if (!lastSeenAt) return 'never heard from'
  const since = now.getTime() - Date.parse(lastSeenAt)
  if (observed !== 'online') return `not heard from for ${lasting(since)}`
  const heard = `${lasting(since)} ago`
  return uptime === null ? heard : `${heard}, up for ${lasting(uptime * 1000)}`
}

/** Required services of the server's type, and those that the agent does not report as active. */
export function wantedServices({ servicesWanted, services }: Pick<Server, 'servicesWanted' | 'services'>) {
  const missing = servicesWanted.filter(
    // the required php-fpm matches several services: php8.2-fpm, php8.4-fpm
    (wanted) => !services.some(({ name, state }) => state === 'active' && isService(name, wanted)),
  )
  return { total: servicesWanted.length, running: servicesWanted.length - missing.length, missing }
}
const isService = (found: string, wanted: string): boolean =>
  found === wanted || (wanted === 'php-fpm' && /^php[0-9.]*-fpm$/.test(found))

/** State of a service and its duration: "PHP 8.2, running for 5 h". */
export function sinceText({ state, since, detail }: Pick<Service, 'state' | 'since' | 'detail'>, now = new Date()) {
  const long = since && lasting(now.getTime() - Date.parse(since))
  return [detail, long && (state === 'active' ? `running for ${long}` : `for ${long}`)].filter(Boolean).join(', ')
}

/** Consequences of Down in sentences; the last one names some websites. */
export function impactText(impact: Impact): string {
  const { websites, active, owners, running, examples } = impact
  if (websites === 0 && running === 0) return 'No website and no running work is on it.'
  const names = listed(examples.map(({ domain }) => domain))
  const rest = websites - examples.length
  return [
    `The server holds ${counted(websites, ['website', 'websites'])}, ${active} of them active, of ${counted(owners, ['owner', 'owners'])}.`,
    running > 0 &&
      `${counted(running, ['workflow is', 'workflows are'])} running on it and will wait until it is up again.`,
    names && `Among them ${names}${rest > 0 ? ` and ${counted(rest, ['other', 'others'])}` : ''}.`,
  ]
    .filter(Boolean)
    .join('\n')
}

/** Milliseconds until an enrolment command expires; 0 afterwards. */
export const remaining = ({ expiresAt }: Pick<Enrolment, 'expiresAt'>, now = Date.now()): number =>
  Math.max(0, Date.parse(expiresAt) - now)

/** Splits a long command into shell lines before its options and addresses. */
export const inLines = (command: string): string => command.replace(/ (?=--pinnedpubkey |-H |https:)/g, ' \\\n  ')
