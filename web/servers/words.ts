import type { Service } from '@innkeeper/contract/agent/door'
import type { Enrolment, Impact, Server } from '@innkeeper/contract/servers'
import { listed } from '../kit/access/reasons.ts'
import { ago, counted, lasting } from '../kit/look/format.ts'

/** Of `serverTypes`, as people write them. */
const typeWords: Record<Server['type'], string> = {
  web: 'Web',
  dns: 'DNS',
  database: 'Database',
  mail: 'Mail',
  cdn: 'CDN',
  xdn: 'XDN',
  backup: 'Backup',
  'all-in-one': 'All in one',
}
export const typeWord = (type: Server['type']): string => typeWords[type]

type Seen = Pick<Server, 'observed' | 'lastSeenAt' | 'uptime'>
/** Since when, beside the seen state: "4 s ago, up for 61 days"; a server that was never heard from says so. */
export function seenHint({ observed, lastSeenAt, uptime }: Seen, now = new Date()): string {
  if (!lastSeenAt) return 'never heard from'
  const since = now.getTime() - Date.parse(lastSeenAt)
  if (observed !== 'online') return `not heard from for ${lasting(since)}`
  return uptime === null ? ago(lastSeenAt, now) : `${ago(lastSeenAt, now)}, up for ${lasting(uptime * 1000)}`
}

/** Services that its type wants, and which of them the agent does not see running. */
export function wantedServices({ servicesWanted, services }: Pick<Server, 'servicesWanted' | 'services'>) {
  const missing = servicesWanted.filter(
    // one wanted php-fpm is several found: php8.2-fpm, php8.4-fpm
    (wanted) => !services.some(({ name, state }) => state === 'active' && isService(name, wanted)),
  )
  return { total: servicesWanted.length, running: servicesWanted.length - missing.length, missing }
}
const isService = (found: string, wanted: string): boolean =>
  found === wanted || (wanted === 'php-fpm' && /^php[0-9.]*-fpm$/.test(found))

/** "PHP 8.2, running for 5 h": for how long a service is what it is. */
export function sinceText({ state, since, detail }: Pick<Service, 'state' | 'since' | 'detail'>, now = new Date()) {
  const long = since && lasting(now.getTime() - Date.parse(since))
  return [detail, long && (state === 'active' ? `running for ${long}` : `for ${long}`)].filter(Boolean).join(', ')
}

/** What Down would hit, in sentences; the last names some of the websites. */
export function impactText(impact: Impact): string {
  const { websites, active, owners, running, examples } = impact
  if (websites === 0 && running === 0) return 'No website and no running work is on it.'
  const names = listed(examples.map(({ domain }) => domain))
  const rest = websites - examples.length
  return [
    `It holds ${counted(websites, ['website', 'websites'])}, ${active} of them active, of ${counted(owners, ['owner', 'owners'])}.`,
    running > 0 &&
      `${counted(running, ['workflow is', 'workflows are'])} at work on it and will wait until it is up again.`,
    names && `Among them ${names}${rest > 0 ? ` and ${counted(rest, ['other', 'others'])}` : ''}.`,
  ]
    .filter(Boolean)
    .join('\n')
}

/** How long an enrolment command is still good, milliseconds; 0 once it has ended. */
export const remaining = ({ expiresAt }: Pick<Enrolment, 'expiresAt'>, now = Date.now()): number =>
  Math.max(0, Date.parse(expiresAt) - now)

/** A long command over lines that a shell reads as one: its options and addresses each begin one. */
export const inLines = (command: string): string => command.replace(/ (?=--pinnedpubkey |https:)/g, ' \\\n  ')
