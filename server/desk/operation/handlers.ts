import type { operation as contract } from '@innkeeper/contract/desk/operation'
import { sql } from 'drizzle-orm'
import { readLogStream } from '../../access/logStream/view.ts'
import { rows } from '../../kit/db/db.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { conflict, notFound } from '../../kit/http/errors.ts'
import { changed } from '../../kit/live/live.ts'
import { GONE_S } from '../../kit/watch/nodes.ts'
import { ask } from './alerts/alerts.ts'
import { readChannels, readEnded, readHeartbeat, readNodes, readOpen } from './view.ts'

export const operationHandlers: Handlers<typeof contract> = {
  async health(_, { db, app: { settings } }) {
    const [open, ended, nodes] = [await readOpen(db), await readEnded(db), await readNodes(db)]
    const [channels, heartbeat] = [await readChannels(db, settings), await readHeartbeat(db, settings)]
    return { open, ended, nodes, channels, heartbeat, logStream: await readLogStream(db, settings) }
  },

  async test(_, { db, app, staff, audit }) {
    const channels = await ask(db, app.settings, 'test', [])
    await app.notify(db, {
      ...{ to: [staff.id], reason: 'health', level: 'info', link: '/operation' },
      title: 'A test alert of Innkeeper',
      body: channels.length ? `Sent by ${channels.join(', ')} too.` : 'No other channel is set up.',
    })
    audit.after({ channels })
    await changed(db, 'operation')
    return { channels }
  },

  async forget({ id }, { db, audit }) {
    const [node] = await rows<{ name: string; isGone: boolean }>(
      db,
      sql`select name, at < now() - make_interval(secs => ${GONE_S}) as "isGone" from nodes where node_id = ${id} for update`,
    )
    if (!node) throw notFound('process', id)
    audit.before({ name: node.name })
    if (!node.isGone) throw conflict(`${node.name} is running: stop it first`)
    await db.execute(sql`delete from nodes where node_id = ${id}`)
    await changed(db, 'operation')
  },
}
