import { type Plan, planDefaults } from '@innkeeper/contract/hosting/plans'

/** The figures of the form in its order, with their units. */
export const figures = [
  { key: 'diskMb', label: 'Disk', unit: 'MB' },
  { key: 'memoryMb', label: 'Memory', unit: 'MB, all processes of an account together' },
  { key: 'cpuPercent', label: 'CPU', unit: '% of one core' },
  { key: 'tasks', label: 'Tasks', unit: 'processes and threads at once' },
  { key: 'websites', label: 'Websites', unit: '' },
  { key: 'databases', label: 'Databases', unit: '' },
  { key: 'mailboxes', label: 'Mailboxes', unit: '' },
  { key: 'ftpUsers', label: 'FTP users', unit: '' },
  { key: 'mailHourly', label: 'Outgoing mail of a mailbox', unit: 'recipients an hour, also of a website' },
  { key: 'mailTogether', label: 'Outgoing mail of an account', unit: 'recipients an hour, all together' },
] as const
type Figure = (typeof figures)[number]['key']

/** The form's values: figures as typed text. */
export type WantedPlan = { name: string; phpVersions: string[] } & Record<Figure, string>

export function wantedOf(
  plan: Pick<Plan, Figure | 'name' | 'phpVersions'> = { name: '', ...planDefaults },
): WantedPlan {
  const typed = Object.fromEntries(figures.map(({ key }) => [key, String(plan[key])]))
  // one text per figure: the keys are those of the list above
  return { name: plan.name, phpVersions: [...plan.phpVersions], ...(typed as Record<Figure, string>) }
}

export const labels: { [K in keyof WantedPlan]: string } = {
  name: 'Name',
  phpVersions: 'PHP versions',
  // as above
  ...(Object.fromEntries(figures.map(({ key, label }) => [key, label])) as Record<Figure, string>),
}
