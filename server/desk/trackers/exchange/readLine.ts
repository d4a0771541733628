import {
  closed,
  type DayOrder,
  type ImportField,
  type SettingKind,
  type Tracker,
} from '@innkeeper/contract/desk/trackers/values'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { personName } from '../../../kit/db/people.ts'
import { refused } from '../../../kit/http/errors.ts'
import { info } from '../info.ts'
import { readerIds } from '../people/notify.ts'
import { defaultOf, duplicateStatus, type Found, plain, settingsOf } from '../settings/find.ts'
import { dayOf, instantOf, needsOrder } from './days.ts'
import { cancelledBy, minutesOf, readAs } from './otherTrackers.ts'

const kinds = ['status', 'priority', 'component', 'folder', 'department'] as const
const isPerson = (field: ImportField) => field === 'assignee' || field === 'reporter'

export type Values = Record<string, string>
/** Maximum lengths of a title, of a description, and of a comment. */
const TITLE = 200
const TEXT = 50_000
const COMMENT = 20_000
/** Maximum length of the key that an item has in another tracker. */
const KEY = 200

const clean = (text: string) => text.replace(/[^\P{Cc}\n\t]/gu, '').trim()
/** The first words of a text; a long one is not read to its end. */
export const words = (text: string, most: number) => clean(text.trimStart().slice(0, 4 * most)).slice(0, most)
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

/** Fields with text of any length. */
export const isProse = (field: ImportField) => ['title', 'description', 'steps', 'expected', 'comment'].includes(field)
export const isDay = (field: string | null) => field === 'due' || field === 'created' || field === 'completed'

export function problemOf(values: Values, order: DayOrder | undefined): string | undefined {
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
export async function lineReader(db: Db, tracker: Tracker, order: DayOrder | undefined) {
  const all = await settingsOf(db, tracker)
  const people = await rows<{ id: number; names: string[] }>(
    db,
    sql`select user_id as id, array[lower(username), lower(email), lower(${personName()})] as names
      from users where deleted_at is null`,
  )
  const person = new Map(people.flatMap(({ id, names: known }) => known.map((name) => [name, id] as const)))
  const readers = await readerIds(db, tracker)
  const setting = (kind: SettingKind, name: string): Found | undefined =>
    all.find((one) => one.kind === kind && plain(one.name) === plain(name.trim()))
  const [status, priority] = [defaultOf(all, 'status'), defaultOf(all, 'priority')]
  if (!status) throw refused(`There is no status of ${info[tracker].plural} yet: add one first`)
  /** `others`: further columns of the file that fill a field which has a value. */
  return (said: Values, comments: string[], others: readonly (readonly [ImportField, string, number])[] = []) => {
    const unknown: Read[] = []
    const user = (value: string) => person.get(value.trim().toLowerCase())
    // GitLab has a column with names and one with user names: the one that we know counts
    const values = { ...said }
    for (const [field, cell] of others)
      if (isPerson(field) && user(values[field] ?? '') === undefined && user(cell) !== undefined) values[field] = cell
    for (const [field, cell] of others)
      if (!isPerson(field) && field !== 'key')
        unknown.push({ field, value: `${words(cell, 80)}: an item has one ${field.replaceAll('-', ' ')}` })
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
    const saysDuplicate = chosen.status !== undefined && chosen.status === duplicateStatus(all)
    /** A file does not say of what an item is a duplicate, so that it gets another cancelled status. */
    const cancelled = (found: Found): Found => {
      const other = cancelledBy(all, 'cancelled') ?? status
      mapped.push({ field: 'status', value: found.name, as: other.name })
      return other
    }
    const is = ended(chosen.status && saysDuplicate ? cancelled(chosen.status) : (chosen.status ?? status))
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
      note(`${words(first, 80)}, who may not see ${info[tracker].plural}`)
      return undefined
    }
    const created = instantOf(values.created ?? '', order)
    const completed = find('completed', (text) => instantOf(text, order))
    const key = words(values.key ?? '', KEY)
    const [title = '', ...titleRest] = inParts((values.title ?? '').replace(/\s+/g, ' '), TITLE)
    const whole = [titleRest.join('') && `… ${titleRest.join('')}`, values.description ?? '']
      .filter(Boolean)
      .join('\n\n')
    const [description = '', ...descriptionRest] = inParts(whole, TEXT - 100)
    const [steps = '', ...stepsRest] = inParts(values.steps ?? '', TEXT)
    const [expected = '', ...expectedRest] = inParts(values.expected ?? '', TEXT)
    const rest = { title: titleRest, description: descriptionRest, steps: stepsRest, expected: expectedRest }
    return {
      /** Fields with a value in the file: an update changes only these. */
      filled: new Set(Object.keys(values).filter((field) => values[field]?.trim())),
      unknown,
      mapped,
      saysDuplicate,
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
export type Line = ReturnType<Awaited<ReturnType<typeof lineReader>>>

export interface Read {
  field: string
  value: string
}
