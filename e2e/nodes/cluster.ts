import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { roles } from '../../server/access/roles/tables.ts'
import { hashPassword } from '../../server/access/users/signIn/passwords.ts'
import { users } from '../../server/access/users/tables.ts'
import type { Database } from '../../server/kit/db/db.ts'
import { openDatabase } from '../../server/kit/db/open.ts'
import { emptyDatabase } from '../../server/test/emptyDatabase.ts'
import { password, scratch } from '../innkeeper.ts'
import { call, type Node, ready, startNode } from './node.ts'

export const onPostgres = process.env.TEST_POSTGRES ? {} : { skip: true, meta: { why: 'TEST_POSTGRES is not set' } }

interface Person {
  id: number
  roleId: number
  username: string
  /** A token of this person from that node. */
  signIn(node: Node): Promise<string>
}

/** Several nodes of one Innkeeper, started at once on an empty PostgreSQL database. */
export interface Cluster {
  env: Record<string, string>
  nodes: Node[]
  database: Database
  /** Creates a person with a role of exactly these scopes. */
  somebody(scopes?: string[]): Promise<Person>
  close(): Promise<void>
}

export async function openCluster(name: string, processes: ('api' | 'worker')[]): Promise<Cluster> {
  mkdirSync(scratch, { recursive: true })
  const place = await emptyDatabase()
  const data = mkdtempSync(join(scratch, `${name}-`))
  const env = {
    DATABASE_URL: place.url,
    INNKEEPER_KEY: 'a key for these tests only',
    INNKEEPER_DATA: data,
    INNKEEPER_ADMIN_PASSWORD: password,
    INNKEEPER_LOG: 'warn',
  }
  const nodes = await Promise.all(processes.map((role) => startNode(role, env)))
  await Promise.all(nodes.filter((_, n) => processes[n] === 'api').map(ready))
  const database = await openDatabase(place.url)
  let people = 0
  return {
    env,
    nodes,
    database,
    async somebody(scopes = []) {
      const username = `person${++people}`
      const names = { email: `${username}@example.org`, firstName: 'Some', lastName: username }
      const [role] = await database.db.insert(roles).values({ name: username, scopes }).returning()
      const passwordHash = await hashPassword(password)
      const [user] = await database.db
        .insert(users)
        .values({ username, passwordHash, roleId: role?.id, ...names })
        .returning()
      return { id: user!.id, roleId: role!.id, username, signIn: (node) => signIn(node, username) }
    },
    async close() {
      for (const node of nodes) await node.signal('SIGKILL')
      await database.close()
      await place.drop()
      rmSync(data, { recursive: true, force: true })
    },
  }
}

/** Signs in on a node and answers the token. */
export async function signIn(node: Node, user: string): Promise<string> {
  const { status, body } = await call(node.port, 'POST', '/api/auth/token', '', { user, password })
  if (status !== 200) throw new Error(`${user} cannot sign in: ${status}`)
  return body.token
}
