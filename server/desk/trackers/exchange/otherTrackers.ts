import { type Group, type ImportField, importFields } from '@innkeeper/contract/desk/trackers/values'
import { defaultOf, type Found, plain } from '../settings/find.ts'

/** Fields of Innkeeper, with their headings in files of other trackers. */
const headings: Record<ImportField, readonly string[]> = {
  title: ['title', 'summary', 'subject', 'name'],
  description: ['description', 'body', 'details', 'text'],
  steps: ['steps', 'steps-to-reproduce'],
  expected: ['expected', 'expected-result', 'expected-behaviour'],
  status: ['status', 'state'],
  /** Reason why a closed item was closed. */
  resolution: ['resolution', 'state-reason', 'close-reason'],
  priority: ['priority', 'severity'],
  component: ['component', 'components', 'component/s', 'category', 'module'],
  folder: ['folder', 'project', 'project-name', 'milestone'],
  department: ['department', 'team'],
  assignee: ['assignee', 'assignees', 'assigned-to', 'owner', 'assignee-username'],
  reporter: ['reporter', 'author', 'creator', 'created-by', 'submitted-by', 'author-username'],
  due: ['due', 'due-date', 'due-on', 'deadline', 'finish-date'],
  estimate: ['estimate', 'estimated-minutes'],
  'estimate-in-hours': ['estimated-time', 'estimated-hours', 'work'],
  'estimate-in-seconds': ['original-estimate', 'time-estimate'],
  created: ['created', 'created-at', 'created-on', 'created-at-(utc)', 'opened'],
  completed: [
    'completed',
    'completed-at',
    'closed',
    'closed-at',
    'closed-on',
    'closed-at-(utc)',
    'resolved',
    'canceled',
  ],
  key: ['key', 'issue-key', 'issue-id', 'bug-id', 'ticket-id', 'number', 'id', '#', 'url'],
  // not `comments`, because Innkeeper's own file has a number under Comments
  comment: ['comment'],
}

/** The field that a heading fills. */
const fieldOf = (name: string): ImportField | null =>
  importFields.find((field) => headings[field].includes(name)) ?? null

/** Headings of files whose `Estimate` is points and not minutes, as Linear writes. */
const points = ['cycle-number', 'cycle-name', 'story-points', 'triaged']

/** The field that each column of a file fills; null: none. */
export function fieldsOf(heads: readonly string[]): (ImportField | null)[] {
  const all = heads.map((heading) => plain(heading.trim()))
  const hasPoints = all.some((heading) => points.includes(heading))
  return all.map((heading) => (hasPoints && heading === 'estimate' ? null : fieldOf(heading)))
}

/** Words of other trackers for statuses, by group. */
const statuses: Record<Group, readonly string[]> = {
  backlog: ['backlog', 'to-do', 'todo', 'triage', 'needs-triage', 'unconfirmed', 'proposed', 'new'],
  open: ['open', 'opened', 'reopened', 'accepted', 'confirmed', 'assigned', 'ready'],
  'in-progress': ['in-progress', 'doing', 'started', 'active', 'review', 'in-review', 'testing', 'in-development'],
  completed: ['done', 'closed', 'resolved', 'fixed', 'complete', 'completed', 'released', 'verified', 'merged'],
  cancelled: [
    'wont-do',
    'wont-fix',
    'wontfix',
    'rejected',
    'declined',
    'invalid',
    'cancelled',
    'canceled',
    'not-planned',
  ],
}

/** Resolutions of closed items that were never done. */
const undone = [
  ...statuses.cancelled,
  ...['duplicate', 'cannot-reproduce', 'works-for-me', 'incomplete', 'not-a-bug', 'by-design', 'abandoned', 'stale'],
]

/** Words of other trackers for priorities, from the most urgent. */
const priorities: readonly (readonly string[])[] = [
  ['critical', 'blocker', 'highest', 'urgent', 'immediate', 'p0'],
  ['high', 'major', 'p1'],
  ['medium', 'normal', 'moderate', 'p2'],
  ['low', 'minor', 'p3'],
  ['lowest', 'trivial', 'p4'],
]
const word = (text: string) => plain(text.trim().replace(/['’]/g, ''))

/**
 * The first status in the group of the other tracker's word. Never a duplicate status, because a duplicate must refer
 * to another item.
 */
function statusFor(all: readonly Found[], text: string): Found | undefined {
  const group = (Object.keys(statuses) as Group[]).find((one) => statuses[one].includes(word(text))) // our own keys
  return group && all.find((one) => one.kind === 'status' && one.group === group && !/duplicate/i.test(one.name))
}

/** The first cancelled status, if the resolution of a closed item means that it was never done. */
export const cancelledBy = (all: readonly Found[], resolution: string): Found | undefined =>
  undone.includes(word(resolution)) ? statusFor(all, 'cancelled') : undefined

/** The priority with a word of the same meaning, or else the highest or lowest priority. */
function priorityFor(all: readonly Found[], text: string): Found | undefined {
  const rank = priorities.findIndex((words) => words.includes(word(text)))
  if (rank < 0) return undefined
  const ours = all.filter(({ kind }) => kind === 'priority')
  const same = ours.find(({ name }) => priorities[rank]?.includes(word(name)))
  return same ?? (rank < 2 ? ours[0] : rank > 2 ? ours.at(-1) : defaultOf(all, 'priority'))
}

/** Functions that translate a status or a priority of another tracker. */
export const readAs: Record<string, (all: readonly Found[], text: string) => Found | undefined> = {
  status: statusFor,
  priority: priorityFor,
}

/** The estimate of a line in minutes; null without one, undefined if it is not a number. */
export function minutesOf(values: Record<string, string>): number | null | undefined {
  const { estimate, 'estimate-in-hours': hours, 'estimate-in-seconds': seconds } = values
  const read = (text: string, form: RegExp, minutes: (found: number[]) => number): number | undefined => {
    const found = form.exec(text.trim().replace(',', '.'))
    const total = found ? Math.round(minutes(found.slice(1).map((part) => Number(part ?? 0)))) : undefined
    return total !== undefined && total <= MOST_MINUTES ? total : undefined
  }
  if (estimate) return read(estimate, /^(\d{1,6})$/, ([n = 0]) => n)
  if (hours)
    return (
      read(hours, /^(\d{1,5}):(\d\d)$/, ([h = 0, m = 0]) => h * 60 + m) ??
      read(hours, /^(\d{1,5}(?:\.\d{1,4})?) ?h?$/, ([h = 0]) => h * 60) ??
      // OpenProject's days of eight hours: `1d 4h`
      read(hours, /^(\d{1,4}(?:\.\d{1,4})?)d(?: (\d{1,2}(?:\.\d{1,4})?)h)?$/, ([d = 0, h = 0]) => (d * 8 + h) * 60)
    )
  return seconds ? read(seconds, /^(\d{1,8})$/, ([n = 0]) => n / 60) : null
}
const MOST_MINUTES = 999_999
