import { resourceTitles, type Website } from '@innkeeper/contract/hosting/websites'
import { lasting } from '../../kit/look/format.ts'

const kinds: Record<Website['kind'], string> = {
  main: 'Website',
  sub: 'Sub-website',
  staging: 'Staging copy',
  alias: 'Alias',
}
export const kindWord = (kind: Website['kind']): string => kinds[kind]
export const kindChoices = Object.entries(kinds).map(([value, label]) => ({ value, label }))

/** "alias of shop.example", "former name of shop.example"; undefined for an independent website. */
export function belongsTo({
  kind,
  parentDomain,
  until,
}: Pick<Website, 'kind' | 'parentDomain' | 'until'>): string | undefined {
  if (!parentDomain) return undefined
  return `${until ? 'former name' : kinds[kind].toLowerCase()} of ${parentDomain}`
}

const switches: Record<keyof Website['toggles'], string> = {
  ssl: 'SSL',
  backups: 'Backups',
  cdn: 'CDN',
  redisCache: 'Redis',
  maintenance: 'Maintenance',
}
/** Switches of a website in a fixed order. */
export function switchesOf(toggles: Website['toggles']): { name: string; on: boolean }[] {
  // the keys of `switches` are literals
  return (Object.keys(switches) as (keyof Website['toggles'])[]).map((key) => ({
    name: switches[key],
    on: toggles[key],
  }))
}

/** Options of the filter. */
export const resourceTypes = Object.entries(resourceTitles).map(([value, label]) => ({ value, label }))

/** Time until the trash is purged: "28 days left". Empty for a website outside the trash. */
export function trashLeft({ purgeAfter }: Pick<Website, 'purgeAfter'>, now = Date.now()): string {
  if (!purgeAfter) return ''
  const left = Date.parse(purgeAfter) - now
  return left > 0 ? `${lasting(left)} left` : 'goes now'
}
