import { MAIL_GUESSERS, MAIL_PORTS, type MailServer } from '@innkeeper/contract/machines/ipsets/guessers'
import type { mailboxes as contract } from '@innkeeper/contract/net/mailboxes/calls'
import { eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { liveRead } from '../../kit/agents/liveRead.ts'
import { ONLINE_S } from '../../kit/agents/online.ts'
import type { App } from '../../kit/app/app.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { notFound } from '../../kit/http/errors.ts'
import { changed } from '../../kit/live/live.ts'
import { eachOf, failedLast } from '../../kit/work/round.ts'
import { banGuessers, type GuessedService } from '../../machines/ipsets/guessers/ban.ts'
import { countGuesses, readGuessers } from '../../machines/ipsets/guessers/count.ts'
import { servers } from '../../machines/servers/tables.ts'
import { mailServers } from './tables.ts'

/** Title of the round. */
const ROUND = 'failed sign-ins of a mail server could not be read'

/** Servers with mail whose agent reads failed sign-ins, and therefore also bans on chosen ports. */
const guessed = sql`select t.server_id from server_states t join servers s on s.server_id = t.server_id and s.deleted_at is null
  where 'mail-guesses.read' = any(t.operations)
    and exists (select from mailboxes m where m.server_id = t.server_id and m.deleted_at is null)`

/** Bans of addresses that guess passwords of mailboxes. They hold on all mail servers: see decision 104. */
const mailGuesses: GuessedService = {
  ...{ name: 'mail', word: 'mail', set: MAIL_GUESSERS, ports: MAIL_PORTS, event: 'mailboxes' },
  description: 'Addresses that guess passwords of mailboxes. Innkeeper adds and ends them. Port 25 stays open.',
  servers: guessed,
}

const EVERY_S = 18
const AT_ONCE = 20
const Answer = z.object({
  until: z.int(),
  guesses: z.array(z.object({ address: z.string(), pairs: z.array(z.string()) })),
})

/** Reads failed sign-ins of servers that were not read in the last EVERY_S, and bans. Returns the number of servers. */
export async function readGuesses(app: App): Promise<number> {
  const due = await rows<{ id: number; since: number }>(
    app.db,
    sql`select t.server_id as id, coalesce(extract(epoch from m.read_until), 0)::int as since
      from server_states t left join mail_servers m on m.server_id = t.server_id
      where t.server_id in (${guessed}) and t.last_seen_at > now() - make_interval(secs => ${ONLINE_S})
        and coalesce(m.read_at < now() - make_interval(secs => ${EVERY_S}), true)
      order by ${failedLast(app, ROUND, sql`t.server_id`)}, m.read_at nulls first limit ${AT_ONCE}`,
  )
  await eachOf(app, ROUND, due, (one) => readOne(app, one), {
    atOnce: AT_ONCE,
  })
  return due.length
}

async function readOne(app: App, { id, since }: { id: number; since: number }): Promise<void> {
  const { until, guesses } = Answer.parse(await liveRead(app, id, 'mail-guesses.read', { since }))
  await app.db.transaction(async (tx) => {
    await countGuesses(tx, mailGuesses, id, guesses)
    await tx.execute(sql`insert into mail_servers (server_id, read_until, read_at) values (${id}, least(to_timestamp(${until}), now()), now())
      on conflict (server_id) do update set read_until = excluded.read_until, read_at = now()`)
    if (guesses.length) await changed(tx, 'mailboxes')
  })
  if (guesses.length) await banGuessers(app, mailGuesses, id)
}

async function readServer(db: Db, serverId: number): Promise<MailServer> {
  const [found] = await db
    .select({ name: servers.name, readAt: mailServers.readAt })
    .from(servers)
    .leftJoin(mailServers, eq(mailServers.serverId, servers.id))
    .where(eq(servers.id, serverId))
  if (!found) throw notFound('server', serverId)
  const all = await readGuessers(db, mailGuesses, serverId)
  return { serverId, serverName: found.name, readAt: found.readAt, ...all }
}

export const serverHandlers: Pick<Handlers<typeof contract>, 'server'> = {
  server: ({ server }, { db }) => readServer(db, server),
}
