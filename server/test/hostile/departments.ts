import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { departments } from '../../access/departments/tables.ts'
import { users } from '../../access/users/tables.ts'
import { openTestApp, type TestApp } from '../app.ts'

/** An app with two departments, for tests of what people with few permissions do and learn. */
export interface Departments {
  t: TestApp
  /** Token of an administrator. */
  admin: string
  support: number
  board: number
  call(
    token: string,
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
  ): ReturnType<TestApp['call']>
  /** The answer of a POST that has to succeed, of an administrator or with another token. */
  made(path: string, body: unknown, token?: string): Promise<Awaited<ReturnType<TestApp['call']>>['body']>
  /** A new person of a department with these permissions. */
  of(departmentId: number, ...scopes: string[]): ReturnType<TestApp['somebody']>
}

export async function openDepartments(): Promise<Departments> {
  const t = await openTestApp()
  const admin = (await t.somebody('admin')).token
  const found = await t.app.db
    .insert(departments)
    .values([{ name: 'Support' }, { name: 'Board' }])
    .returning({ id: departments.id })
  const [support, board] = found.map(({ id }) => id) as [number, number] // two rows were inserted
  const call: Departments['call'] = (token, method, path, body) =>
    t.call(method, `/api${path}`, { token, ...(body !== undefined && { body }) })
  return {
    ...{ t, admin, support, board, call },
    async made(path, body, token = admin) {
      const answer = await call(token, 'POST', path, body)
      expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
      return answer.body
    },
    async of(departmentId, ...scopes) {
      const person = await t.somebody(scopes)
      await t.app.db.update(users).set({ departmentId }).where(eq(users.id, person.id))
      await t.app.db.transaction((tx) => t.app.sessions.touch(tx, person.id))
      return person
    },
  }
}
