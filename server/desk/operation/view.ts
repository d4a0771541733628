import type { Channel, Heartbeat, Node, Trouble } from '@innkeeper/contract/desk/operation'
import { sql } from 'drizzle-orm'
import type { Settings } from '../../kit/app/settings.ts'
import { withInstants } from '../../kit/db/columns.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { GONE_S } from '../../kit/watch/nodes.ts'
import { channelsOf } from './alerts/alerts.ts'

const MOST = 200
const ENDED = 20

const columns = sql`own_trouble_id as id, title, detail, level, link, since, ended_at as "endedAt"`
const shown = (found: Trouble[]) => found.map((one) => withInstants(one, ['since', 'endedAt']))

export const readOpen = async (db: Db): Promise<Trouble[]> =>
  shown(
    await rows<Trouble>(
      db,
      sql`select ${columns} from own_troubles where ended_at is null order by level, since, own_trouble_id limit ${MOST}`,
    ),
  )

export const readEnded = async (db: Db): Promise<Trouble[]> =>
  shown(
    await rows<Trouble>(
      db,
      sql`select ${columns} from own_troubles where ended_at is not null order by ended_at desc limit ${ENDED}`,
    ),
  )

export async function readNodes(db: Db): Promise<Node[]> {
  const found = await rows<Node>(
    db,
    sql`select node_id as id, name, roles, version, started_at as "startedAt", at, late, disk_free::float8 as "diskFree",
        disk_total::float8 as "diskTotal", clock_ms as "clockMs", at < now() - make_interval(secs => ${GONE_S}) as "isGone"
      from nodes order by name, node_id limit ${MOST}`,
  )
  return found.map((one) => withInstants(one, ['startedAt', 'at']))
}

export async function readChannels(db: Db, settings: Settings): Promise<Channel[]> {
  const { mail, sms, webhook } = settings.alerts
  const to = {
    mail: mail?.to.join(', ') ?? '',
    sms: sms?.to.map((number) => `…${number.slice(-3)}`).join(', ') ?? '',
    webhook: webhook ? new URL(webhook.url).host : '',
  }
  const found = await rows<Omit<Channel, 'to'>>(
    db,
    sql`select channel, max(sent_at) as "sentAt", count(*) filter (where next_at is not null)::int as waiting,
        min(created_at) filter (where next_at is not null) as "waitingSince",
        (array_agg(error order by own_alert_id desc) filter (where error is not null and next_at is not null))[1] as error
      from own_alerts where created_at > now() - interval '90 days' group by channel`,
  )
  return channelsOf(settings).map((channel) => {
    const state = found.find((one) => one.channel === channel)
    const none = { channel, sentAt: null, waiting: 0, waitingSince: null, error: null }
    return { ...withInstants(state ?? none, ['sentAt', 'waitingSince']), to: to[channel] }
  })
}

export async function readHeartbeat(db: Db, { heartbeat }: Settings): Promise<Heartbeat | null> {
  if (!heartbeat) return null
  const [found] = await rows<Pick<Heartbeat, 'sentAt' | 'failingSince' | 'error'>>(
    db,
    sql`select sent_at as "sentAt", failing_since as "failingSince", error from own_heartbeats`,
  )
  const state = found ?? { sentAt: null, failingSince: null, error: null }
  return {
    ...withInstants(state, ['sentAt', 'failingSince']),
    ...{ to: new URL(heartbeat.url).host, everySeconds: heartbeat.everyS },
  }
}
