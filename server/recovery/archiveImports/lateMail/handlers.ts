import { missing } from '@innkeeper/contract/kit/access'
import { mailSource, sourcePassword } from '@innkeeper/contract/net/mailboxes/mailImport'
import type { archiveImports as contract } from '@innkeeper/contract/recovery/archiveImports/calls'
import type { Inventory } from '@innkeeper/contract/recovery/archiveImports/inventory'
import { ADDRESS_IN_LOGIN, MOST_LATE_DAYS } from '@innkeeper/contract/recovery/archiveImports/lateMail'
import { and, asc, eq, inArray, isNull } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { denied, refused } from '../../../kit/http/errors.ts'
import { nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { onEndTouching } from '../../../kit/work/workflow.ts'
import { endLate, type Fetched, fetchLate } from '../../../net/mailboxes/imports/late.ts'
import { mailboxes, mailboxUsers } from '../../../net/mailboxes/tables.ts'
import { archiveImports, type Made } from '../tables.ts'
import { held, viewImport } from '../view.ts'
import { domainsOf, fetchesOf } from './read.ts'

const DAY_MS = 86_400_000
const KIND = 'mailbox.import'

export const lateMailHandlers: Pick<Handlers<typeof contract>, 'fetchLate' | 'stopLate'> = {
  async fetchLate({ id, version, ...asked }, context) {
    const { app, db, staff, audit, now } = context
    const row = await held(context, id, version)
    if (missing(staff, 'mailbox:user:update').length) throw denied(['mailbox:user:update'])
    if (row.status !== 'done' || !row.made || !row.inventory)
      throw refused(`This import is ${row.status}: late mail is fetched for an accepted import`)
    const until = Date.parse(asked.until)
    if (until <= now.getTime() || until > now.getTime() + MOST_LATE_DAYS * DAY_MS)
      throw refused('The time ends too early or too late', { until: `A time within the next ${MOST_LATE_DAYS} days` })
    const boxes = chosen(await boxesOf(db, row.made, row.inventory), asked.mailboxIds)
    const unpacked = row.made.at ?? Date.parse(row.createdAt)
    const wanted = signedIn(boxes, asked).map((one): Fetched => {
      const newest = boxes.find(({ userId }) => userId === one.userId)?.newest
      return { ...one, since: new Date(newest === undefined ? unpacked : Math.min(unpacked, newest * 1000)) }
    })
    await fetchLate(app, db, wanted, {
      ...{ host: asked.host, port: Number(asked.port), fingerprint: asked.fingerprint, until: asked.until },
      by: staff.id,
    })
    await db.update(archiveImports).set(nextVersion).where(eq(archiveImports.id, id))
    audit.after({ host: asked.host, until: asked.until, mailboxes: wanted.length })
    await changed(db, 'archiveImports', id)
    return viewImport(db, id)
  },

  async stopLate({ id }, context) {
    const { db, audit } = context
    const row = await held(context, id)
    const ended = row.made ? await endFetches(db, row.made) : 0
    audit.after({ ended })
    if (ended) {
      await db.update(archiveImports).set(nextVersion).where(eq(archiveImports.id, id))
      await changed(db, 'archiveImports', id)
    }
    return viewImport(db, id)
  },
}

/** Ends the fetches of what an import has made: without the import nobody could stop them. */
export const endFetches = async (db: Db, made: Made): Promise<number> =>
  endLate(
    db,
    (await fetchesOf(db, made)).map(({ userId }) => userId),
  )

/** Screens of imports follow the fetches of their mailboxes. */
export function lateMailWorkflows(): void {
  onEndTouching(['mailbox-user'], async (tx, { kind, startedById }) => {
    if (kind === KIND && startedById === null) await changed(tx, 'archiveImports')
  })
}

interface Box {
  userId: number
  address: string
  /** The address at the former server. */
  former: string
  /** Seconds since the epoch of its newest message in the archive, which may be days older than the import; undefined: not known. */
  newest: number | undefined
}

/** Mailboxes that exist here and that the archive has. */
async function boxesOf(db: Db, made: Made, inventory: Inventory): Promise<Box[]> {
  const domains = domainsOf(made)
  if (!domains.length) return []
  const found = await db
    .select({
      ...{ userId: mailboxUsers.id, address: mailboxUsers.address, localPart: mailboxUsers.localPart },
      mailboxId: mailboxUsers.mailboxId,
    })
    .from(mailboxUsers)
    .innerJoin(mailboxes, eq(mailboxes.id, mailboxUsers.mailboxId))
    .where(
      and(
        inArray(
          mailboxUsers.mailboxId,
          domains.map(({ id }) => id),
        ),
        ...[isNull(mailboxUsers.deletedAt), isNull(mailboxes.deletedAt)],
      ),
    )
    .orderBy(asc(mailboxUsers.address))
  return found.flatMap(({ userId, address, localPart, mailboxId }) => {
    const from = domains.find(({ id }) => id === mailboxId)?.from
    const there = inventory.mail.find(({ domain }) => domain === from)?.mailboxes
    const box = there?.find((one) => one.name.toLowerCase() === localPart)
    const newest = box?.newest ?? (box?.messages === 0 ? 0 : undefined)
    return box ? [{ userId, address, former: `${box.name}@${from}`, newest }] : []
  })
}

function chosen(boxes: readonly Box[], ids: readonly number[] | undefined): readonly Box[] {
  const strange = ids?.find((id) => !boxes.some(({ userId }) => userId === id))
  if (strange !== undefined)
    throw refused(`This import has no mailbox ${strange}`, { mailboxIds: `No mailbox ${strange} of this import` })
  const some = ids ? boxes.filter(({ userId }) => ids.includes(userId)) : boxes
  if (!some.length) throw refused('No mailbox of this import is left', { mailboxIds: 'Choose a mailbox' })
  return some
}

/** Login and password of each mailbox at the former server. */
function signedIn(
  boxes: readonly Box[],
  { login, password, passwords }: { login: string; password?: string | undefined; passwords?: string | undefined },
): Omit<Fetched, 'since'>[] {
  if ((password === undefined) === (passwords === undefined))
    throw refused('Type one password of a master user, or a line for each mailbox', {
      password: 'One password, or a line for each mailbox',
    })
  const loginOf = ({ former }: Box) => {
    const made = mailSource.login.safeParse(login.replaceAll(ADDRESS_IN_LOGIN, () => former))
    if (!made.success) throw refused(`The login of ${former} is too long`, { login: 'Too long' })
    return made.data
  }
  if (password !== undefined) {
    if (boxes.length > 1 && !login.includes(ADDRESS_IN_LOGIN))
      throw refused('Several mailboxes need logins of their own', {
        login: `${ADDRESS_IN_LOGIN} stands for the address, as in ${ADDRESS_IN_LOGIN}*master`,
      })
    return boxes.map((box) => ({ userId: box.userId, login: loginOf(box), password }))
  }
  const found = new Map<number, Omit<Fetched, 'since'>>()
  for (const [at, text] of (passwords ?? '').split('\n').entries()) {
    if (text.trim() === '') continue
    // a password may have any of these characters, an address none
    const [, typed = '', secret = ''] = /^([^;,\t]*)[;,\t](.*?)\r?$/.exec(text) ?? []
    const address = typed.trim()
    const box = boxes.find((one) => one.address === address.toLowerCase() || one.former === address)
    const problem =
      (sourcePassword.safeParse(secret).success
        ? undefined
        : 'an address and its password, with a semicolon between') ??
      (box ? undefined : `${address} is no mailbox of this import`) ??
      (box && found.has(box.userId) ? `${address} stands twice` : undefined)
    if (problem || !box) throw refused(`Line ${at + 1}: ${problem}`, { passwords: `Line ${at + 1}: ${problem}` })
    found.set(box.userId, { userId: box.userId, login: loginOf(box), password: secret })
  }
  if (!found.size) throw refused('No line has a password', { passwords: 'Type a line for each mailbox' })
  return [...found.values()]
}
