import type { databases as contract } from '@innkeeper/contract/hosting/databases/calls'
import { type DatabaseEngine, databaseEngine } from '@innkeeper/contract/kit/values'
import { and, eq, isNull } from 'drizzle-orm'
import * as z from 'zod'
import { liveRead } from '../../../kit/agents/liveRead.ts'
import type { App } from '../../../kit/app/app.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { refused } from '../../../kit/http/errors.ts'
import { changed } from '../../../kit/live/live.ts'
import { serverStates } from '../../../machines/servers/tables.ts'
import { readServer } from '../../../machines/servers/view.ts'
import { checkRoom } from '../../plans/room.ts'
import { keptByMoves } from '../../websites/parts/keptByMoves.ts'
import { readSite } from '../../websites/site.ts'
import { readWebsite } from '../../websites/view.ts'
import { checkName } from '../freeNames.ts'
import { readDatabase } from '../read.ts'
import { engineOf } from '../steps.ts'
import { databases } from '../tables.ts'
import { measureServer } from './measure.ts'

const Shape = z.object({
  there: z.literal(true),
  charset: z.string(),
  collation: z.string(),
  ours: z.boolean().optional(),
})
const MIB = 1_048_576

export const orphansHandlers: Pick<Handlers<typeof contract>, 'orphans' | 'adopt'> = {
  async orphans({ server }, { app }) {
    await readServer(app, app.db, server)
    const known = await knownOn(app, server)
    const moving = await keptByMoves(app.db, server, 'databases')
    const engines = await enginesOf(app, server)
    const compared = await Promise.all(
      engines.map(async (engine) => {
        const there = await measureServer(app, server, engine)
        const mine = known.filter((one) => one.engine === engine)
        const names = new Set([
          ...mine.flatMap(({ name, next }) => [name, next?.name ?? name]),
          ...moving.flatMap((one) => (one.engine === engine ? one.name : [])),
        ])
        return {
          unknown: there
            .filter(({ name }) => !names.has(name))
            .map(({ name, bytes }) => ({ name, engine, sizeMb: Math.round((bytes / MIB) * 10) / 10 })),
          missing: mine
            .filter(({ name, status }) => status === 'active' && !there.some((one) => one.name === name))
            .map(({ id, name, websiteId }) => ({ id, name, engine, websiteId })),
        }
      }),
    )
    return {
      unknown: compared.flatMap(({ unknown }) => unknown),
      missing: compared.flatMap(({ missing }) => missing),
      at: new Date().toISOString(),
    }
  },

  async adopt({ server, name, engine = 'mariadb', websiteId }, { app, staff, audit, lastly, status }) {
    await readServer(app, app.db, server)
    const looked = Shape.safeParse(
      await liveRead(app, server, 'database.inspect', { ...engineOf({ engine }), name, deep: false }),
    )
    if (!looked.success) throw refused(`The server has no database ${name}`, { name: 'Is not on the server' })
    const { charset, collation, ours } = looked.data
    if (ours === false)
      throw refused(
        `${name} was not created by Innkeeper: create a PostgreSQL database and import a dump of ${name} into it`,
        { name: 'Import its dump instead' },
      )
    return lastly(async (tx) => {
      const website = await readWebsite(tx, websiteId)
      if (website.serverId !== server)
        throw refused(`${website.domain} is on ${website.serverName}`, { websiteId: 'Is on another server' })
      if (website.kind === 'alias' || (website.status !== 'active' && website.status !== 'suspended'))
        throw refused(`${website.domain} cannot get a database now`, { websiteId: `Is ${website.status}` })
      await checkRoom(tx, (await readSite(tx, websiteId)).systemUser.id, { databases: 1 }, 'websiteId')
      await checkName(tx, server, name, engine)
      const [made] = await tx
        .insert(databases)
        .values({
          websiteId,
          serverId: server,
          engine,
          name,
          charset,
          collation,
          status: 'active',
          createdBy: staff.id,
        })
        .returning({ id: databases.id })
      if (!made) throw new Error('an insert answered no row')
      const database = await readDatabase(tx, made.id)
      audit.of('database', made.id)
      audit.after(database)
      await changed(tx, 'databases', made.id)
      status(201)
      return database
    })
  },
}

/** The engines that a server runs; MariaDB if it has reported none. PostgreSQL only if its agent supports it. */
async function enginesOf({ db }: App, serverId: number): Promise<DatabaseEngine[]> {
  const [state] = await db.select().from(serverStates).where(eq(serverStates.serverId, serverId))
  const runs = databaseEngine.options.filter((engine) => state?.services?.some(({ name }) => name === engine))
  if (!runs.length) return ['mariadb']
  return runs.filter((engine) => engine === 'mariadb' || state?.operations.includes('postgresql-access.ensure'))
}

const knownOn = ({ db }: App, serverId: number) =>
  db
    .select({
      id: databases.id,
      name: databases.name,
      engine: databases.engine,
      next: databases.next,
      status: databases.status,
      websiteId: databases.websiteId,
    })
    .from(databases)
    .where(and(eq(databases.serverId, serverId), isNull(databases.deletedAt)))
