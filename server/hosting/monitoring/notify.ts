import { sql } from 'drizzle-orm'
import { holdersOf } from '../../access/notifications/holders.ts'
import { notify } from '../../access/notifications/notify.ts'
import { STALE_S } from '../../kit/agents/online.ts'
import { sinceText } from '../../kit/app/sinceText.ts'
import { type Db, rows } from '../../kit/db/db.ts'

/** Permission that people need to be notified. */
const READERS = 'website:website:read'
const NAMED = 5
/** Minimum number of failing websites for a notification about their server instead of each website. */
const MANY = 3
/** More websites of a server that go down, or recover, at the same time share a notification, as when an edge stops. */
const MOST_NOTES = 5
/** Advisory lock: one node notifies at a time. */
const TELLING = 4_400_017

interface ServerState {
  id: number
  name: string
  watched: number
  failing: number
  /** True: the agent does not report, of which people were notified (server/machines/servers/agents/outage.ts). */
  offline: boolean
  /** Web servers that were not running at the last heartbeat. */
  stopped: string[]
  outage: boolean
}

/**
 * Notifies of websites that went down or recovered. If most websites of a server fail, one notification covers the
 * server. While its agent is offline, the notification about the agent is the only one.
 */
export const notifyOfOutages = (db: Db): Promise<void> =>
  db.transaction(async (tx) => {
    const [turn] = await rows<{ mine: boolean }>(tx, sql`select pg_try_advisory_xact_lock(${TELLING}) as mine`)
    if (!turn?.mine) return
    const servers = await serversWithNews(tx)
    if (!servers.length) return
    const to = await holdersOf(tx, READERS)
    for (const server of servers) {
      await notifyOfServer(tx, to, server)
      await notifyOfWebsites(tx, to, server)
    }
  })

const mostFail = ({ watched, failing }: ServerState) => failing >= MANY && failing * 2 > watched

const serversWithNews = (tx: Db): Promise<ServerState[]> =>
  rows(
    tx,
    sql`with news as (select distinct w.server_id from monitors m join websites w on w.website_id = m.website_id
        where (m.state = 'down' and m.told is null) or (m.told is not null and m.state <> 'down')
        union select server_id from monitor_outages)
      select s.server_id as id, s.name, o.server_id is not null as outage,
        coalesce(t.last_seen_at < now() - make_interval(secs => ${STALE_S}), false) as offline,
        array(select x ->> 'name' from jsonb_array_elements(t.services) x
          where x ->> 'name' in ('nginx', 'apache', 'apache2') and x ->> 'state' in ('inactive', 'failed')) as stopped,
        (select count(*)::int from monitors m join websites w on w.website_id = m.website_id
          where w.server_id = s.server_id and m.next_at is not null) as watched,
        (select count(*)::int from monitors m join websites w on w.website_id = m.website_id
          where w.server_id = s.server_id and m.next_at is not null and m.failures > 0) as failing
      from news join servers s on s.server_id = news.server_id left join server_states t on t.server_id = s.server_id
      left join monitor_outages o on o.server_id = s.server_id order by s.server_id`,
  )

async function notifyOfServer(tx: Db, to: number[], server: ServerState): Promise<void> {
  const { id, name, failing, offline, stopped, outage } = server
  const link = `/websites?server=${id}&health=down`
  if (!outage && !offline && mostFail(server)) {
    await tx.execute(sql`insert into monitor_outages (server_id) values (${id})`)
    server.outage = true
    await notify(tx, {
      ...{ to, reason: 'website', level: 'error', link },
      title: `${failing} websites on ${name} are down`,
      body: `${stopped.length ? `${stopped.join(' and ')} does not run there. ` : ''}${await namesOn(tx, id)}`,
    })
  } else if (outage && !mostFail(server)) {
    const [ended] = await rows<{ since: string }>(
      tx,
      sql`delete from monitor_outages where server_id = ${id} returning since`,
    )
    server.outage = false
    const recovered = await isRecovered(tx, id, ended?.since)
    // from now on, people are notified of each website that stays down
    await tx.execute(sql`update monitors m set told = null from websites w
      where w.website_id = m.website_id and w.server_id = ${id} and m.told = 'server'`)
    await notify(tx, {
      ...{ to, reason: 'website', link: `/websites?server=${id}` },
      ...(recovered
        ? { level: 'success', title: `The websites on ${name} answer again` }
        : { level: 'info', title: `The websites on ${name} that were down are no longer watched` }),
      body: `Most of them had been down since ${sinceText(ended?.since ?? new Date().toISOString())}.`,
    })
  }
}

/**
 * Whether an outage ended because websites answer. It also ends when websites are suspended, moved, deleted or no longer
 * monitored, which is no good news.
 */
async function isRecovered(tx: Db, serverId: number, since: string | undefined): Promise<boolean> {
  const [found] = await rows<{ back: boolean; parked: boolean }>(
    tx,
    sql`select coalesce(bool_or(m.told = 'server' and m.state = 'up'), false) as back,
        coalesce(bool_or(m.next_at is null and m.since > ${since ?? null}::timestamptz), false) as parked
      from monitors m join websites w on w.website_id = m.website_id where w.server_id = ${serverId}`,
  )
  return found !== undefined && (found.back || !found.parked)
}

/** The websites that fail, and the reason that most of them have: they may share an edge instead of a cause on the server. */
async function namesOn(tx: Db, serverId: number): Promise<string> {
  const found = await rows<{ domain: string; most: string | null }>(
    tx,
    sql`with failing as (select w.domain, m.reason from monitors m join websites w on w.website_id = m.website_id
        where w.server_id = ${serverId} and m.next_at is not null and m.failures > 0)
      select domain, (select mode() within group (order by reason) from failing) as most from failing
      order by domain limit ${NAMED + 1}`,
  )
  const [first] = found
  return `${shortList(found.map(({ domain }) => domain))}${first?.most ? ` (${first.most})` : ''}`
}
/** The reason with a capital letter: screens show reasons in lower case beside the name of the website. */
const sentence = (reason: string) => `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`
const shortList = (names: readonly string[]) =>
  `${names.slice(0, NAMED).join(', ')}${names.length > NAMED ? ' and more' : ''}`

/** Staging copies are shown as down without a notification, because people break them on purpose. */
async function notifyOfWebsites(tx: Db, to: number[], { id, name, offline, outage }: ServerState): Promise<void> {
  const ofServer = sql`w.website_id = m.website_id and w.server_id = ${id}`
  if (!offline) {
    const down = await rows<{ id: number; domain: string; reason: string | null }>(
      tx,
      sql`update monitors m set told = ${outage ? 'server' : 'website'} from websites w
        where ${ofServer} and m.state = 'down' and m.told is null and w.kind <> 'staging'
        returning w.website_id as id, w.domain, m.reason`,
    )
    if (!outage && down.length > MOST_NOTES)
      await notify(tx, {
        ...{ to, reason: 'website', level: 'error', link: `/websites?server=${id}&health=down` },
        title: `${down.length} websites on ${name} are down`,
        body: await namesOn(tx, id),
      })
    else if (!outage)
      for (const { id: websiteId, domain, reason } of down)
        await notify(tx, {
          ...{ to, reason: 'website', level: 'error', link: `/websites/${websiteId}` },
          title: `${domain} is down`,
          body: reason ? sentence(reason) : 'The website does not answer.',
        })
  }
  const back = await rows<{ id: number; domain: string; told: string; since: string | null }>(
    tx,
    sql`with before as (select m.website_id, m.told, w.domain from monitors m, websites w
        where ${ofServer} and m.told is not null and m.state <> 'down' for update of m)
      update monitors m set told = null from before b where m.website_id = b.website_id
      returning b.website_id as id, b.domain, b.told,
        case when m.state = 'up' then (select max(at) from monitor_changes c where c.website_id = b.website_id and c.state = 'down') end as since`,
  )
  const news = back.flatMap(({ told, since, ...one }) => (told === 'website' && since ? [{ ...one, since }] : []))
  if (news.length > MOST_NOTES)
    return notify(tx, {
      ...{ to, reason: 'website', level: 'success', link: `/websites?server=${id}` },
      title: `${news.length} websites on ${name} answer again`,
      body: shortList(news.map(({ domain }) => domain).sort()),
    })
  for (const { id: websiteId, domain, since } of news)
    await notify(tx, {
      ...{ to, reason: 'website', level: 'success', link: `/websites/${websiteId}` },
      title: `${domain} answers again`,
      body: `The website had been down since ${sinceText(since)}.`,
    })
}
