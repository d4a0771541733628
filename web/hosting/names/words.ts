import type { SiteName } from '@innkeeper/contract/hosting/names/shapes'
import { moment } from '../../kit/look/format.ts'

/** The effect of a name in a few words. */
export function answerOf({ kind, mode, until, documentRoot }: SiteName, domain: string): string {
  if (mode === 'redirect') return `301 to ${domain}${until ? ` until ${moment(until)}` : ''}`
  if (kind === 'sub' || kind === 'staging') return documentRoot ?? ''
  return kind === 'own' ? 'the website itself' : 'the same website'
}

/** How long the old name of a renamed website answers. */
export const terms = [
  { value: '0', label: 'Not at all' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
  { value: '3650', label: '10 years' },
]

export const modes = [
  { value: 'serve', label: 'Shows the website' },
  { value: 'redirect', label: 'Leads to it (301)' },
]
