import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { type Db, rows } from './db.ts'
import { folder, journal, oldestProgram, schemaOf } from './migrations.ts'

export interface PlannedStep {
  migration: string
  table: string
  /** What waits while the statement runs. */
  holds: 'nothing' | 'writes' | 'reads and writes'
  /** Whether the time of the statement grows with the table. */
  reads: boolean
}

interface Size {
  table: string
  rows: number
  bytes: number
}

const named = String.raw`"?(?:public"?\."?)?(\w+)"?`
/** The first kind that matches a statement says what the statement holds. */
const kinds: readonly (Pick<PlannedStep, 'holds' | 'reads'> & { like: RegExp })[] = [
  { like: new RegExp(`^create (?:unique )?index concurrently .*? on ${named}`, 's'), holds: 'nothing', reads: true },
  { like: new RegExp(`^create (?:unique )?index .*? on (?:only )?${named}`, 's'), holds: 'writes', reads: true },
  {
    like: new RegExp(
      `^alter table (?:only )?${named} .*(?:set not null|set data type|add constraint|generated always)`,
      's',
    ),
    ...{ holds: 'reads and writes', reads: true },
  },
  { like: new RegExp(`^(?:alter|drop) table (?:if exists |only )*${named}`), holds: 'reads and writes', reads: false },
  { like: new RegExp(`^(?:update|delete from|insert into) (?:only )?${named}`), holds: 'nothing', reads: true },
]

/** What the statements of a migration lock, in tables that exist before it. */
export function stepsOf(migration: string, text: string): PlannedStep[] {
  return text
    .split('\n')
    .filter((line) => !/^\s*--[^>]/.test(line))
    .join('\n')
    .split('--> statement-breakpoint')
    .flatMap((statement) => {
      const plain = statement.trim().toLowerCase()
      const kind = kinds.find(({ like }) => like.test(plain))
      const table = kind?.like.exec(plain)?.[1]
      return kind && table ? { migration, table, holds: kind.holds, reads: kind.reads } : []
    })
}

/** Bytes that PostgreSQL reads and writes back in a second, on a slow disk. */
const BYTES_A_SECOND = 20_000_000

/** Lines that say which migrations a start of this program would run, and which tables are locked for about how long. */
export async function planLines(db: Db): Promise<string[]> {
  const schema = await schemaOf(db)
  const pending = journal().entries.filter(({ when }) => when > (schema ?? 0))
  if (schema === undefined) return [`The database is empty: ${pending.length} migrations make its tables.`]
  if (!pending.length) return ['The database has the schema of this program: nothing to do.']
  const found = await rows<Size>(
    db,
    sql`select relname as table, greatest(reltuples, 0)::float8 as rows, pg_total_relation_size(oid)::float8 as bytes
      from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`,
  )
  const sizes = new Map(found.map((size) => [size.table, size]))
  const lines = pending.flatMap(({ tag }) => {
    const steps = stepsOf(tag, readFileSync(join(folder, `${tag}.sql`), 'utf8'))
    return [tag, ...new Set(steps.flatMap((step) => lineOf(step, sizes.get(step.table)) ?? []))]
  })
  const oldest = journal().entries.find(({ tag }) => tag === oldestProgram())
  const stops = oldest !== undefined && oldest.when > schema
  return [
    `${pending.length} migrations wait:`,
    ...lines,
    stops
      ? `Running nodes of the former version stop: they do not know ${oldest.tag}.`
      : 'Running nodes of the former version may go on meanwhile.',
  ]
}

function lineOf({ table, holds, reads }: PlannedStep, size: Size | undefined): string | undefined {
  if (!size) return undefined // made by these migrations
  const seconds = reads ? Math.ceil(size.bytes / BYTES_A_SECOND) : 0
  const about = seconds < 2 ? 'for a moment' : `for about ${seconds} s`
  const waits = holds === 'nothing' ? 'nothing waits' : `${holds} of the table wait`
  return `  ${table} (${Math.round(size.rows).toLocaleString('en')} rows): ${waits}, ${about}`
}
