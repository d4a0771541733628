import { resourceTitles, type Website } from '@innkeeper/contract/websites'
import { lasting } from '../kit/look/format.ts'

const environments: Record<Website['environment'], string> = {
  production: 'Production',
  staging: 'Staging',
  development: 'Development',
}
export const environmentWord = (environment: Website['environment']): string => environments[environment]
export const environmentChoices = Object.entries(environments).map(([value, label]) => ({ value, label }))

const kinds: Record<Website['kind'], string> = {
  main: 'Website',
  sub: 'Sub-website',
  staging: 'Staging copy',
  alias: 'Alias',
}
export const kindWord = (kind: Website['kind']): string => kinds[kind]
export const kindChoices = Object.entries(kinds).map(([value, label]) => ({ value, label }))

/** "alias of shop.example", "former name of shop.example"; nothing for what stands by itself. */
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
/** What is switched on and off, in one order everywhere. */
export function switchesOf(toggles: Website['toggles']): { name: string; on: boolean }[] {
  // keys of our own constant
  return (Object.keys(switches) as (keyof Website['toggles'])[]).map((key) => ({
    name: switches[key],
    on: toggles[key],
  }))
}

/** For the choice of a filter. */
export const resourceTypes = Object.entries(resourceTitles).map(([value, label]) => ({ value, label }))

/** Until when something in the trash can be restored: "28 days left". Empty for what is not there. */
export function trashLeft({ purgeAfter }: Pick<Website, 'purgeAfter'>, now = Date.now()): string {
  if (!purgeAfter) return ''
  const left = Date.parse(purgeAfter) - now
  return left > 0 ? `${lasting(left)} left` : 'goes now'
}
