const states: Record<string, { state: string; label: string }> = {
  open: { state: 'pending', label: 'Open' },
  'in-progress': { state: 'begun', label: 'In progress' },
  reviewed: { state: 'done', label: 'Reviewed' },
  answered: { state: 'done', label: 'Answered' },
  closed: { state: 'skipped', label: 'Closed' },
}

/** Mark and word of an escalation or of feedback. */
export const caseState = (status: string) => states[status] ?? { state: 'unknown', label: status }
