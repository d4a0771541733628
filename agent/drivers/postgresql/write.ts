import { randomBytes } from 'node:crypto'
import type { OperationInput } from '@innkeeper/contract/agent/operations'
import type { Driver } from '../../kit/driver.ts'
import { exclusive, run } from '../../kit/host.ts'
import { refuseUnlessChange } from '../statements/change.ts'
import { withGuest } from './guest.ts'
import { errorIn } from './query.ts'
import { split } from './script.ts'

/**
 * Changes rows as a guest with the rights of the owner, in one DO block: an error rolls everything back, and the statement
 * in the block cannot commit.
 */
export const writeDatabase: Driver<'database.write'> = {
  run: ({ input }) =>
    exclusive('pg-database console', async () => {
      const { name, sql, seconds, expected } = input
      const [statement, ...others] = split(sql)
      if (!statement) throw new Error('The statement is empty')
      if (others.length) throw new Error('PostgreSQL runs one statement at a time here')
      refuseUnlessChange(statement)
      return withGuest(name, { may: 'own', seconds }, async ({ psql, as }) => {
        const begun = performance.now()
        // drawn for each statement: triggers of a customer may raise any warning or error
        const mark = `ik_${randomBytes(12).toString('hex')}`
        const words = [
          ...['begin', `set local lock_timeout = '${seconds}s'`, block(statement, mark, expected)],
          ...[`select pg_catalog.current_setting('ik.${mark}')`, expected === undefined ? 'rollback' : 'commit'],
        ]
        const argv = [...psql, '--tuples-only', '--no-align', ...words.map((one) => `--command=${one}`)]
        const ran = await run(argv as [string, ...string[]], { withinMs: (seconds + 3) * 1000, as })
        const other = ran.code === 0 ? undefined : /^\d+/.exec(ran.stderr.split(`${mark}=`)[1] ?? '')?.[0]
        if (ran.code !== 0 && other === undefined) throw new Error(errorIn(ran.stderr))
        const rows = Number(other ?? ran.stdout.trim().split('\n').at(-1))
        return {
          rows,
          committed: other === undefined && expected !== undefined,
          milliseconds: Math.round(performance.now() - begun),
        }
      })
    }),
  undo: async () => undefined,
  inspect: async ({ input }) => (input.expected === undefined ? 'no' : 'unknown'),
}

/**
 * A DO block that runs the statement, stores the row count, and raises an error if the count is not `expected`. Names are
 * PostgreSQL's own: the owner may set a search path that begins with functions and operators of their schema.
 */
function block(statement: string, mark: string, expected: OperationInput<'database.write'>['expected']): string {
  const [inner, outer] = [`$i${randomBytes(9).toString('hex')}$`, `$o${randomBytes(9).toString('hex')}$`]
  return `do ${outer} declare n bigint; begin
    execute ${inner}${statement.replace(/;\s*$/, '')}${inner};
    get diagnostics n = row_count;
    perform pg_catalog.set_config('ik.${mark}', n::pg_catalog.text, true);
    ${expected === undefined ? '' : `if n operator(pg_catalog.<>) ${expected} then raise exception '${mark}=%', n; end if;`}
  end ${outer}`
}
