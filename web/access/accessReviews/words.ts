export const kindWords = {
  administrator: 'Administrator',
  role: 'Role',
  department: 'Department',
  elevation: 'Elevation',
  token: 'API token',
} as const

export const decisionWords = { keep: 'Keep', remove: 'Remove' } as const

export const reviewWords = {
  open: { state: 'begun', label: 'Open' },
  finished: { state: 'done', label: 'Finished' },
  cancelled: { state: 'none', label: 'Cancelled' },
} as const
