import {
  type DayOrder,
  type ImportField,
  type KnownItems,
  MOST_COLUMNS,
  MOST_IMPORTED,
  type Tracker,
} from '@innkeeper/contract/desk/trackers/values'
import { holds } from '@innkeeper/contract/kit/access'
import { withoutApostrophes } from '@innkeeper/contract/kit/csv'
import { type CsvText, readCsv } from '@innkeeper/contract/kit/csvText'
import { sql } from 'drizzle-orm'
import { inTurns } from '../../../kit/db/inTurns.ts'
import type { Context } from '../../../kit/http/api.ts'
import { denied, refused } from '../../../kit/http/errors.ts'
import { info } from '../info.ts'
import { checkNew } from '../items/rights.ts'
import { defaultOf, settingsOf } from '../settings/find.ts'
import { heading as ownHeading } from './csv.ts'
import { dayOrderOf, needsOrder } from './days.ts'
import { fieldsOf } from './otherTrackers.ts'
import { isDay, isProse, type Line, lineReader, problemOf, type Read, type Values, words } from './readLine.ts'
import { findKnown, originOf } from './recognise.ts'
import { changesOf, type Known, storeImport } from './store.ts'

/** Lines that are read before other calls have their turn. */
const AT_ONCE = 50
/** Most letters of a value that is no prose: longer ones are no date, name or key. */
const MOST_VALUE = 1000

interface Asked {
  text: string
  isDryRun?: boolean | undefined
  dayOrder?: DayOrder | undefined
  columns?: (ImportField | null)[] | undefined
  known?: KnownItems | undefined
  name?: string | undefined
}
interface Refused {
  line: number
  reason: string
}
interface Good {
  line: number
  read: Line
  origin: string | undefined
}

/**
 * Imports the lines of a CSV file as one act, which can be undone. Invalid lines are left out and reported; unknown values
 * become the defaults. Items that the file knows by their key of origin are skipped, updated or added again. What is longer
 * than its field continues in the description or in a comment.
 */
export async function importItems(context: Context, tracker: Tracker, asked: Asked) {
  const { db, audit } = context
  const { isDryRun = false, known: wanted = 'skip', dayOrder } = asked
  const { columns, lines } = tableOf(asked)
  const hasTitle = columns.some(({ field }) => field === 'title')
  if (!hasTitle && !isDryRun)
    throw refused('No column contains titles', { text: 'The first line needs a column title, summary or subject' })
  const days = lines.flatMap(({ cells }) => columns.flatMap(({ field }, at) => (isDay(field) ? (cells[at] ?? []) : [])))
  const order = dayOrder ?? dayOrderOf(days)
  const read = await lineReader(db, tracker, order)
  const { good, wrong } = await readLines(hasTitle ? lines : [], columns, order, read)
  // of two imports of one file at once, the second finds the items of the first
  if (!isDryRun) await db.execute(sql`select pg_advisory_xact_lock(hashtext(${`tracker.import ${tracker}`}))`)
  const found = wanted === 'add' ? new Map<string, Known>() : await findKnown(db, tracker, good)
  const isKnown = ({ origin }: Good) => origin !== undefined && found.has(origin)
  const fresh = good.filter((one) => !isKnown(one))
  const knownLines = good.flatMap((one) => {
    const item = one.origin === undefined ? undefined : found.get(one.origin)
    return item ? [{ ...one, item }] : []
  })
  const updated =
    wanted === 'update'
      ? await changesOf(
          db,
          knownLines.filter(({ item }) => !item.isDeleted),
        )
      : []
  const told = [...fresh, ...updated].map((one) => one.read)
  await checkRights(context, tracker, fresh, updated)
  const importId =
    !isDryRun && fresh.length + updated.length
      ? await storeImport(context, tracker, {
          name: asked.name,
          fresh,
          changes: updated,
          skipped: knownLines.length - updated.length,
        })
      : null
  const counts = { added: fresh.length, updated: updated.length, known: knownLines.length - updated.length }
  audit.after({ ...counts, ...(isDryRun && { added: 0, updated: 0 }), refused: wrong.length, isDryRun })
  return {
    ...{ isDryRun, ...counts, importId, columns, hasTitle },
    asksOrder: order === undefined && days.some(needsOrder),
    ...{ leftOut: wrong.length, refused: wrong.slice(0, 200) },
    knownKeys: knownLines.slice(0, 200).map(({ item }) => item.key),
    mapped: counted(told.flatMap((line) => line.mapped)),
    continued: [
      ...Map.groupBy(
        told.flatMap((line) => line.continued),
        (field) => field,
      ),
    ].map(([field, all]) => ({ field, lines: all.length })),
    unknown: counted(told.flatMap((line) => line.unknown)),
  }
}

/** Reads the lines of a file, in turns with other calls; those that cannot be items are refused. */
async function readLines(
  lines: readonly CsvText['rows'][number][],
  columns: ReturnType<typeof tableOf>['columns'],
  order: DayOrder | undefined,
  read: Awaited<ReturnType<typeof lineReader>>,
) {
  const good: Good[] = []
  const wrong: Refused[] = []
  const lineOf = new Map<string, number>()
  for await (const some of inTurns(lines, AT_ONCE))
    for (const { line, cells } of some) {
      const filled = columns.flatMap(({ field }, at) => (field && cells[at] ? [[field, cells[at], at] as const] : []))
      // if two columns fill one field, the first counts, except for comments; further texts go into the description
      const values: Values = Object.fromEntries(
        filled.map(([field, cell]) => [field, isProse(field) ? cell : cell.trim().slice(0, MOST_VALUE)]).toReversed(),
      )
      const texts = filled.filter(
        ([field, cell], n) =>
          isProse(field) && field !== 'comment' && cell.trim() && filled.findIndex(([first]) => first === field) < n,
      )
      if (texts.length)
        values.description = [
          values.description ?? '',
          ...texts.map(([, cell, at]) => `${columns[at]?.heading}: ${cell.trim()}`),
        ]
          .filter(Boolean)
          .join('\n\n')
      const comments = filled.flatMap(([field, cell]) => (field === 'comment' ? [cell] : []))
      const others = filled.filter(
        ([field, cell]) => !isProse(field) && cell.trim().slice(0, MOST_VALUE) !== values[field],
      )
      const key = filled.find(([field]) => field === 'key')
      const origin = key && originOf(words(key[1], 200), columns[key[2]]?.heading ?? '')
      const before = origin === undefined ? undefined : lineOf.get(origin)
      const reason = cells.slice(columns.length).some((cell) => cell.trim())
        ? `${cells.length} cells stand under ${columns.length} headings`
        : before === undefined
          ? problemOf(values, order)
          : `${words(values.key ?? '', 80)} is in line ${before} already`
      if (reason) wrong.push({ line, reason })
      else good.push({ line, read: read(values, comments, others), origin })
      if (origin !== undefined && before === undefined) lineOf.set(origin, line)
    }
  return { good, wrong }
}

/** The columns of a file with the field that each fills, and its lines. 422 for a file that cannot be read whole. */
function tableOf({ text, columns: chosen }: Asked) {
  const {
    rows: [head, ...read],
    unclosed,
    beyond,
  } = readCsv(text, { rows: MOST_IMPORTED + 1, cells: MOST_COLUMNS })
  if (unclosed !== undefined)
    throw refused(`The quote in line ${unclosed} is not closed`, {
      text: `The quote in line ${unclosed} is not closed: close it in the file`,
    })
  if (beyond?.of === 'cells')
    throw refused('The file has too many columns', {
      text: `Line ${beyond.line} has more than ${MOST_COLUMNS} columns: remove the ones that nobody needs`,
    })
  if (beyond)
    throw refused('The file has too many lines', { text: `At most ${MOST_IMPORTED} lines at once: import it in parts` })
  const cells = head?.cells.map((heading) => words(heading, 100)) ?? []
  if (chosen && chosen.length !== cells.length)
    throw refused('The columns are not those of the file', {
      columns: `The file has ${cells.length} columns, not ${chosen.length}`,
    })
  const fields = chosen ?? fieldsOf(cells)
  const isOwn = ownHeading.every((one, at) => cells[at] === one)
  const lines = isOwn ? read.map((row) => ({ ...row, cells: row.cells.map(withoutApostrophes) })) : read
  const columns = cells.map((heading, at) => ({
    heading,
    field: fields[at] ?? null,
    sample: words(lines.find((line) => line.cells[at]?.trim())?.cells[at] ?? '', 80),
  }))
  return { columns, lines }
}

/** 403 for new and changed items with fields that need another permission. */
async function checkRights({ db, staff }: Context, tracker: Tracker, fresh: readonly Good[], updated: readonly Good[]) {
  const usual = defaultOf(await settingsOf(db, tracker), 'status')?.id
  checkNew(staff, tracker, {
    isAssigned: fresh.some(({ read }) => read.columns.assigneeId !== null),
    hasOtherStatus: fresh.some(({ read }) => read.columns.statusId !== usual),
  })
  if (!updated.length) return
  const sets = (field: string) => updated.some(({ read }) => read.filled.has(field))
  const needed = [
    info[tracker].update,
    ...(sets('status') ? [info[tracker].status] : []),
    ...(sets('assignee') ? [info[tracker].assign] : []),
  ]
  const lacking = needed.filter((scope) => !holds(staff, scope))
  if (lacking.length) throw denied(lacking)
}

/** Values without duplicates, each with the number of its lines. */
function counted<T extends Read>(values: readonly T[]): (T & { lines: number })[] {
  const byName = Map.groupBy(values, ({ field, value }) => `${field} ${value}`)
  return [...byName.values()].flatMap((same) => (same[0] ? [{ ...same[0], lines: same.length }] : [])).slice(0, 200)
}
