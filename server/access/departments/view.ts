import type { Department } from '@innkeeper/contract/access/departments'
import { and, isNull, sql } from 'drizzle-orm'
import { byIds } from '../../kit/db/byIds.ts'
import type { Db } from '../../kit/db/db.ts'
import { inOrder } from '../../kit/db/page.ts'
import { notFound } from '../../kit/http/errors.ts'
import { departments } from './tables.ts'

export async function readDepartment(db: Db, id: number): Promise<Department> {
  const [department] = await readDepartments(db, [id])
  if (!department) throw notFound('department', id)
  return department
}

const select = byIds((db, isWanted) =>
  db
    .select({
      id: departments.id,
      version: departments.version,
      createdAt: departments.createdAt,
      updatedAt: departments.updatedAt,
      name: departments.name,
      description: departments.description,
      people: sql<number>`(select count(*)::int from users u where u.department_id = departments.department_id and u.deleted_at is null)`,
      roles: sql<number>`(select count(*)::int from roles r where r.department_id = departments.department_id and r.deleted_at is null)`,
    })
    .from(departments)
    .where(and(isWanted(departments.id), isNull(departments.deletedAt))),
)

export const readDepartments = async (db: Db, ids: number[]): Promise<Department[]> =>
  inOrder(ids, await select(db, ids))
