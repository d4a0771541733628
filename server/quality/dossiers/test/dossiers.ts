import { openTestApp, type TestApp } from '../../../test/app.ts'

const base = '/api/dossier-controller'
/** Permissions of somebody who works with dossiers, without being an administrator. */
export const scopes = [
  ...['comment', 'feedback', 'user', 'team', 'membership', 'position', 'chat-comment', 'ticket-comment'].flatMap(
    (noun) => ['read', 'create', 'update', 'delete'].map((act) => `dossier:${noun}:${act}`),
  ),
].filter((scope) => !/comment:(update|delete)/.test(scope) || /(chat|ticket)-comment/.test(scope))

export interface Person {
  id: number
  token: string
}
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** An app with an administrator, and calls that fail the test unless they succeed. */
export async function openDossiers() {
  const t: TestApp = await openTestApp()
  const admin: Person = await t.somebody('admin')
  const ask = (who: Person, method: Method, path: string, body?: unknown) =>
    t.call(method, path.startsWith('/api') ? path : `${base}${path}`, { token: who.token, body })
  const done = async (who: Person, method: Method, path: string, body?: unknown) => {
    const answer = await ask(who, method, path, body)
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const person = async (given: string[] = scopes): Promise<Person> => {
    const who = await t.somebody(given)
    await done(admin, 'POST', '/users', { userId: who.id })
    return who
  }
  let teams = 0
  const team = async (fields: object = {}): Promise<number> => {
    teams += 1
    return (await done(admin, 'POST', '/teams', { name: `Team ${teams}`, ...fields })).id
  }
  const join = (who: Person, teamId: number, fields: object = {}) =>
    done(admin, 'POST', '/memberships', { userId: who.id, teamId, from: '2026-01-01', ...fields })
  return { t, admin, ask, done, person, team, join }
}
