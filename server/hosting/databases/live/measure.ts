import type { DatabaseEngine } from '@innkeeper/contract/kit/values'
import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { liveRead } from '../../../kit/agents/liveRead.ts'
import { ONLINE_S } from '../../../kit/agents/online.ts'
import type { App } from '../../../kit/app/app.ts'
import { rows } from '../../../kit/db/db.ts'
import { changed } from '../../../kit/live/live.ts'
import { eachOf, failedLast } from '../../../kit/work/round.ts'
import { engineOf } from '../steps.ts'

/** Title of the round. */
const ROUND = 'databases could not be measured'

const Measured = z.object({ databases: z.array(z.object({ name: z.string(), bytes: z.number() })) })
export type Measured = z.output<typeof Measured>['databases']

/** Asks a server for the sizes of all databases of an engine and stores them in one statement. */
export async function measureServer(app: App, serverId: number, engine: DatabaseEngine): Promise<Measured> {
  const { databases } = Measured.parse(await liveRead(app, serverId, 'databases.measure', engineOf({ engine })))
  await app.db.transaction(async (tx) => {
    // a database that the server lacks has no size
    await tx.execute(sql`update databases d set size = m.bytes, size_seen_at = now()
      from databases e left join jsonb_to_recordset(${JSON.stringify(databases)}::jsonb) as m(name text, bytes bigint)
        on m.name = e.name
      where e.database_id = d.database_id and e.server_id = ${serverId} and e.engine = ${engine} and e.deleted_at is null`)
    await changed(tx, 'databases')
  })
  return databases
}

const AT_ONCE = 20

/** Measures servers with a database that was not measured in the last hour. Returns their number. */
export async function measureDue(app: App): Promise<number> {
  const due = await rows<{ id: number; engine: DatabaseEngine }>(
    app.db,
    sql`select t.server_id as id, e.engine from server_states t join servers s on s.server_id = t.server_id and s.deleted_at is null
      cross join (values ('mariadb', 'databases.measure'), ('postgresql', 'postgresql-access.ensure')) as e(engine, needs)
      where t.last_seen_at > now() - make_interval(secs => ${ONLINE_S}) and e.needs = any(t.operations)
        and exists (select 1 from databases d where d.server_id = t.server_id and d.engine = e.engine and d.deleted_at is null
          and d.status = 'active' and coalesce(d.size_seen_at < now() - interval '1 hour', true))
      order by ${failedLast(app, ROUND, sql`t.server_id`)}, t.server_id limit ${AT_ONCE}`,
  )
  await eachOf(app, ROUND, due, ({ id, engine }) => measureServer(app, id, engine), {
    atOnce: AT_ONCE,
  })
  return due.length
}
