import { createHash, randomBytes } from 'node:crypto'
import { missing } from '@innkeeper/contract/kit/access'
import type { Permission } from '@innkeeper/contract/permissions/services'
import type { archiveImports as contract } from '@innkeeper/contract/recovery/archiveImports/calls'
import {
  type MadeLink,
  type NewPasswordKind,
  type NewPasswordState,
  PASSWORD_PAGE,
} from '@innkeeper/contract/recovery/archiveImports/passwords'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { attemptingNobody } from '../../../access/users/signIn/attempts.ts'
import { databaseUsers } from '../../../hosting/databases/tables.ts'
import { ftpUsersHandlers } from '../../../hosting/ftpUsers/handlers.ts'
import type { Db } from '../../../kit/db/db.ts'
import type { Context, Handlers } from '../../../kit/http/api.ts'
import { denied, notFound, Refusal, refused } from '../../../kit/http/errors.ts'
import { changed } from '../../../kit/live/live.ts'
import { passwordHandlers } from '../../../net/mailboxes/passwords.ts'
import { newPasswords } from '../tables.ts'
import { held } from '../view.ts'
import { type Found, findPasswords, isKept, stateOf } from './read.ts'
import { secretOf } from './secret.ts'

const DAY_MS = 86_400_000
const hashOf = (link: string) => createHash('sha256').update(link).digest('base64url')

/** Whoever makes a link could open it: the permission that shows or sets such a password is needed as well. */
const needed: Record<NewPasswordKind, Permission> = {
  mailbox: 'mailbox:user:update',
  ftp: 'ftp-user:user:password',
  database: 'database:user:update',
}

export const passwordLinkHandlers: Pick<Handlers<typeof contract>, 'makeLinks' | 'revokeLink' | 'openLink'> = {
  async makeLinks({ id, passwordIds, days }, context) {
    const { db, audit, staff, now } = context
    const row = await held(context, id)
    const wanted = [...new Set(passwordIds)].toSorted((a, b) => a - b)
    await db.execute(sql`select from new_passwords where import_id = ${id} order by new_password_id for update`)
    const found = new Map((await findPasswords(db, sql`p.import_id = ${id}`)).map((one) => [one.id, one]))
    const some = wanted.map((key) => {
      const one = found.get(key)
      if (!one) throw notFound('new password of this import', key)
      return one
    })
    const lacks = [...new Set(some.map(({ kind }) => needed[kind]))].flatMap((one) => missing(staff, one))
    if (lacks.length) throw denied(lacks)
    if (row.status !== 'verified' && row.status !== 'done')
      throw refused(`This import is ${row.status}: passwords are given once it is verified`)
    const expiresAt = new Date(now.getTime() + days * DAY_MS).toISOString()
    const links: MadeLink[] = []
    for (const one of some) {
      const setAt = isKept(one) ? undefined : await setAnother(one, context)
      const link = randomBytes(24).toString('base64url')
      await db
        .update(newPasswords)
        .set({
          ...{ linkHash: hashOf(link), until: expiresAt, madeAt: now.toISOString(), madeBy: staff.name },
          ...{ openedAt: null, openedFrom: null, openedBy: null, revokedAt: null },
          ...(setAt !== undefined && { setAt }),
        })
        .where(eq(newPasswords.id, one.id))
      // in the fragment (#), which browsers do not send, so that no server logs the link
      links.push({ id: one.id, login: one.login, link: `${PASSWORD_PAGE}#${link}`, expiresAt })
    }
    audit.of('archive-import', id)
    audit.before(undefined)
    audit.after({ links: links.map(({ login }) => login), until: expiresAt })
    await changed(db, 'archiveImports', id)
    return { links }
  },

  async revokeLink({ id, key }, context) {
    const { db, audit, now } = context
    await held(context, id)
    const [gone] = await db
      .update(newPasswords)
      .set({ linkHash: null, revokedAt: now.toISOString() })
      .where(
        and(
          ...[eq(newPasswords.id, key), eq(newPasswords.importId, id)],
          ...[isNull(newPasswords.openedAt), sql`${newPasswords.linkHash} is not null`],
        ),
      )
      .returning({ login: newPasswords.login })
    if (!gone) throw notFound('link that waits to be opened', key)
    audit.after({ revoked: gone.login })
    await changed(db, 'archiveImports', id)
  },

  async openLink({ link }, context) {
    const { app, audit, request } = context
    const { id } = await attemptingNobody(context, () => openOf(app.db, link))
    return context.lastly(async (tx) => {
      await tx.execute(sql`select from new_passwords where new_password_id = ${id} for update`)
      const one = await openOf(tx, link) // of two who open it at once, one waited here
      const password = await passwordOf(context, tx, one)
      await tx
        .update(newPasswords)
        .set({
          openedAt: sql`now()`,
          openedFrom: request.ip,
          openedBy: request.userAgent?.slice(0, 200).toWellFormed() ?? null,
        })
        .where(eq(newPasswords.id, one.id))
      await app.secrets.remove(tx, secretOf(one.id))
      audit.by({ name: `One-use link for ${one.login}` })
      audit.of('archive-import', one.importId)
      audit.action('open-link')
      audit.after({ opened: one.login })
      await changed(tx, 'archiveImports', one.importId)
      return { kind: one.kind, login: one.login, password, server: one.server ?? '' }
    })
  },
}

/** A link that can be opened; 404 that says why not. */
async function openOf(db: Db, link: string): Promise<Found> {
  const [one] = await findPasswords(db, sql`p.link_hash = ${hashOf(link)}`)
  const state = one ? stateOf(one) : 'revoked'
  if (one && state === 'open') return one
  throw new Refusal(404, { code: 'not-found', message: whyNot[state](one) })
}
const ask = 'Ask your provider for a new one.'
const whyNot: Record<NewPasswordState, (one: Found | undefined) => string> = {
  opened: (one) =>
    `This link was opened on ${(one?.openedAt ?? '').slice(0, 16).replace('T', ' at ')} UTC, and works once. If that was not you, tell your provider.`,
  expired: () => `This link has expired. ${ask}`,
  changed: () => `The password was changed after this link was made. ${ask}`,
  gone: () => 'The account of this link was deleted.',
  setting: () => 'The password is being set. Try again in a minute.',
  ...{ revoked: unknown, waiting: unknown, open: unknown },
}
function unknown(): string {
  return `This link does not exist or was revoked. ${ask}`
}

async function passwordOf({ app }: Context, db: Db, one: Found): Promise<string> {
  const [account] =
    one.kind === 'database'
      ? await db.select({ secret: databaseUsers.secret }).from(databaseUsers).where(eq(databaseUsers.id, one.accountId))
      : []
  const password = await app.secrets.read(db, account?.secret ?? secretOf(one.id))
  if (password === undefined) throw new Refusal(404, { code: 'not-found', message: whyNot.expired(one) })
  return password
}

/** Sets another password, as the page of the account does, and seals it for the link. Answers when it was set. */
async function setAnother({ id, kind, accountId, login, now }: Found, context: Context): Promise<string> {
  const { app, db } = context
  if (now === null) throw refused(`${login} was deleted`, { passwordIds: 'Was deleted' })
  const { password } =
    kind === 'mailbox'
      ? await passwordHandlers.newPassword({ id: accountId }, context)
      : await ftpUsersHandlers.setPassword({ id: accountId }, context)
  if (password === null) throw new Error(`no password was chosen for ${login}`)
  await app.secrets.write(db, secretOf(id), password)
  return context.now.toISOString()
}
