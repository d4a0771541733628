import { type Application, USUAL } from '@innkeeper/contract/net/originVhosts/applications'
import { eq, type SQL, sql } from 'drizzle-orm'
import { readSite, rulesIn } from '../../../hosting/websites/site.ts'
import { LOOK_PARTS, websites } from '../../../hosting/websites/tables.ts'
import { ONLINE_S } from '../../../kit/agents/online.ts'
import type { App } from '../../../kit/app/app.ts'
import { chunks } from '../../../kit/db/chunks.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { eachOf } from '../../../kit/work/round.ts'
import { begin } from './begin.ts'
import { lookAt, rulesChange } from './rules.ts'

/** Websites of one question. */
const AT_ONCE = 200
/** Websites of a batch that get other rules in one round: each is a reload. The others follow a quarter of an hour later. */
const MOST_CHANGES = 10
/** Number of the part of all websites that this minute looks at. */
const thisMinute = sql`(extract(epoch from now())::bigint / 60 % ${sql.raw(`${LOOK_PARTS}`)})`

interface Due {
  id: number
  serverId: number
  username: string
  path: string
  found: Application | null
  chosen: Application | null
}

/**
 * Looks at the folders of the websites of this minute: each has its turn every quarter of an hour, without a row that is written
 * for it. Where another application lies than before, the website gets its rules.
 */
export async function lookRound(app: App, part: SQL = thisMinute): Promise<void> {
  const due = await readDue(app.db, part)
  const batches = [...Map.groupBy(due, ({ serverId }) => serverId).values()].flatMap((of) => chunks(of, AT_ONCE))
  await eachOf(app, 'folders of websites could not be looked at', batches, (batch) => look(app, batch), { atOnce: 8 })
}

/** Websites whose turn it is, of servers whose agents are there and know the question. */
const readDue = (db: Db, part: SQL): Promise<Due[]> =>
  rows(
    db,
    sql`select w.website_id as id, w.server_id as "serverId", u.username, w.document_root as path,
        w.found_application as found, v.application as chosen
      from websites w join system_users u using (system_user_id) join server_states t on t.server_id = w.server_id
        left join origin_vhosts v using (website_id)
      where w.website_id % ${sql.raw(`${LOOK_PARTS}`)} = ${part} and w.status = 'active' and w.kind <> 'alias'
        and w.deleted_at is null and w.look_at <= now()
        and t.last_seen_at > now() - make_interval(secs => ${ONLINE_S})
        and 'website-applications.find' = any(t.operations)
      order by w.website_id`,
  )

async function look(app: App, batch: Due[]): Promise<void> {
  const [first] = batch
  if (!first) return
  const found = await lookAt(
    app,
    first.serverId,
    batch.map(({ id, username, path }) => ({ id, username, path })),
  )
  const now = new Map(found.map(({ id, application }) => [id, application]))
  const other = batch.filter((one) => (now.get(one.id) ?? null) !== one.found).slice(0, MOST_CHANGES)
  // a website that is changed meanwhile refuses with 409, and is looked at again
  await eachOf(app, 'a website could not get the rules of its application', other, (one) =>
    app.db.transaction((tx) => follow(tx, one, now.get(one.id) ?? null)),
  )
}

/** The rules of what lies there now. An application that people chose stays; the found one is noted. */
async function follow(db: Db, { id, chosen, found: was }: Due, found: Application | null): Promise<void> {
  const [website] = await db.select().from(websites).where(eq(websites.id, id)).for('update')
  if (website?.status !== 'active') return
  const isSame = (chosen ?? found ?? USUAL) === (chosen ?? was ?? USUAL)
  if (isSame) {
    await db.update(websites).set({ foundApplication: found }).where(eq(websites.id, id))
    return
  }
  const before = await readSite(db, id)
  const { rules = { application: USUAL, nginx: '', apache: '' }, ...bare } = before
  const after = { ...bare, ...rulesIn({ ...rules, application: found ?? USUAL }) }
  await begin({ db, staff: { id: null, name: 'Innkeeper' } }, [
    rulesChange(before, after, { status: 'active' }, { found }),
  ])
}
