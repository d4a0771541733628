import { domain as domainSchema } from '@innkeeper/contract/kit/values'
import type { Inventory } from '@innkeeper/contract/recovery/archiveImports/inventory'
import type { PlanLine } from '@innkeeper/contract/recovery/archiveImports/shapes'
import { and, desc, eq, inArray, isNull, ne, or, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { databases } from '../../../hosting/databases/tables.ts'
import { websites } from '../../../hosting/websites/tables.ts'
import { sized } from '../../../kit/app/sized.ts'
import type { Db } from '../../../kit/db/db.ts'
import { mailboxes, mailboxUsers } from '../../../net/mailboxes/tables.ts'
import { archiveImports } from '../tables.ts'
import { counted } from './words.ts'

/** What an earlier import of the same account made and this archive has again. */
export interface DrawnAgain {
  websites: { id: number; domain: string; from: string; since: number; packed: number }[]
  mail: {
    id: number
    domain: string
    from: string
    since: number
    users: { userId: number; localPart: string; packed: number }[]
  }[]
  databases: { id: number; name: string }[]
}
interface Asked {
  importId: number
  serverId: number
  inventory: Inventory
  ownerId: number | undefined
  left: ReadonlySet<string>
  replace: ReadonlySet<string>
}
const MOST_EARLIER = 50

/**
 * Lines for what was imported before, and the inventory without it. Files and messages come if they are new or changed there
 * and untouched here. A database comes only when people choose so, because its whole contents are replaced.
 */
export async function drawAgain(
  db: Db,
  asked: Asked,
): Promise<{ again: DrawnAgain; lines: PlanLine[]; rest: Inventory }> {
  const { inventory, left } = asked
  const known = await earlier(db, asked)
  const [again, lines]: [DrawnAgain, PlanLine[]] = [{ websites: [], mail: [], databases: [] }, []]
  if (!known.websites.length && !known.mail.length) return { again, lines, rest: inventory }
  const line = (key: string, kind: PlanLine['kind'], name: string, detail: string, notes: string[]): boolean => {
    const isLeft = left.has(key)
    lines.push({
      ...{ key, kind, name, detail, choice: true, verdict: isLeft ? 'left out' : 'changed' },
      notes: isLeft ? ['You leave it out'] : notes,
    })
    return !isLeft
  }
  for (const one of known.websites) {
    const found = inventory.websites.find(({ domain }) => domain === one.from)
    if (!found) continue
    const isIn = line(
      `website:${one.from}`,
      'website',
      one.domain,
      `${counted(found.files, 'file')}, ${sized(found.bytes)}`,
      [
        'It was imported before: files that are new or changed there come',
        'A file that was changed or deleted here since then stays as it is, and the comparison names it',
        'A file that was deleted there stays here',
      ],
    )
    if (isIn) again.websites.push(one)
  }
  for (const one of known.mail) {
    const found = inventory.mail.find(({ domain }) => domain === one.from)
    if (!found) continue
    const messages = found.mailboxes.reduce((all, box) => all + box.messages, 0)
    const isIn = line(`mail:${one.from}`, 'mail', one.domain, counted(messages, 'message'), [
      'It was imported before: messages that arrived there since then come',
      'Messages that were deleted, moved or read here stay so; passwords and aliases stay as they are here',
    ])
    if (isIn) again.mail.push(one)
  }
  for (const one of known.databases) {
    const found = inventory.databases.find(({ name }) => name === one.name)
    if (!found || found.dumpBytes === null) continue
    const key = `database:${one.name}`
    const isIn = asked.replace.has(key)
    lines.push({
      ...{
        key,
        kind: 'database',
        name: one.name,
        detail: `dump of ${sized(found.dumpBytes)}`,
        choice: true,
        optIn: true,
      },
      verdict: isIn ? 'changed' : 'left out',
      notes: [
        isIn
          ? 'Its whole contents are replaced: what was written here since the first import is lost. The former contents go to the trash'
          : 'It was imported before and may have changed here: tick it to replace its whole contents',
      ],
    })
    if (isIn) again.databases.push(one)
  }
  const names = (of: readonly { from: string }[]) => new Set(of.map(({ from }) => from))
  const [sites, mail] = [names(known.websites), names(known.mail)]
  const dropped = inventory.zones.length + inventory.cron.length + inventory.ftp.length
  if (dropped)
    lines.push({
      ...{
        key: 'other:again',
        kind: 'other',
        name: 'Zones, cron jobs and FTP users',
        verdict: 'left out',
        choice: false,
      },
      ...{
        detail: `${dropped}`,
        notes: ['They came with the first import and may have changed here: compare them by hand'],
      },
    })
  const bases = new Set(known.databases.map(({ name }) => name))
  return {
    ...{ again, lines },
    rest: {
      ...{ ...inventory, zones: [], cron: [], ftp: [] },
      websites: inventory.websites.filter(({ domain }) => !sites.has(domain)),
      mail: inventory.mail.filter(({ domain }) => !mail.has(domain)),
      databases: inventory.databases.filter(({ name }) => !bases.has(name)),
    },
  }
}

/** Seconds since the epoch of the newest in an archive; null: an older agent has looked at it. */
type Time = number | null
/** By names as the archive has them; mailboxes in lower case. */
interface Newest {
  websites: Record<string, Time> | null
  mail: Record<string, Record<string, Time> | null> | null
}

/** What is empty has nothing that people could have deleted here. */
const newestOf = (inventory: AnyPgColumn) => sql<Newest>`jsonb_build_object(
  'websites', (select jsonb_object_agg(w ->> 'domain', coalesce(w -> 'newest', case when w -> 'files' = '0' then '0'::jsonb end))
    from jsonb_array_elements(${inventory} -> 'websites') w),
  'mail', (select jsonb_object_agg(m ->> 'domain', (select jsonb_object_agg(lower(b ->> 'name'),
      coalesce(b -> 'newest', case when b -> 'messages' = '0' then '0'::jsonb end)) from jsonb_array_elements(m -> 'mailboxes') b))
    from jsonb_array_elements(${inventory} -> 'mail') m))`

/** What came later was not in the former archive, even if it was there when the archive was unpacked here. */
const packedAt = (newest: Time | undefined, since: number) =>
  newest === null || newest === undefined ? since : Math.min(since, newest * 1000)

/** Websites, mail domains and databases of accepted imports of the same account, as far as they still exist here. */
async function earlier(db: Db, { importId, serverId, inventory, ownerId }: Asked): Promise<DrawnAgain> {
  const wanted = [...inventory.websites, ...inventory.mail].map(({ domain }) => domain)
  const found = await db
    .select({ id: archiveImports.id, made: archiveImports.made, newest: newestOf(archiveImports.inventory) })
    .from(archiveImports)
    .where(
      and(
        // on any server: what came there may have moved here since
        eq(archiveImports.status, 'done'),
        ne(archiveImports.id, importId),
        sql`${archiveImports.inventory} -> 'account' ->> 'name' = ${inventory.account.name}`,
        sql`exists (select from jsonb_array_elements(coalesce(${archiveImports.made} -> 'websites', '[]') ||
          coalesce(${archiveImports.made} -> 'mailboxes', '[]') || coalesce(${archiveImports.made} -> 'again' -> 'websites', '[]') ||
          coalesce(${archiveImports.made} -> 'again' -> 'mail', '[]')) m where m ->> 'from' = any(${sql.param(wanted)}::text[]))`,
      ),
    )
    .orderBy(desc(archiveImports.id))
    .limit(MOST_EARLIER)
  const newest = <T extends { id: number; from: string }>(
    of: (made: NonNullable<(typeof found)[number]['made']>) => T[],
  ) => {
    const all = new Map<number, T & { since: number; newest: Newest }>()
    for (const { made, newest: had } of found)
      if (made)
        for (const one of of(made)) if (!all.has(one.id)) all.set(one.id, { ...one, since: made.at ?? 0, newest: had })
    return [...all.values()]
  }
  const sites = newest(({ websites: made, again }) => [...made, ...(again?.websites ?? [])])
  const mail = newest(({ mailboxes: made, again }) => [...made, ...(again?.mail ?? [])])
  const bases = found.flatMap(({ made }) => made?.databases ?? [])
  const liveSites = sites.length
    ? await db
        .select({ id: websites.id, domain: websites.domain })
        .from(websites)
        .where(
          and(
            inArray(
              websites.id,
              sites.map(({ id }) => id),
            ),
            ...[eq(websites.serverId, serverId), isNull(websites.deletedAt)],
            inArray(websites.status, ['active', 'suspended']),
            ...(ownerId === undefined ? [] : [eq(websites.ownerId, ownerId)]),
          ),
        )
    : []
  const liveMail = mail.length
    ? await db
        .select({ id: mailboxes.id, domain: mailboxes.domain })
        .from(mailboxes)
        .leftJoin(websites, eq(websites.id, mailboxes.websiteId))
        .where(
          and(
            inArray(
              mailboxes.id,
              mail.map(({ id }) => id),
            ),
            ...[eq(mailboxes.serverId, serverId), isNull(mailboxes.deletedAt)],
            ...(ownerId === undefined ? [] : [or(isNull(mailboxes.websiteId), eq(websites.ownerId, ownerId))]),
          ),
        )
    : []
  const users = liveMail.length
    ? await db
        .select({ userId: mailboxUsers.id, localPart: mailboxUsers.localPart, mailboxId: mailboxUsers.mailboxId })
        .from(mailboxUsers)
        .where(
          and(
            inArray(
              mailboxUsers.mailboxId,
              liveMail.map(({ id }) => id),
            ),
            isNull(mailboxUsers.deletedAt),
          ),
        )
    : []
  const liveBases = bases.length
    ? await db
        .select({ id: databases.id, name: databases.name, websiteId: databases.websiteId })
        .from(databases)
        .where(
          and(
            inArray(
              databases.id,
              bases.map(({ id }) => id),
            ),
            ...[eq(databases.serverId, serverId), eq(databases.status, 'active'), isNull(databases.deletedAt)],
          ),
        )
    : []
  const ascii = (from: string) => domainSchema.safeParse(from).success
  return {
    websites: sites.flatMap(({ id, from, since, newest }) => {
      const live = liveSites.find((one) => one.id === id)
      const packed = packedAt(newest.websites?.[from], since)
      return live && ascii(from) ? [{ id, from, since, packed, domain: live.domain }] : []
    }),
    mail: mail.flatMap(({ id, from, since, newest }) => {
      const live = liveMail.find((one) => one.id === id)
      const own = users
        .filter((one) => one.mailboxId === id)
        .map(({ userId, localPart }) => ({
          userId,
          localPart,
          packed: packedAt(newest.mail?.[from]?.[localPart], since),
        }))
      return live && ascii(from) ? [{ id, from, since, domain: live.domain, users: own }] : []
    }),
    databases: liveBases
      .filter(({ websiteId }) => liveSites.some(({ id }) => id === websiteId))
      .map(({ id, name }) => ({ id, name })),
  }
}
