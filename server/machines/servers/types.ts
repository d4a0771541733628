import type { servers as contract } from '@innkeeper/contract/machines/servers/calls'
import { serverType, typeService } from '@innkeeper/contract/machines/servers/shapes'
import { asc, eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import type { Db } from '../../kit/db/db.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { conflict, notFound, refused } from '../../kit/http/errors.ts'
import { changed } from '../../kit/live/live.ts'
import { serverTypes } from './tables.ts'

const services = z.array(typeService)

/** Server types by name, each with the services of its servers. */
export const typesHandlers: Pick<Handlers<typeof contract>, 'types' | 'services' | 'updateServices'> = {
  async types(_, { db }) {
    const found = await db.select().from(serverTypes).orderBy(asc(serverTypes.name))
    const order = serverType.options
    const items = found.map((row) => ({
      ...row,
      name: serverType.parse(row.name),
      services: services.parse(row.services),
    }))
    return { items: items.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name)) }
  },

  services: ({ type }, { db }) => read(db, type),

  async updateServices({ type, version, services }, { db, audit }) {
    await db.select({ name: serverTypes.name }).from(serverTypes).where(eq(serverTypes.name, type)).for('update')
    if (type === 'adopted') throw refused('Nothing is set up on adopted servers', { services: 'Has none' })
    const before = await read(db, type)
    audit.of('type', type)
    audit.before(before)
    if (version !== undefined && version !== before.version)
      throw conflict(`The services of ${type} were changed by somebody else meanwhile`, { current: before })
    await db
      .update(serverTypes)
      .set({ services: [...new Set(services)], version: sql`version + 1` })
      .where(eq(serverTypes.name, type))
    const after = await read(db, type)
    audit.after(after)
    await changed(db, 'servers')
    return after
  },
}

async function read(db: Db, type: z.output<typeof serverType>) {
  const [row] = await db.select().from(serverTypes).where(eq(serverTypes.name, type))
  if (!row) throw notFound('server type', type)
  return { type, services: services.parse(row.services), version: row.version }
}
