import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { flow } from '../../kit/host.ts'
import { askRows, countRows, named, quoted, shapeOf, tablesOf } from './ask.ts'
import { createDatabase, dropDatabase, loadDump } from './dump.ts'
import { dress, dropGroups } from './groups.ts'
import { withGuest } from './guest.ts'
import { ownDump } from './ownDump.ts'
import { detailsOf, type Plan, referencesOf, textOf } from './tableDetails.ts'

const ASIDE = 'ik_aside_'
interface Wanted {
  tables: readonly string[]
  /** With `go`, drops tables that the dump lacks; otherwise such tables are an error. */
  lacking?: 'go' | undefined
}

/**
 * Replaces some tables of a database by those of a dump, in one transaction. First loads the dump into a temporary
 * database, and copies the tables from there. Drops foreign keys before and creates them again after: a row that violates
 * one rolls everything back. Sequences never return to a lower number.
 */
export async function loadSome(
  name: string,
  file: string,
  { tables, lacking }: Wanted,
): Promise<Record<string, number>> {
  await dropLeftOver()
  const aside = `${ASIDE}${randomBytes(6).toString('hex')}`
  const script = `${file}.some`
  await createDatabase(aside)
  const owner = (await shapeOf(aside))?.owner
  try {
    await loadDump(aside, file)
    const plan = await planOf(name, aside, { tables, lacking })
    await rm(script, { force: true })
    const existing = plan.both.map(({ theirs }) => `--table=${theirs.sql}`)
    const coming = plan.coming.map((one) => `--table=${one.sql}`)
    const parts = [...(existing.length ? [['--data-only', ...existing]] : []), ...(coming.length ? [coming] : [])]
    const from = Readable.from(textOf(plan, parts, aside, script))
    const { through } = ownDump()
    await withGuest(name, { may: 'own' }, ({ script: argv, as }) => flow(argv, { from: [from, through], as }))
    await dress(name)
    return await compared(name, aside, tables)
  } finally {
    await rm(script, { force: true })
    await dropDatabase(aside)
    if (owner) await dropGroups(owner)
  }
}

/** What happens to each table. Throws where a table alone cannot be replaced. */
async function planOf(name: string, aside: string, { tables, lacking }: Wanted): Promise<Plan> {
  const [here, there] = await Promise.all([detailsOf(name), detailsOf(aside)])
  const plan: Plan = { both: [], coming: [], going: [], before: [], after: [] }
  for (const table of tables) {
    const [mine, theirs] = [here.get(table), there.get(table)]
    if (mine?.parts || theirs?.parts) throw new Error(`${table} is partitioned: take ${name} whole`)
    if (!theirs) {
      if (lacking !== 'go') throw new Error(`the dump does not have the table ${table}`)
      if (mine) plan.going.push(mine)
    } else if (!mine) plan.coming.push(theirs)
    else if (mine.columns !== theirs.columns)
      throw new Error(
        `${table} has other columns in the dump (${theirs.columns}) than now (${mine.columns}): take ${name} whole`,
      )
    else plan.both.push({ mine, theirs })
  }
  const touched = [...plan.both.map(({ mine }) => mine), ...plan.going]
  const stays = (sql: string) => !plan.going.some((one) => one.sql === sql)
  for (const { table, constraint, definition } of await referencesOf(name, touched)) {
    plan.before.push(`alter table ${table} drop constraint ${named(constraint)};`)
    if (stays(table)) plan.after.push(`alter table ${table} add constraint ${named(constraint)} ${definition};`)
  }
  for (const { mine, theirs } of plan.both) {
    for (const trigger of here.get(mine.name)?.triggers ?? []) {
      plan.before.push(`alter table ${mine.sql} disable trigger ${named(trigger)};`)
      plan.after.push(`alter table ${mine.sql} enable trigger ${named(trigger)};`)
    }
    plan.before.push(`truncate ${mine.sql};`)
    const values = new Map(there.get(theirs.name)?.sequences.map(({ column, value }) => [column, value]))
    for (const { column, sql, value } of here.get(mine.name)?.sequences ?? [])
      plan.after.push(`select setval(${quoted(sql)}, ${Math.max(value, values.get(column) ?? 1)});`)
  }
  plan.before.push(...plan.going.map(({ sql }) => `drop table ${sql};`))
  return plan
}

/** The row count of each table. Throws if a count differs from the dump. */
async function compared(name: string, aside: string, tables: readonly string[]): Promise<Record<string, number>> {
  const [mine, theirs] = await Promise.all(
    [name, aside].map(async (one) =>
      countRows(
        one,
        (await tablesOf(one)).filter((table) => !table.view && tables.includes(table.name)),
      ),
    ),
  )
  const wrong = Object.entries(theirs ?? {}).filter(([table, rows]) => mine?.[table] !== rows)
  if (wrong.length)
    throw new Error(
      `${name} differs from its dump: ${wrong.map(([table, rows]) => `${table} has ${mine?.[table]} rows of ${rows}`).join(', ')}`,
    )
  return mine ?? {}
}

async function dropLeftOver(): Promise<void> {
  const left = await askRows<{ name: string; owner: string }>(
    `select json_build_object('name', datname, 'owner', pg_get_userbyid(datdba)) from pg_database
      where datname like ${quoted(`${ASIDE.replaceAll('_', '\\_')}%`)};`,
  )
  for (const { name, owner } of left) {
    await dropDatabase(name)
    await dropGroups(owner)
  }
}
