import { createReadStream, createWriteStream } from 'node:fs'
import { flow } from '../../kit/host.ts'
import { askRows, quoted, superuser, type Table, tablesOf } from './ask.ts'
import { dumpArguments } from './dump.ts'

export interface Plan {
  both: { mine: Table; theirs: Table }[]
  coming: Table[]
  going: Table[]
  before: string[]
  after: string[]
}

interface Details extends Table {
  columns: string
  /** Partitioned, or a partition. */
  parts: boolean
  triggers: string[]
  sequences: { column: string; sql: string; value: number }[]
}
export async function detailsOf(name: string): Promise<Map<string, Details>> {
  const tables = (await tablesOf(name)).filter(({ view }) => !view)
  const found = await askRows<Omit<Details, keyof Table> & { sql: string }>(
    `set search_path = '';
    select json_build_object('sql', c.oid::regclass::text, 'parts', c.relkind = 'p' or c.relispartition,
      'columns', (select string_agg(quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod), ', ' order by a.attname)
        from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped),
      'triggers', coalesce((select json_agg(t.tgname) from pg_trigger t
        where t.tgrelid = c.oid and not t.tgisinternal and t.tgenabled <> 'D'), '[]'),
      'sequences', coalesce((select json_agg(json_build_object('column', a.attname, 'sql', s.oid::regclass::text,
          'value', coalesce(pg_sequence_last_value(s.oid), 1)))
        from pg_depend d join pg_class s on s.oid = d.objid and s.relkind = 'S'
        join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
        where d.classid = 'pg_class'::regclass and d.refobjid = c.oid and d.deptype in ('a', 'i')), '[]'))
      from pg_class c where c.relkind in ('r', 'p') and c.oid = any(array[${['0', ...tables.map(({ sql }) => `${quoted(sql)}::regclass`)].join(', ')}]::oid[]);`,
    { database: name },
  )
  const of = new Map(found.map((one) => [one.sql, one]))
  return new Map(
    tables.flatMap((table) => {
      const more = of.get(table.sql)
      return more ? [[table.name, { ...table, ...more }] as const] : []
    }),
  )
}
/** Foreign keys that lead from or to these tables. */
export const referencesOf = async (name: string, tables: readonly Table[]) =>
  tables.length
    ? askRows<{ table: string; constraint: string; definition: string }>(
        `set search_path = '';
        select json_build_object('table', conrelid::regclass::text, 'constraint', conname, 'definition', pg_get_constraintdef(oid))
          from pg_constraint, (select array[${tables.map(({ sql }) => `${quoted(sql)}::regclass::oid`).join(', ')}] as oids) v
          where contype = 'f' and conparentid = 0 and (conrelid = any(v.oids) or confrelid = any(v.oids));`,
        { database: name },
      )
    : []
/** The whole script: drops foreign keys and tables, loads the tables from pg_dump, and creates the foreign keys again. */
export async function* textOf(plan: Plan, parts: string[][], aside: string, script: string): AsyncGenerator<Buffer> {
  yield Buffer.from(`${plan.before.join('\n')}\n`)
  for (const words of parts) {
    const kept = createWriteStream(script, { mode: 0o600, flags: 'w' })
    await flow([...(await dumpArguments(aside)), ...words] as [string, ...string[]], {
      to: [kept],
      as: await superuser(),
    })
    for await (const part of createReadStream(script)) yield part as Buffer
  }
  yield Buffer.from(`\n${plan.after.join('\n')}\n`)
}
