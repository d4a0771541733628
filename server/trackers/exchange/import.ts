import { readCsv } from '@innkeeper/contract/trackers/csvText'
import { closed, type Face, MOST_IMPORTED, type SettingKind } from '@innkeeper/contract/trackers/values'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import type { Context } from '../../kit/http/api.ts'
import { refused } from '../../kit/http/errors.ts'
import { changed } from '../../kit/live/live.ts'
import { info } from '../face.ts'
import { nextNumber } from '../items/insert.ts'
import { trackerHistory, trackerItems } from '../items/tables.ts'
import { indexWords } from '../items/words.ts'
import { defaultOf, type Found, plain, settingsOf } from '../settings/find.ts'
import { dayOf, instantOf } from './days.ts'

/** Our fields, and the headings by which other trackers name them. */
const names: Record<string, readonly string[]> = {
  title: ['title', 'summary', 'subject', 'name'],
  description: ['description', 'body', 'details', 'text'],
  steps: ['steps', 'steps-to-reproduce'],
  expected: ['expected', 'expected-result', 'expected-behaviour'],
  status: ['status', 'state'],
  priority: ['priority', 'severity'],
  component: ['component', 'components', 'category', 'module'],
  folder: ['folder', 'project', 'milestone'],
  department: ['department', 'team'],
  assignee: ['assignee', 'assigned-to', 'owner'],
  reporter: ['reporter', 'author', 'created-by', 'submitted-by'],
  due: ['due', 'due-date', 'due-on', 'deadline'],
  estimate: ['estimate', 'estimated-minutes'],
  created: ['created', 'created-at', 'created-on', 'opened'],
}
const kinds = ['status', 'priority', 'component', 'folder', 'department'] as const

type Values = Record<string, string>
interface Refused {
  line: number
  reason: string
}
const words = (text: string, most: number) =>
  text
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .trim()
    .slice(0, most)

/** Imports the lines of a CSV file. What cannot be read is left out and said; unknown values fall back to the defaults. */
export async function importItems(context: Context, face: Face, text: string, isDryRun: boolean) {
  const { db, audit } = context
  const [head = [], ...lines] = readCsv(text)
  const columns = head.map((heading) => ({
    heading: words(heading, 100),
    field: Object.keys(names).find((field) => names[field]?.includes(plain(heading.trim()))) ?? null,
  }))
  if (!columns.some(({ field }) => field === 'title'))
    throw refused('No column is a title', { text: 'The first line needs a column title, summary or subject' })
  if (lines.length > MOST_IMPORTED)
    throw refused(`${lines.length} lines are too many`, { text: `At most ${MOST_IMPORTED} lines at once` })
  const read = await reader(db, face)
  const good: ReturnType<typeof read>[] = []
  const wrong: Refused[] = []
  for (const [n, cells] of lines.entries()) {
    const values: Values = {}
    for (const [at, { field }] of columns.entries()) if (field && cells[at]) values[field] = cells[at]
    const reason = problemOf(values)
    if (reason) wrong.push({ line: n + 2, reason })
    else good.push(read(values))
  }
  if (!isDryRun && good.length) await add(context, face, good)
  audit.after({ added: isDryRun ? 0 : good.length, refused: wrong.length, isDryRun })
  return { isDryRun, added: good.length, columns, refused: wrong.slice(0, 200), unknown: unknownIn(good) }
}

function problemOf({ title = '', due, created, estimate }: Values): string | undefined {
  if (!words(title, 200)) return 'The title is empty'
  if (due && !dayOf(due)) return `${words(due, 40)} is no day such as 2026-12-31`
  if (created && !instantOf(created)) return `${words(created, 40)} is no day such as 2026-12-31`
  if (estimate && !/^\d{1,6}$/.test(estimate)) return `${words(estimate, 40)} is no number of minutes`
  return undefined
}

/** Turns the values of a line into columns. */
async function reader(db: Db, face: Face) {
  const all = await settingsOf(db, face)
  const people = await rows<{ id: number; names: string[] }>(
    db,
    sql`select user_id as id, array[lower(username), lower(email), lower(first_name || ' ' || last_name)] as names
      from users where deleted_at is null`,
  )
  const person = new Map(people.flatMap(({ id, names: known }) => known.map((name) => [name, id] as const)))
  const setting = (kind: SettingKind, name: string): Found | undefined =>
    all.find((one) => one.kind === kind && plain(one.name) === plain(name.trim()))
  const [status, priority] = [defaultOf(all, 'status'), defaultOf(all, 'priority')]
  if (!status) throw refused(`There is no status of ${info[face].plural} yet: add one first`)
  return (values: Values) => {
    const unknown: { field: string; value: string }[] = []
    const find = <T>(field: string, known: (value: string) => T | undefined): T | undefined => {
      const value = values[field]
      const found = value ? known(value) : undefined
      if (value && found === undefined) unknown.push({ field, value: words(value, 80) })
      return found
    }
    const chosen = Object.fromEntries(kinds.map((kind) => [kind, find(kind, (value) => setting(kind, value))]))
    const user = (value: string) => person.get(value.trim().toLowerCase())
    const is = chosen.status ?? status
    const urgent = chosen.priority ?? priority
    const created = instantOf(values.created ?? '')
    return {
      unknown,
      columns: {
        title: words(values.title ?? '', 200).replace(/\s+/g, ' '),
        description: words(values.description ?? '', 50_000),
        steps: words(values.steps ?? '', 50_000),
        expected: words(values.expected ?? '', 50_000),
        statusId: is.id,
        statusGroup: is.group ?? ('open' as const),
        priorityId: urgent?.id ?? null,
        urgency: urgent?.position ?? 32_000,
        componentId: chosen.component?.id ?? null,
        folderId: chosen.folder?.id ?? null,
        departmentId: chosen.department?.id ?? null,
        assigneeId: find('assignee', user) ?? null,
        reporterId: find('reporter', user) ?? null,
        dueOn: dayOf(values.due ?? '') ?? null,
        estimateMinutes: values.estimate ? Number(values.estimate) : null,
        ...(created && { createdAt: created }),
      },
    }
  }
}
type Line = ReturnType<Awaited<ReturnType<typeof reader>>>

async function add({ db, staff }: Context, face: Face, lines: readonly Line[]): Promise<void> {
  const first = await nextNumber(db, face, lines.length)
  const made = await db
    .insert(trackerItems)
    .values(
      lines.map(({ columns }, n) => ({
        ...columns,
        face,
        number: first + n,
        reporterId: columns.reporterId ?? staff.id,
        createdBy: staff.id,
        ...(closed.includes(columns.statusGroup) && { completedAt: sql`now()` }),
      })),
    )
    .returning({ itemId: trackerItems.id, after: trackerItems.title })
  await indexWords(
    db,
    made.map(({ itemId }) => itemId),
  )
  await db.insert(trackerHistory).values(made.map((row) => ({ ...row, by: staff.id, field: 'imported', before: null })))
  await changed(db, info[face].hint)
}

function unknownIn(lines: readonly Line[]) {
  const counts = new Map<string, { field: string; value: string; lines: number }>()
  for (const { field, value } of lines.flatMap(({ unknown }) => unknown)) {
    const known = counts.get(`${field} ${value}`) ?? { field, value, lines: 0 }
    counts.set(`${field} ${value}`, { ...known, lines: known.lines + 1 })
  }
  return [...counts.values()].slice(0, 200)
}
