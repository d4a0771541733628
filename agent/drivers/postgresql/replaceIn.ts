import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { flow } from '../../kit/host.ts'
import { hexOf } from '../replace/changesIn.ts'
import type { Open } from '../replace/drivers.ts'
import { type Change, type Column, MOST_BYTES, type Needle, type Table } from '../replace/found.ts'
import { lineByLine } from '../replace/journal.ts'
import { askRows, named, quoted, tablesFrom } from './ask.ts'
import { withGuest } from './guest.ts'

/** Opens a database of PostgreSQL as its owner: triggers and functions of the database get no other rights. */
export const openPostgresql: Open = async (name, work) => {
  const tables = await tablesIn(name)
  return withGuest(name, { may: 'own' }, ({ psql, as }) => {
    const argv = [...psql, '--tuples-only', '--no-align', '--file=-'] as [string, ...string[]]
    return work({
      tables,
      rows: (table, needle, to, withinMs) =>
        flow(argv, {
          from: [Readable.from([reading(table, needle)])],
          to: [to],
          ...(withinMs !== undefined && { withinMs }),
          as,
        }),
      async write(changes) {
        let changed = 0
        await flow(argv, {
          from: [Readable.from(writing(changes))],
          to: [
            lineByLine((line) => {
              changed += line === '0' ? 0 : 1 // in a table without a key, several rows may contain the value
            }),
          ],
          as,
        })
        return changed
      },
    })
  })
}

interface Described {
  name: string
  kind: string
  type: string
  characters: number | null
  generated: boolean
  refers: boolean
}

async function tablesIn(name: string): Promise<Table[]> {
  const found = await askRows<{ name: string; sql: string; keys: string[]; columns: Described[] }>(
    // without a search path, types and tables are named with their schema
    `set search_path = '';
    select json_build_object('name', case n.nspname when 'public' then c.relname else n.nspname || '.' || c.relname end,
      'sql', c.oid::regclass::text,
      'keys', coalesce((select json_agg(a.attname order by k.at) from (select i.indrelid, i.indkey from pg_index i
          where i.indrelid = c.oid and i.indisunique and i.indisvalid and i.indpred is null and 0 <> all (i.indkey)
            and not exists (select from pg_attribute a where a.attrelid = c.oid and a.attnum = any (i.indkey) and not a.attnotnull)
          order by i.indisprimary desc, i.indexrelid limit 1) i,
        unnest(i.indkey) with ordinality k (number, at) join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number), '[]'),
      'columns', (select json_agg(json_build_object('name', a.attname, 'kind', t.typname, 'type', format_type(a.atttypid, a.atttypmod),
          'characters', case when t.typname in ('varchar', 'bpchar') and a.atttypmod > 4 then a.atttypmod - 4 end,
          'generated', a.attgenerated <> '', 'refers', exists (select from pg_constraint f where f.contype = 'f'
            and (f.conrelid = c.oid and a.attnum = any (f.conkey) or f.confrelid = c.oid and a.attnum = any (f.confkey))))
          order by a.attnum)
        from pg_attribute a join pg_type t on t.oid = a.atttypid where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped))
      ${tablesFrom} and c.relkind = 'r' order by n.nspname, c.relname;`,
    { database: name },
  )
  return found.map(({ name: table, sql, keys, columns }) => {
    const as = (one: Described): Column => {
      const stays = keys.includes(one.name) ? 'key' : one.refers ? 'reference' : one.generated ? 'generated' : undefined
      const { characters } = one
      return { name: one.name, type: one.type, binary: one.kind === 'bytea', characters, ...(stays && { stays }) }
    }
    const all = columns ?? [] // a table may have no column
    return {
      ...{ name: table, sql, stamps: [] },
      keys: keys.flatMap((key) => all.filter((one) => one.name === key).map(as)),
      columns: all
        .filter(({ kind }) => ['text', 'varchar', 'bpchar', 'citext', 'json', 'jsonb', 'xml', 'bytea'].includes(kind))
        .map(as),
    }
  })
}

const bytesOf = ({ name, binary }: Column) => (binary ? named(name) : `convert_to(${named(name)}::text, 'UTF8')`)

function reading({ sql, keys, columns }: Table, { text, anyCase }: Needle): string {
  if (!columns.length) return ''
  const has = (column: Column) => {
    if (!text) return `${named(column.name)} is not null`
    const value = column.binary ? `encode(${named(column.name)}, 'escape')` : `${named(column.name)}::text`
    return `position(${quoted(text)} in ${anyCase ? `lower(${value})` : value}) > 0`
  }
  const fields = [
    ...keys.map((key) => `encode(${bytesOf(key)}, 'hex')`),
    ...columns.map(
      (one) =>
        `case when ${has(one)} then case when octet_length(${bytesOf(one)}) > ${MOST_BYTES} then '+' else encode(${bytesOf(one)}, 'hex') end else '-' end`,
    ),
  ]
  return `begin read only;
copy (select ${fields.join(', ')} from ${sql} where ${columns.map(has).join(' or ')}) to stdout;
`
}

async function* writing(changes: AsyncIterable<Change>): AsyncGenerator<string> {
  yield 'begin;\n'
  for await (const { table, column, key, before, after } of changes) {
    const where = [
      ...table.keys.map((one, i) => `${named(one.name)} = ${literal(one, key[i] ?? '')}`),
      // jsonb changes the order of keys
      column.type === 'jsonb'
        ? `${named(column.name)} = ${literal(column, before)}`
        : `encode(sha256(${bytesOf(column)}), 'hex') = '${createHash('sha256').update(before, 'latin1').digest('hex')}'`,
    ]
    yield `with changed as (update ${table.sql} set ${named(column.name)} = ${literal(column, after)} where ${where.join(' and ')} returning 1) select count(*) from changed;\n`
  }
  yield 'commit;\n'
}

const literal = ({ binary, type }: Column, value: string) =>
  binary ? `decode('${hexOf(value)}', 'hex')` : `convert_from(decode('${hexOf(value)}', 'hex'), 'UTF8')::${type}`
