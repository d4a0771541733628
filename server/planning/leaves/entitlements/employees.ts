import type { LeaveAccount, LeaveBalance, LeaveEmployee, LeaveEntry } from '@innkeeper/contract/planning/leaves/calls'
import { sql } from 'drizzle-orm'
import { rowsByIds } from '../../../kit/db/byIds.ts'
import { isoOf } from '../../../kit/db/columns.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { inOrder } from '../../../kit/db/page.ts'
import { personName } from '../../../kit/db/people.ts'
import { notFound } from '../../../kit/http/errors.ts'
import { readBalances } from './balances.ts'

type Row = Omit<LeaveEmployee, 'balances' | 'year'>

const select = rowsByIds<Row>(
  (isWanted) => sql`select u.user_id as id, u.user_id as "userId", ${personName('u')} as name, u.username,
        d.department_id as "departmentId", d.name as "departmentName", p.hired_at::text as "hiredAt",
        (1 + coalesce((select sum(e.version) from leave_entitlements e where e.user_id = u.user_id), 0)
          + (select count(*) from leave_ledger l where l.user_id = u.user_id and l.kind = 'adjust'))::int as version
      from users u left join departments d on d.department_id = u.department_id and d.deleted_at is null
      left join profiles p on p.user_id = u.user_id
      where ${isWanted(sql`u.user_id`)} and u.deleted_at is null`,
)

/** Active people of `ids` with their balances in a year, in this order. */
export async function readEmployees(db: Db, ids: readonly number[], year: number): Promise<LeaveEmployee[]> {
  if (!ids.length) return []
  const found = await select(db, ids)
  const balances = Map.groupBy(await readBalances(db, ids, year), ({ userId }: LeaveBalance) => userId)
  return inOrder(
    [...ids],
    found.map((row) => ({ ...row, year, balances: balances.get(row.id) ?? [] })),
  )
}

/** One person with all ledger rows of the year. 404 if there is no such person. */
export async function findAccount(db: Db, id: number, year: number): Promise<LeaveAccount> {
  const [employee] = await readEmployees(db, [id], year)
  if (!employee) throw notFound('user', id)
  return { ...employee, ledger: await readLedger(db, id, year) }
}

async function readLedger(db: Db, userId: number, year: number): Promise<LeaveEntry[]> {
  const found = await rows<Omit<LeaveEntry, 'createdAt' | 'days'> & { createdAt: string | Date; halves: number }>(
    db,
    sql`select l.leave_entry_id as id, l.leave_type_id as "typeId", t.name as "typeName", l.year, l.halves, l.kind,
        l.leave_id as "requestId", l.note, l.created_at as "createdAt",
        ${personName('c')} as "createdByName"
      from leave_ledger l join leave_types t on t.leave_type_id = l.leave_type_id
      left join users c on c.user_id = l.created_by
      where l.user_id = ${userId} and l.year = ${year} order by l.created_at desc, l.leave_entry_id desc`,
  )
  return found.map(({ halves, createdAt, ...entry }) => ({
    ...entry,
    days: halves / 2,
    createdAt: isoOf(createdAt),
  }))
}
