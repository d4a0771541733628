import type { Input } from '@innkeeper/contract/kit/endpoint'
import type { mailboxes as contract } from '@innkeeper/contract/net/mailboxes/calls'
import type { MailSender } from '@innkeeper/contract/net/mailboxes/senders'
import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import { liveRead } from '../../../kit/agents/liveRead.ts'
import { byIds } from '../../../kit/db/byIds.ts'
import type { Db } from '../../../kit/db/db.ts'
import { contains, inOrder, pageKeys } from '../../../kit/db/page.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { notFound, refused } from '../../../kit/http/errors.ts'
import { changed } from '../../../kit/live/live.ts'
import { servers } from '../../../machines/servers/tables.ts'
import { mailSenders } from '../tables.ts'
import { limitOf } from './readSenders.ts'

const sorts = {
  day: { column: mailSenders.day, type: 'int', direction: 'DESC' },
  hour: { column: mailSenders.hour, type: 'int', direction: 'DESC' },
  refused: { column: mailSenders.refused, type: 'int', direction: 'DESC' },
  sender: { column: mailSenders.sender, type: 'text', direction: 'ASC' },
} as const

const select = byIds((db, isWanted) =>
  db
    .select({
      id: mailSenders.id,
      sender: mailSenders.sender,
      serverId: mailSenders.serverId,
      serverName: servers.name,
      mailboxUserId: mailSenders.mailboxUserId,
      systemUserId: mailSenders.systemUserId,
      limit: sql<number | null>`${limitOf('mail_senders')}`,
      hour: mailSenders.hour,
      day: mailSenders.day,
      refused: mailSenders.refused,
      stoppedAt: mailSenders.stoppedAt,
      tried: mailSenders.tried,
      held: sql<boolean>`${mailSenders.heldAt} is not null`,
    })
    .from(mailSenders)
    .innerJoin(servers, eq(servers.id, mailSenders.serverId))
    .where(isWanted(mailSenders.id)),
)

async function listSenders(db: Db, input: Input<typeof contract.senders, 'out'>) {
  const where: SQL[] = []
  if (input.server) where.push(inArray(mailSenders.serverId, input.server))
  if (input.search) where.push(contains(mailSenders.sender, input.search))
  if (input.stopped?.length === 1)
    where.push(sql`${mailSenders.stoppedAt} is ${input.stopped[0] === 'yes' ? sql`not null` : sql`null`}`)
  const { ids, ...page } = await pageKeys(db, input, {
    from: sql`${mailSenders}`,
    where,
    key: mailSenders.id,
    order: sorts[input.sort ?? 'day'],
  })
  return { items: inOrder<MailSender>(ids, await select(db, ids)), ...page }
}

export const senderHandlers: Pick<Handlers<typeof contract>, 'senders' | 'liftStop'> = {
  senders: (input, { db }) => listSenders(db, input),

  async liftStop({ id, held }, { app, audit }) {
    const [found] = await select(app.db, [id])
    if (!found) throw notFound('sender', id)
    audit.of('server', found.serverId)
    audit.after({ sender: found.sender, held })
    if (found.stoppedAt === null) throw refused(`${found.sender} is not stopped`)
    await liveRead(app, found.serverId, 'mail-sender.act', { sender: found.sender, act: held })
    await app.db
      .update(mailSenders)
      .set({ stoppedAt: null, heldAt: null, hour: 0, refused: 0 })
      .where(eq(mailSenders.id, id))
    await changed(app.db, 'mailboxes')
  },
}
