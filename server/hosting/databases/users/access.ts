import type { databases as contract } from '@innkeeper/contract/hosting/databases/calls'
import { databaseEngine } from '@innkeeper/contract/kit/values'
import { and, eq, ne } from 'drizzle-orm'
import * as z from 'zod'
import { liveRead } from '../../../kit/agents/liveRead.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { servers } from '../../../machines/servers/tables.ts'
import { readServer } from '../../../machines/servers/view.ts'
import { websites } from '../../websites/tables.ts'
import { databaseUsers } from '../tables.ts'
import { readUsers } from './view.ts'

const Looked = z.object({
  engines: z.array(
    z.object({
      engine: databaseEngine,
      port: z.int(),
      listens: z.enum(['network', 'loopback', 'nowhere']),
      fingerprint: z.string().nullable(),
      guarded: z.boolean(),
    }),
  ),
  doors: z.array(z.object({ engine: databaseEngine, user: z.string(), address: z.string(), open: z.boolean() })),
})

export const accessHandlers: Pick<Handlers<typeof contract>, 'remoteAccess'> = {
  async remoteAccess({ server }, { app: { db }, app }) {
    await readServer(app, db, server)
    const [machine] = await db.select({ address: servers.address }).from(servers).where(eq(servers.id, server))
    const [{ engines, doors }, accounts, suspended] = await Promise.all([
      liveRead(app, server, 'remote-access.look', {}).then((answer) => Looked.parse(answer)),
      readUsers(db, and(eq(databaseUsers.serverId, server), ne(databaseUsers.host, 'localhost'))!),
      db
        .select({ id: websites.id })
        .from(websites)
        .where(and(eq(websites.serverId, server), eq(websites.status, 'suspended'))),
    ])
    const isOpen = (one: { engine: string; username: string; host: string }, door: (typeof doors)[number]) =>
      door.engine === one.engine && door.user === one.username && door.address === one.host
    const listening = (engine: string) => engines.some((one) => one.engine === engine && one.listens === 'network')
    return {
      engines,
      accounts: accounts
        .toSorted((a, b) => a.username.localeCompare(b.username) || a.id - b.id)
        .map(({ id, engine, username, host, websiteId, domain, ownerName, locked, databases }) => ({
          ...{ id, engine, username, host, websiteId, domain, ownerName },
          databases: databases.map(({ name }) => name),
          state:
            locked || suspended.some((one) => one.id === websiteId)
              ? ('locked' as const)
              : doors.some((door) => door.open && isOpen({ engine, username, host }, door)) && listening(engine)
                ? ('open' as const)
                : ('missing' as const),
        })),
      strangers: doors
        .filter((door) => !accounts.some((one) => isOpen(one, door)))
        .map(({ engine, user, address }) => ({ engine, username: user, host: address })),
      address: machine?.address ?? null,
      at: new Date().toISOString(),
    }
  },
}
