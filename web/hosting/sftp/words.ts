import type { SftpKey } from '@innkeeper/contract/hosting/sftp'

/** The state of a key, as StatusBadge names it. */
export function keyState({ state, expiresAt }: Pick<SftpKey, 'state' | 'expiresAt'>, now = Date.now()): string {
  if (state === 'adding') return 'creating'
  if (state === 'removing') return 'deleting'
  return expiresAt && Date.parse(expiresAt) <= now ? 'expired' : 'active'
}

const DAY = 86_400_000
/** The choices for the expiry of a key. */
export const terms = [
  { value: '', label: 'Does not expire' },
  { value: '1', label: 'In a day' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '365', label: 'In a year' },
]
/** The expiry for a choice of `terms`; undefined for none. */
export const endOf = (term: string, now = Date.now()): string | undefined =>
  term === '' ? undefined : new Date(now + Number(term) * DAY).toISOString()
