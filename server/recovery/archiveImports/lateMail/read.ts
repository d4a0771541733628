import type { LateMail } from '@innkeeper/contract/recovery/archiveImports/lateMail'
import { asc, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import { mailboxUsers, mailFetches } from '../../../net/mailboxes/tables.ts'
import type { Made } from '../tables.ts'

/** Mail domains that an import made or brought up to date. */
export const domainsOf = ({ mailboxes: made, again }: Made) => [...made, ...(again?.mail ?? [])]

export async function fetchesOf(db: Db, made: Made) {
  const ids = domainsOf(made).map(({ id }) => id)
  if (!ids.length) return []
  return db
    .select({
      ...{ userId: mailFetches.mailboxUserId, address: mailboxUsers.address, login: mailFetches.login },
      ...{ host: mailFetches.host, until: mailFetches.until, fetchedAt: mailFetches.fetchedAt },
      ...{ added: mailFetches.added, problem: mailFetches.problem, endedAt: mailFetches.endedAt },
    })
    .from(mailFetches)
    .innerJoin(mailboxUsers, eq(mailboxUsers.id, mailFetches.mailboxUserId))
    .where(inArray(mailboxUsers.mailboxId, ids))
    .orderBy(asc(mailboxUsers.address))
}

/** Mail that is fetched from the former server, as people see it. */
export async function lateMailOf(db: Db, made: Made | null): Promise<LateMail | null> {
  const [first, ...more] = made ? await fetchesOf(db, made) : []
  if (!first) return null
  const { host, until } = first
  return { host, until, boxes: [first, ...more].map(({ host: _, until: __, ...box }) => box) }
}
