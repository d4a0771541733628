import type { Source } from '@innkeeper/contract/quality/qc/sourceShapes'

export const typeNames = {
  ...{
    json: 'JSON lines, sent here',
    rt: 'Request Tracker',
    xmpp: 'XMPP archive',
    zammad: 'Zammad',
    chatwoot: 'Chatwoot',
    freescout: 'FreeScout',
    zendesk: 'Zendesk',
    freshdesk: 'Freshdesk',
  },
} as const

/** Mark and word of the last run. */
export function sourceState({ isActive, runs: [last] }: Pick<Source, 'isActive' | 'runs'>) {
  if (!isActive) return { state: 'skipped', label: 'Turned off' }
  if (!last) return { state: 'pending', label: 'No run yet' }
  if (last.error) return { state: 'failed', label: 'No answer' }
  return last.refused ? { state: 'warning', label: `${last.refused} refused` } : { state: 'done', label: 'Complete' }
}
