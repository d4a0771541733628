import type { mailboxes as contract } from '@innkeeper/contract/net/mailboxes/calls'
import { QueuedMail } from '@innkeeper/contract/net/mailboxes/mailTrace'
import * as z from 'zod'
import { liveRead } from '../../kit/agents/liveRead.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { invalid, notFound } from '../../kit/http/errors.ts'
import { joined } from './passedOn.ts'
import { readMailbox } from './read.ts'
import { concerns, storyOf } from './story.ts'

const Lines = z.array(z.object({ at: z.string(), by: z.string(), text: z.string() }))
/** Older agents answer neither `more` nor `leftOut`. */
const Traced = z.object({
  messages: z.array(z.object({ id: z.string(), lines: Lines, leftOut: z.int().default(0) })),
  refused: Lines,
  more: z.boolean().default(false),
})
const Queue = z.object({ items: z.array(QueuedMail), total: z.int() })
const MOST = 50

export const traceHandlers: Pick<Handlers<typeof contract>, 'trace' | 'queue' | 'actOnQueue'> = {
  async trace({ id, address, messageId, days }, { app, now }) {
    const { domain, serverId } = await readMailbox(app.db, id)
    const until = Math.floor(now.getTime() / 1000) + 60
    const from = until - Number(days ?? 10) * 86_400
    // the log also contains mail of other domains: every story must concern this domain
    if (address && !messageId && !address.endsWith(`@${domain}`)) throw invalid({ address: `An address of ${domain}` })
    const about = address ?? domain
    const input = { ...(messageId ? { messageId } : { about }), from, until, most: MOST }
    const { messages, refused, more } = Traced.parse(await liveRead(app, serverId, 'mail-trace.read', input))
    const stories = [
      ...joined(messages)
        .filter(({ lines }) => concerns(lines, domain))
        .map(({ id: queueId, lines, leftOut }) => storyOf(queueId, lines, leftOut)),
      ...refused.filter((line) => concerns([line], domain)).map((line) => storyOf(null, [line])),
    ].toSorted((a, b) => b.at.localeCompare(a.at))
    return { items: stories, total: stories.length, more, at: now.toISOString() }
  },

  async queue({ server }, { app, now }) {
    return { ...Queue.parse(await liveRead(app, server, 'mail-queue.read', { most: 200 })), at: now.toISOString() }
  },

  async actOnQueue({ server, queueId, act }, { app, audit }) {
    audit.of('server', server)
    audit.after({ queueId, act })
    const answer = z
      .object({ there: z.boolean() })
      .parse(await liveRead(app, server, 'mail-queue.act', { queueId, act }))
    if (!answer.there) throw notFound('queued message', queueId)
  },
}
