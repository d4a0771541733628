import type { sms as contract } from '@innkeeper/contract/desk/sms/calls'
import type { Output } from '@innkeeper/contract/kit/endpoint'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { contains } from '../../../kit/db/page.ts'
import { personName } from '../../../kit/db/people.ts'
import { onShift } from './people.ts'

type Found = Output<typeof contract.recipients>
const SHOWN = 20

/** Departments with their people on shift, and people, to choose from. */
export async function findRecipients(db: Db, search = '', now: Date): Promise<Found> {
  const departments = await rows<{ id: number; name: string; people: number }>(
    db,
    sql`select d.department_id as id, d.name, (select count(*)::int from users u where u.department_id = d.department_id and u.deleted_at is null) as people
      from departments d where d.deleted_at is null and ${contains(sql`d.name`, search)} order by lower(d.name) limit ${SHOWN}`,
  )
  const people = await rows<{ id: number; name: string; department: string | null; hasNumber: boolean }>(
    db,
    sql`select u.user_id as id, ${personName('u')} as name, d.name as department, p.phone is not null as "hasNumber"
      from users u left join departments d on d.department_id = u.department_id and d.deleted_at is null left join profiles p on p.user_id = u.user_id
      where u.deleted_at is null and ${contains(sql`${personName('u')}`, search)}
      order by lower(${personName('u')}), u.user_id limit ${SHOWN}`,
  )
  const working = (await onShift(db, [0], now)).length
  return {
    items: [
      ...(`on shift now everybody`.includes(search.toLowerCase())
        ? [{ kind: 'shift' as const, id: 0, name: 'Everybody on shift', hint: `${working} now` }]
        : []),
      ...departments.map(({ id, name }) => ({
        kind: 'shift' as const,
        id,
        name: `On shift: ${name}`,
        hint: 'found when it is sent',
      })),
      ...departments.map(({ id, name, people: n }) => ({ kind: 'department' as const, id, name, hint: `${n} people` })),
      ...people.map(({ id, name, department, hasNumber }) => ({
        ...{ kind: 'person' as const, id, name },
        hint: [department, !hasNumber && 'no number'].filter(Boolean).join(', '),
      })),
    ],
  }
}
