import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { flow } from '../../kit/host.ts'
import { hexOf } from '../replace/changesIn.ts'
import type { Open } from '../replace/drivers.ts'
import { type Change, type Column, MOST_BYTES, type Needle, type Table } from '../replace/found.ts'
import { lineByLine } from '../replace/journal.ts'
import { askRows, client, named, quoted, shapeOf } from './mariadbAsk.ts'

const program = [...client, '--quick', '--binary-mode', '--default-character-set=utf8mb4'] as const
const texts = ['char', 'varchar', 'tinytext', 'text', 'mediumtext', 'longtext']
const bytes = ['binary', 'varbinary', 'tinyblob', 'blob', 'mediumblob', 'longblob']
const whole = ['tinyint', 'smallint', 'mediumint', 'int', 'bigint']

/** Opens a database of MariaDB as root: triggers run as their definer. */
export const openMariadb: Open = async (name, work) => {
  if (!(await shapeOf(name))) throw new Error(`there is no database ${name} on this server`)
  return work({
    tables: await tablesIn(name),
    rows: (table, needle, to, withinMs) =>
      flow(program, {
        from: [Readable.from([reading(table, needle)])],
        to: [to],
        ...(withinMs !== undefined && { withinMs }),
      }),
    async write(changes) {
      let changed = 0
      await flow(program, {
        from: [Readable.from(writing(changes))],
        to: [
          lineByLine((line) => {
            changed += line === '0' ? 0 : 1 // in a table without a key, several rows may contain the value
          }),
        ],
      })
      return changed
    },
  })
}

interface Described {
  table: string
  name: string
  type: string
  characters: number | null
  octets: number | null
  charset: string | null
  generated: 0 | 1
  stamp: 0 | 1
}

async function tablesIn(name: string): Promise<Table[]> {
  const schema = quoted(name)
  const columns = await askRows<Described>(
    `select json_object('table', c.table_name, 'name', c.column_name, 'type', c.data_type, 'characters',
      c.character_maximum_length, 'octets', c.character_octet_length, 'charset', c.character_set_name,
      'generated', c.is_generated = 'ALWAYS', 'stamp', c.extra like '%on update%')
      from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = ${schema} and t.table_type = 'BASE TABLE' order by c.table_name, c.ordinal_position;`,
  )
  const keys = await askRows<{ table: string; key: string; columns: string }>(
    // the primary key, or an index that tells rows apart
    `select json_object('table', table_name, 'key', index_name, 'columns', group_concat(column_name order by seq_in_index separator '\\0'))
      from information_schema.statistics where table_schema = ${schema} and non_unique = 0
      group by table_name, index_name having max(nullable = 'YES') = 0 and max(sub_part is not null) = 0
      order by table_name, index_name = 'PRIMARY' desc, index_name;`,
  )
  const references = await askRows<{ table: string; column: string }>(
    `select json_object('table', table_name, 'column', column_name) from information_schema.key_column_usage
      where table_schema = ${schema} and referenced_table_name is not null
      union select json_object('table', referenced_table_name, 'column', referenced_column_name)
      from information_schema.key_column_usage where referenced_table_schema = ${schema};`,
  )
  return [...new Set(columns.map(({ table }) => table))].map((table) => {
    const own = columns.filter((one) => one.table === table)
    const key = keys.find((one) => one.table === table)?.columns.split('\0') ?? []
    const refers = new Set(references.flatMap((one) => (one.table === table ? one.column : [])))
    const as = (one: Described): Column => {
      const stays = key.includes(one.name)
        ? 'key'
        : refers.has(one.name)
          ? 'reference'
          : one.generated
            ? 'generated'
            : undefined
      return {
        ...{ name: one.name, type: one.type, binary: bytes.includes(one.type), characters: one.characters },
        ...(!one.charset || one.charset.startsWith('utf8') ? { bytes: one.octets } : {}),
        ...(stays && { stays }),
      }
    }
    return {
      name: table,
      sql: `${named(name)}.${named(table)}`,
      keys: key.flatMap((column) => own.filter((one) => one.name === column).map(as)),
      columns: own.filter(({ type }) => [...texts, ...bytes].includes(type)).map(as),
      stamps: own.flatMap((one) => (one.stamp ? one.name : [])),
    }
  })
}

const textOf = ({ name, binary }: Column) => (binary ? named(name) : `convert(${named(name)} using utf8mb4)`)

function reading({ sql, keys, columns }: Table, { text, anyCase }: Needle): string {
  if (!columns.length) return ''
  const has = (column: Column) => {
    if (!text) return `${named(column.name)} is not null`
    if (!anyCase) return `locate(${column.binary ? 'binary ' : ''}${quoted(text)}, ${named(column.name)}) > 0`
    const lower = column.binary ? `convert(${named(column.name)} using latin1)` : textOf(column)
    return `locate(${quoted(text)}, lower(${lower})) > 0`
  }
  const fields = [
    ...keys.map((key) => `hex(${textOf(key)})`),
    ...columns.map(
      (one) => `if(${has(one)}, if(length(${named(one.name)}) > ${MOST_BYTES}, '+', hex(${textOf(one)})), '-')`,
    ),
  ]
  return `set session sql_mode = ''; start transaction with consistent snapshot, read only;
select ${fields.join(', ')} from ${sql} where ${columns.map(has).join(' or ')};
`
}

async function* writing(changes: AsyncIterable<Change>): AsyncGenerator<string> {
  yield "set session sql_mode = 'STRICT_ALL_TABLES'; start transaction;\n"
  for await (const { table, column, key, before, after } of changes) {
    const is = (one: Column, value: string) => {
      if (whole.includes(one.type) && /^-?\d{1,20}$/.test(value)) return `${named(one.name)} = ${value}`
      return `${named(one.name)} = ${literal(one, value)}`
    }
    const where = [
      ...table.keys.map((one, i) => is(one, key[i] ?? '')),
      `sha2(${textOf(column)}, 256) = '${createHash('sha256').update(before, 'latin1').digest('hex')}'`,
    ]
    const stamps = table.stamps.map((one) => `, ${named(one)} = ${named(one)}`).join('')
    yield `update ${table.sql} set ${named(column.name)} = ${literal(column, after)}${stamps} where ${where.join(' and ')};\nselect row_count();\n`
  }
  yield 'commit;\n'
}

const literal = ({ binary }: Column, value: string) => `${binary ? '' : '_utf8mb4 '}x'${hexOf(value)}'`
