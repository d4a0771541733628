import { eq } from 'drizzle-orm'
import { owners } from '../../../hosting/owners/tables.ts'
import { actions } from '../../../kit/work/tables.ts'
import type { TestApp } from '../../../test/app.ts'
import { carryOutAll } from '../../../test/work.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** Calls and actions for websites in the tests of vhosts, by one person on some servers. */
export function sitesOf(t: TestApp, token: string, servers: () => readonly number[]) {
  const call = (method: Method, path: string, body?: unknown) => t.call(method, `/api${path}`, { token, body })
  /** Runs all ready actions of any server; the action named `failing` fails. */
  const carryOut = async (failing?: string) => {
    for (let round = 0; round < 6; round++)
      for (const server of servers())
        await carryOutAll(t.app.db, server, ({ name, task }) => {
          if (name === failing && task === 'run') return { status: 'failed', reason: 'it did not come out well' }
          return { output: name === 'vhost.look' ? { status: 200 } : {} }
        })
  }
  return {
    call,
    carryOut,
    async site(domain: string, server: number): Promise<number> {
      const [owner] = await t.app.db.insert(owners).values({ name: 'Kari', email: 'kari@example.org' }).returning()
      const { body } = await call('POST', '/websites', {
        originServer: server,
        domain,
        plan: 'Business',
        userId: owner!.id,
      })
      await carryOut()
      return body.data.id
    },
    stepsOf: async (workflowId: number) =>
      (await t.app.db.select().from(actions).where(eq(actions.workflowId, workflowId)).orderBy(actions.position)).map(
        ({ name }) => name,
      ),
    inputOf: async (workflowId: number, name: string) =>
      (await t.app.db.select().from(actions).where(eq(actions.workflowId, workflowId)).orderBy(actions.position)).find(
        (one) => one.name === name,
      )?.input,
  }
}
