import type { OperationInput } from '@innkeeper/contract/agent/operations'
import type { Driver } from '../../kit/driver.ts'
import { exclusive, run } from '../../kit/host.ts'
import { refuseUnlessChange } from '../statements/change.ts'
import { asGuest, errorIn } from './databaseQuery.ts'
import { askRows, named, quoted } from './mariadbAsk.ts'

/**
 * Changes rows as a temporary account that may do so in this database alone. PREPARE takes one statement, and the account
 * may not change definitions, which would commit.
 */
export const writeDatabase: Driver<'database.write'> = {
  run: (c) =>
    exclusive('database console', async () => {
      const { name, sql, seconds, expected } = c.input
      refuseUnlessChange(sql)
      return asGuest(c, { name, seconds, grants: await changing(name) }, async ({ client }) => {
        const begun = performance.now()
        const ran = await run([...client, '--binary-mode', '--batch', '--skip-column-names', `--database=${name}`], {
          input: script({ sql, seconds, expected }),
          withinMs: (seconds + 3) * 1000,
        })
        if (ran.code !== 0) throw new Error(errorIn(ran.stderr))
        const rows = Number(ran.stdout.trim().split('\n').at(-1))
        return { rows, committed: rows === expected, milliseconds: Math.round(performance.now() - begun) }
      })
    }),
  undo: async () => undefined,
  inspect: async ({ input }) => (input.expected === undefined ? 'no' : 'unknown'),
}

/** The statement is passed as a string literal, which sql_mode '' parses predictably, and runs under the server's sql_mode. */
const script = ({ sql, seconds, expected }: Pick<OperationInput<'database.write'>, 'sql' | 'seconds' | 'expected'>) =>
  `set session sql_mode = '';
set @ik_sql = ${quoted(sql.replace(/;\s*$/, ''))};
set session sql_mode = default, innodb_lock_wait_timeout = ${seconds};
start transaction;
prepare ik from @ik_sql;
execute ik;
set @ik_rows = row_count();
execute immediate ${expected === undefined ? "'rollback'" : `if(@ik_rows = ${expected}, 'commit', 'rollback')`};
select @ik_rows;
`

const MOST_TABLES = 2000

/**
 * Rights to change rows. Excludes tables without transactions, because their changes cannot be rolled back, and beside such
 * tables also those with triggers, which may write into them.
 */
async function changing(name: string): Promise<string[]> {
  const schema = named(name.replaceAll('_', '\\_'))
  const tables = await askRows<{ name: string; safe: 0 | 1 }>(
    `select json_object('name', table_name, 'safe', engine = 'InnoDB') from information_schema.tables
      where table_schema = ${quoted(name)} and table_type = 'BASE TABLE';`,
  )
  if (tables.every(({ safe }) => safe)) return [`insert, update, delete on ${schema}.*`]
  const fires = await askRows<{ name: string }>(
    `select distinct json_object('name', event_object_table) from information_schema.triggers
      where event_object_schema = ${quoted(name)};`,
  )
  const safe = tables.filter((one) => one.safe && !fires.some((table) => table.name === one.name))
  if (safe.length > MOST_TABLES) throw new Error(`${name} has tables without transactions, and too many others`)
  return safe.map((one) => `insert, update, delete on ${named(name)}.${named(one.name)}`)
}
