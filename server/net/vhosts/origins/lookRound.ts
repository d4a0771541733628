import { type Application, USUAL } from '@innkeeper/contract/net/originVhosts/applications'
import { eq, sql } from 'drizzle-orm'
import { readSite, rulesIn } from '../../../hosting/websites/site.ts'
import { websites } from '../../../hosting/websites/tables.ts'
import { ONLINE_S } from '../../../kit/agents/online.ts'
import type { App } from '../../../kit/app/app.ts'
import { chunks } from '../../../kit/db/chunks.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { eachOf } from '../../../kit/work/round.ts'
import { begin } from './begin.ts'
import { lookAt, rulesChange } from './rules.ts'

/** Minutes between two looks at a folder, websites of a round, and of one question. */
const EVERY_MIN = 15
const MOST = 2000
const AT_ONCE = 200
/** Websites of a server that get other rules in one round: each is a reload. The others follow in the next rounds. */
const MOST_CHANGES = 10

interface Due {
  id: number
  serverId: number
  username: string
  path: string
  found: Application | null
  chosen: Application | null
}

/** Looks at the folders of websites that are due. Where another application lies than before, the website gets its rules. */
export async function lookRound(app: App): Promise<void> {
  const due = await take(app.db)
  const batches = [...Map.groupBy(due, ({ serverId }) => serverId).values()].flatMap((of) => chunks(of, AT_ONCE))
  await eachOf(app, 'folders of websites could not be looked at', batches, (batch) => look(app, batch), { atOnce: 8 })
}

/** Claims websites that are due. Those of a server that is away, or whose agent is older, wait for their next turn. */
async function take(db: Db): Promise<Due[]> {
  const due = await rows<Due & { able: boolean }>(
    db,
    sql`with due as (select website_id from websites
        where look_at <= now() and status = 'active' and kind <> 'alias' and deleted_at is null
        order by look_at limit ${MOST} for update skip locked)
      update websites w set look_at = now() + make_interval(mins => ${EVERY_MIN})
      from due join websites its using (website_id) join system_users u using (system_user_id)
        left join server_states t on t.server_id = its.server_id left join origin_vhosts v using (website_id)
      where w.website_id = due.website_id
      returning w.website_id as id, w.server_id as "serverId", u.username, w.document_root as path,
        w.found_application as found, v.application as chosen,
        coalesce(t.last_seen_at > now() - make_interval(secs => ${ONLINE_S})
          and 'website-applications.find' = any(t.operations), false) as able`,
  )
  return due.filter(({ able }) => able)
}

async function look(app: App, batch: Due[]): Promise<void> {
  const [first] = batch
  if (!first) return
  const found = await lookAt(
    app,
    first.serverId,
    batch.map(({ id, username, path }) => ({ id, username, path })),
  )
  const now = new Map(found.map(({ id, application }) => [id, application]))
  const other = batch.filter((one) => (now.get(one.id) ?? null) !== one.found)
  const [later, soon] = [other.slice(MOST_CHANGES), other.slice(0, MOST_CHANGES)]
  if (later.length)
    await app.db.execute(sql`update websites set look_at = now() where website_id in ${later.map(({ id }) => id)}`)
  // a website that is changed meanwhile refuses with 409, and is looked at again
  await eachOf(app, 'a website could not get the rules of its application', soon, (one) =>
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
