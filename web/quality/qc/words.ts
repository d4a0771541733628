import { type Colour, priorities } from '@innkeeper/contract/quality/qc/values'

export const colourNames: Record<Colour, string> = {
  primary: 'Lake',
  secondary: 'Slate',
  accent: 'Plum',
  info: 'Blue',
  success: 'Green',
  warning: 'Amber',
  error: 'Red',
}
export const populationNames = {
  everything: 'Every conversation',
  sample: 'Sampled',
  filter: 'By cron filter',
  manual: 'By hand',
  checks: 'By failed checks',
} as const
export const priorityNames = { low: 'Low', medium: 'Medium', high: 'High', urgent: 'Urgent' } as const
export const priorityOptions = priorities.map((value) => ({ value, label: priorityNames[value] }))
export const outcomeNames = {
  accepted: 'Accepted',
  partly: 'Accepted in part',
  rejected: 'Rejected',
  withdrawn: 'Withdrawn',
} as const
export const usedForNames = { all: 'Chats and tickets', chat: 'Chats', ticket: 'Tickets' } as const

/** A mean or a single score as people read it: one decimal place, and a dash where nothing counts. */
export const scoreText = (score: number | null): string =>
  score === null ? '–' : (Math.round(score * 10) / 10).toFixed(1)

/** Says that a change of a grade or score type changes no past scores, and how many there are; counted up to 1,000. */
export const pastScores = (n: number): string =>
  n === 0
    ? 'Changes 0 past scores: there are none yet.'
    : `Changes 0 past scores: ${n >= 1000 ? '1,000 or more keep' : n === 1 ? '1 keeps' : `${n} keep`} what was given.`
