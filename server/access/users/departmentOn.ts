import { type SQL, sql } from 'drizzle-orm'

/** The department of a person at an instant, as far back as changes are known. */
export const departmentOn = (userId: SQL, at: SQL): SQL =>
  sql`(select case when f.until is null then u.department_id else f.department_id end from users u
    left join lateral (select department_id, until from former_departments
      where user_id = u.user_id and until > ${at} order by until, former_department_id limit 1) f on true where u.user_id = ${userId})`
