import { readCsv } from '@innkeeper/contract/desk/trackers/csvText'
import {
  closed,
  type DayOrder,
  type Face,
  MOST_IMPORTED,
  type SettingKind,
} from '@innkeeper/contract/desk/trackers/values'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { inTurns } from '../../../kit/db/inTurns.ts'
import type { Context } from '../../../kit/http/api.ts'
import { refused } from '../../../kit/http/errors.ts'
import { changed } from '../../../kit/live/live.ts'
import { info } from '../face.ts'
import { nextNumber } from '../items/insert.ts'
import { checkNew } from '../items/rights.ts'
import { trackerHistory, trackerItems } from '../items/tables.ts'
import { indexWords } from '../items/words.ts'
import { readerIds } from '../people/tell.ts'
import { defaultOf, type Found, plain, settingsOf } from '../settings/find.ts'
import { trackerTalk } from '../talk/tables.ts'
import { dayOf, dayOrderOf, instantOf, needsOrder } from './days.ts'
import { cancelledBy, fieldOf, minutesOf, readAs } from './otherTrackers.ts'

const kinds = ['status', 'priority', 'component', 'folder', 'department'] as const

type Values = Record<string, string>
interface Refused {
  line: number
  reason: string
}
/** Maximum lengths of a title, of a description, and of a comment. */
const TITLE = 200
const TEXT = 50_000
const COMMENT = 20_000

const clean = (text: string) => text.replace(/[^\P{Cc}\n\t]/gu, '').trim()
const words = (text: string, most: number) => clean(text).slice(0, most)
/** A text in parts of at most `most` characters; no part ends within a character. */
function inParts(text: string, most: number): string[] {
  const left = clean(text)
  const parts: string[] = []
  for (let at = 0; at < left.length; ) {
    const part = left.slice(at, at + most)
    const whole = at + most < left.length ? part.replace(/[\uD800-\uDBFF]$/, '') : part
    parts.push(whole)
    at += whole.length
  }
  return parts
}

/**
 * Imports the lines of a CSV file. Invalid lines are left out and reported; unknown values become the defaults. What is longer
 * than its field continues in the description or in a comment.
 */
export async function importItems(
  context: Context,
  face: Face,
  {
    text,
    isDryRun = false,
    dayOrder,
  }: { text: string; isDryRun?: boolean | undefined; dayOrder?: DayOrder | undefined },
) {
  const { db, audit } = context
  const {
    rows: [head, ...lines],
    unclosed,
  } = readCsv(text)
  if (unclosed !== undefined)
    throw refused(`The quote in line ${unclosed} is not closed`, {
      text: `The quote in line ${unclosed} is not closed: close it in the file`,
    })
  const columns = (head?.cells ?? []).map((heading) => ({
    heading: words(heading, 100),
    field: fieldOf(heading) ?? null,
  }))
  if (!columns.some(({ field }) => field === 'title'))
    throw refused('No column contains titles', { text: 'The first line needs a column title, summary or subject' })
  if (lines.length > MOST_IMPORTED)
    throw refused(`${lines.length} lines are too many`, { text: `At most ${MOST_IMPORTED} lines at once` })
  const days = lines.flatMap(({ cells }) => columns.flatMap(({ field }, at) => (isDay(field) ? (cells[at] ?? []) : [])))
  const order = dayOrder ?? dayOrderOf(days)
  const read = await reader(db, face, order)
  const good: ReturnType<typeof read>[] = []
  const wrong: Refused[] = []
  for (const { line, cells } of lines) {
    const filled = columns.flatMap(({ field }, at) => (field && cells[at] ? [[field, cells[at]] as const] : []))
    // if two columns fill one field, the first counts, except for comments
    const values: Values = Object.fromEntries(filled.toReversed())
    const comments = filled.flatMap(([field, cell]) => (field === 'comment' ? [cell] : []))
    const reason = problemOf(values, order)
    if (reason) wrong.push({ line, reason })
    else good.push(read(values, comments))
  }
  const usual = defaultOf(await settingsOf(db, face), 'status')?.id
  checkNew(context.staff, face, {
    isAssigned: good.some(({ columns: { assigneeId } }) => assigneeId !== null),
    hasOtherStatus: good.some(({ columns: { statusId } }) => statusId !== usual),
  })
  if (!isDryRun && good.length) await add(context, face, good)
  audit.after({ added: isDryRun ? 0 : good.length, refused: wrong.length, isDryRun })
  const [mapped, unknown] = [
    counted(good.flatMap((line) => line.mapped)),
    counted(good.flatMap((line) => line.unknown)),
  ]
  const continued = [
    ...Map.groupBy(
      good.flatMap((line) => line.continued),
      (field) => field,
    ),
  ].map(([field, all]) => ({
    field,
    lines: all.length,
  }))
  return {
    ...{ isDryRun, added: good.length, columns, leftOut: wrong.length, refused: wrong.slice(0, 200) },
    ...{ mapped, continued, unknown },
  }
}

const isDay = (field: string | null) => field === 'due' || field === 'created' || field === 'completed'

function problemOf(values: Values, order: DayOrder | undefined): string | undefined {
  const { title = '' } = values
  if (!words(title, TITLE)) return 'The title is empty'
  const { due, created, completed } = values
  const unordered = [due, created, completed].find((text) => text && !order && needsOrder(text))
  if (unordered) return `${words(unordered, 40)}: say whether the day or the month comes first`
  const wrong = [due, created].find((text) => text && !dayOf(text, order))
  if (wrong) return `${words(wrong, 40)} is not a day such as 2026-12-31`
  if (minutesOf(values) === undefined) {
    const text = values.estimate || values['estimate-in-hours'] || values['estimate-in-seconds'] || ''
    return `${words(text, 40)} is not an estimate`
  }
  return undefined
}

/** Turns the values of a line into columns. */
async function reader(db: Db, face: Face, order: DayOrder | undefined) {
  const all = await settingsOf(db, face)
  const people = await rows<{ id: number; names: string[] }>(
    db,
    sql`select user_id as id, array[lower(username), lower(email), lower(first_name || ' ' || last_name)] as names
      from users where deleted_at is null`,
  )
  const person = new Map(people.flatMap(({ id, names: known }) => known.map((name) => [name, id] as const)))
  const readers = await readerIds(db, face)
  const setting = (kind: SettingKind, name: string): Found | undefined =>
    all.find((one) => one.kind === kind && plain(one.name) === plain(name.trim()))
  const [status, priority] = [defaultOf(all, 'status'), defaultOf(all, 'priority')]
  if (!status) throw refused(`There is no status of ${info[face].plural} yet: add one first`)
  return (values: Values, comments: string[]) => {
    const unknown: Read[] = []
    const mapped: (Read & { as: string })[] = []
    const find = <T>(field: string, known: (value: string) => T | undefined): T | undefined => {
      const value = values[field]
      const found = value ? known(value) : undefined
      if (value && found === undefined) unknown.push({ field, value: words(value, 80) })
      return found
    }
    const meant = (kind: SettingKind, value: string) => {
      const found = readAs[kind]?.(all, value)
      if (found) mapped.push({ field: kind, value: words(value, 80), as: found.name })
      return found
    }
    const chosen = Object.fromEntries(
      kinds.map((kind) => [kind, find(kind, (value) => setting(kind, value) ?? meant(kind, value))]),
    )
    /** Makes a closed item cancelled if its resolution says that it was never done. */
    const ended = (found: Found): Found => {
      const { resolution = '' } = values
      const cancelled = found.group === 'completed' ? cancelledBy(all, resolution) : undefined
      if (cancelled) mapped.push({ field: 'resolution', value: words(resolution, 80), as: cancelled.name })
      return cancelled ?? found
    }
    const user = (value: string) => person.get(value.trim().toLowerCase())
    const is = ended(chosen.status ?? status)
    const urgent = chosen.priority ?? priority
    /** The first of several people; the others are reported. People who may not see the items are not assigned. */
    const assignee = () => {
      const { assignee: named = '' } = values
      const [first = '', ...others] = user(named) === undefined ? named.split(/[,;]/).map((one) => one.trim()) : [named]
      const note = (value: string) => unknown.push({ field: 'assignee', value: words(value, 120) })
      const id = first ? user(first) : undefined
      if (first && id === undefined) note(first)
      if (others.length) note(`${others.join(', ')}: an item has one assignee`)
      if (id === undefined || readers.has(id)) return id
      note(`${words(first, 80)}, who may not see ${info[face].plural}`)
      return undefined
    }
    const created = instantOf(values.created ?? '', order)
    const completed = find('completed', (text) => instantOf(text, order))
    const key = words(values.key ?? '', 80)
    const [title = '', ...titleRest] = inParts((values.title ?? '').replace(/\s+/g, ' '), TITLE)
    const whole = [titleRest.join('') && `… ${titleRest.join('')}`, values.description ?? '']
      .filter(Boolean)
      .join('\n\n')
    const [description = '', ...descriptionRest] = inParts(whole, TEXT - 100)
    const [steps = '', ...stepsRest] = inParts(values.steps ?? '', TEXT)
    const [expected = '', ...expectedRest] = inParts(values.expected ?? '', TEXT)
    const rest = { title: titleRest, description: descriptionRest, steps: stepsRest, expected: expectedRest }
    return {
      unknown,
      mapped,
      continued: [
        ...Object.entries(rest).flatMap(([field, parts]) => (parts.length ? [field] : [])),
        ...(comments.some((comment) => inParts(comment, COMMENT).length > 1) ? ['comment'] : []),
      ],
      comments: [descriptionRest, stepsRest, expectedRest, comments].flatMap((texts) =>
        texts.flatMap((one) => inParts(one, COMMENT)),
      ),
      columns: {
        title,
        description: key ? `${description}\n\nImported from ${key}`.trim() : description,
        steps,
        expected,
        statusId: is.id,
        statusGroup: is.group ?? ('open' as const),
        priorityId: urgent?.id ?? null,
        urgency: urgent?.position ?? 32_000,
        componentId: chosen.component?.id ?? null,
        folderId: chosen.folder?.id ?? null,
        departmentId: chosen.department?.id ?? null,
        assigneeId: assignee() ?? null,
        reporterId: find('reporter', user) ?? null,
        dueOn: dayOf(values.due ?? '', order) ?? null,
        estimateMinutes: minutesOf(values) ?? null,
        ...(created && { createdAt: created }),
        ...(closed.includes(is.group ?? 'open') && { completedAt: completed ?? sql`now()` }),
      },
    }
  }
}
type Line = ReturnType<Awaited<ReturnType<typeof reader>>>

async function add({ db, staff }: Context, face: Face, lines: readonly Line[]): Promise<void> {
  let number = await nextNumber(db, face, lines.length)
  for await (const some of inTurns(lines)) {
    const made = await db
      .insert(trackerItems)
      .values(
        some.map(({ columns, comments }) => ({
          ...columns,
          face,
          number: number++,
          reporterId: columns.reporterId ?? staff.id,
          createdBy: staff.id,
          comments: comments.length,
        })),
      )
      .returning({ itemId: trackerItems.id, after: trackerItems.title })
    const said = made.flatMap(({ itemId }, n) =>
      (some[n]?.comments ?? []).map((body) => ({ itemId, type: 'comment' as const, body, createdBy: staff.id })),
    )
    for await (const part of inTurns(said)) await db.insert(trackerTalk).values(part)
    const ids = made.map(({ itemId }) => itemId)
    await watchTheir(db, ids)
    await indexWords(db, ids)
    const imported = made.map((row) => ({ ...row, by: staff.id, field: 'imported', before: null }))
    await db.insert(trackerHistory).values(imported)
  }
  await changed(db, info[face].hint)
}

/** Reporters and assignees watch their imported items. */
const watchTheir = (db: Db, ids: number[]) =>
  db.execute(sql`insert into tracker_watchers (item_id, user_id)
    select tracker_item_id, person from tracker_items, unnest(array[reporter_id, assignee_id]) as person
    where tracker_item_id = any(${sql.param(ids)}::int[]) and person is not null on conflict do nothing`)

interface Read {
  field: string
  value: string
}
/** Values without duplicates, each with the number of its lines. */
function counted<T extends Read>(values: readonly T[]): (T & { lines: number })[] {
  const byName = Map.groupBy(values, ({ field, value }) => `${field} ${value}`)
  return [...byName.values()].flatMap((same) => (same[0] ? [{ ...same[0], lines: same.length }] : [])).slice(0, 200)
}
