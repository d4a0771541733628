import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { type Db, rows } from '../../kit/db/db.ts'
import { tablesOf } from '../../kit/ownBackup/backup.ts'
import { schedules } from '../../registry.ts'
import { openWorld } from './world/world.ts'

/**
 * Several workers do what is due once. In a world that is 40 days older, each schedule runs in one worker, and in a second such
 * world in three at once: both have as many rows, attempts and workflows afterwards. On PostgreSQL the workers run at the same
 * time; the embedded database has one worker.
 */
const DAYS = 40
/** Hints for open screens, which workers may give twice, and the log, whose rows do not age. */
const left = ['announced_changes', 'action_logs']
/** Long enough that a schedule with a slower beginning runs, too. */
const RUNNING_MS = 3_600_000

async function columnsOf(db: Db, wanted: string): Promise<Map<string, string[]>> {
  const found = await rows<{ table: string; columns: string[] }>(
    db,
    sql`select table_name as table, array_agg(column_name::text) as columns from information_schema.columns
      where table_schema = 'public' and is_generated = 'NEVER' and ${sql.raw(wanted)} group by table_name`,
  )
  return new Map(found.map(({ table, columns }) => [table, columns]))
}

/** How many rows and attempts each table has after each schedule has run in `workers` workers. */
async function afterRounds(workers: number): Promise<Record<string, string>> {
  const { app, call, admin, close } = await openWorld()
  try {
    const { db } = app
    const tables = (await tablesOf(db)).map(({ name }) => name).filter((name) => !left.includes(name))
    const times = await columnsOf(db, `data_type = 'timestamp with time zone'`)
    for (const table of tables) {
      const older = times.get(table)?.map((column) => `"${column}" = "${column}" - interval '${DAYS} days'`)
      if (older) await db.execute(sql.raw(`update "${table}" set ${older.join(', ')}`))
    }
    await Promise.all(Array.from({ length: 16 }, () => call('GET', '/api/auth/validate', { token: admin }))) // connections
    for (const { name, work } of schedules)
      await Promise.all(Array.from({ length: workers }, () => work(app, RUNNING_MS))).catch((error: unknown) => {
        throw new Error(`the round of ${name} failed`, { cause: error })
      })
    const sending = sql`select from webhook_deliveries where state = 'sending'`
    await expect
      .poll(() => rows(db, sending), { message: 'messages to webhooks end later than their round' })
      .toEqual([])
    const tried = await columnsOf(db, `column_name in ('attempts', 'tries')`)
    const counts = tables.map(async (table) => {
      const attempts = tried.get(table)?.map((column) => `sum("${column}")`) ?? []
      const [found] = await rows<{ n: string }>(
        db,
        sql.raw(`select concat_ws('/', count(*), ${['null', ...attempts].join(', ')}) as n from "${table}"`),
      )
      return [table, found?.n ?? ''] as const
    })
    const kinds = await rows<{ kind: string; n: string }>(
      db,
      sql`select kind || ' of ' || subject_name as kind, count(*)::text as n from workflows group by 1`,
    )
    return Object.fromEntries([...(await Promise.all(counts)), ...kinds.map(({ kind, n }) => [kind, n] as const)])
  } finally {
    await close()
  }
}

it('three workers do what one does', async () => {
  const alone = await afterRounds(1)
  expect(await afterRounds(3)).toEqual(alone)
})
