import type {
  NewPassword,
  NewPasswordKind,
  NewPasswordState,
} from '@innkeeper/contract/recovery/archiveImports/passwords'
import { type SQL, sql } from 'drizzle-orm'
import { withInstants } from '../../../kit/db/columns.ts'
import { type Db, rows } from '../../../kit/db/db.ts'

export interface Found {
  id: number
  importId: number
  kind: NewPasswordKind
  accountId: number
  login: string
  until: string
  madeAt: string | null
  madeBy: string | null
  openedAt: string | null
  openedFrom: string | null
  openedBy: string | null
  revokedAt: string | null
  hasLink: boolean
  isPast: boolean
  isKept: boolean
  server: string | null
  /** How the password of the account is to the one that the link shows; null: the account is gone. */
  now: 'same' | 'later' | 'earlier' | null
}

/** New passwords with what their accounts are today. */
export async function findPasswords(db: Db, where: SQL): Promise<Found[]> {
  const found = await rows<Found>(
    db,
    sql`select p.new_password_id as id, p.import_id as "importId", p.kind, p.account_id as "accountId", p.login, p.until,
        p.made_at as "madeAt", p.made_by as "madeBy", p.opened_at as "openedAt", p.opened_from as "openedFrom",
        p.opened_by as "openedBy", p.revoked_at as "revokedAt", p.link_hash is not null as "hasLink", p.until <= now() as "isPast",
        exists (select from secrets s where s.name = 'new-password:' || p.new_password_id and s.lost_at is null) as "isKept",
        v.name as server,
        case when a.server_id is null then null when p.set_at is null or a.set_at = p.set_at then 'same'
          when a.set_at > p.set_at then 'later' else 'earlier' end as now
      from new_passwords p
      left join lateral (
        select m.server_id, u.password_set_at as set_at from mailbox_users u join mailboxes m on m.mailbox_id = u.mailbox_id
          where p.kind = 'mailbox' and u.mailbox_user_id = p.account_id and u.deleted_at is null and m.deleted_at is null
        union all
        select f.server_id, f.password_set_at from ftp_users f
          where p.kind = 'ftp' and f.ftp_user_id = p.account_id and f.deleted_at is null
        union all
        select d.server_id, null from database_users d
          where p.kind = 'database' and d.database_user_id = p.account_id and d.deleted_at is null) a on true
      left join servers v on v.server_id = a.server_id
      where ${where} order by p.new_password_id`,
  )
  return found.map((one) => withInstants(one, ['until', 'madeAt', 'openedAt', 'revokedAt']))
}

export function stateOf(one: Found): NewPasswordState {
  if (one.now === null) return 'gone'
  if (one.openedAt !== null) return 'opened'
  if (one.now === 'later') return 'changed'
  if (one.revokedAt !== null) return 'revoked'
  if (one.isPast) return 'expired'
  if (!one.hasLink) return 'waiting'
  return one.now === 'same' ? 'open' : 'setting'
}

/** Whether a further link shows the same password: what a database has is read when its link is opened. */
export const isKept = (one: Found): boolean =>
  one.kind === 'database' ? one.now !== null : one.isKept && one.now === 'same'

export async function passwordsOf(db: Db, importId: number): Promise<NewPassword[]> {
  const found = await findPasswords(db, sql`p.import_id = ${importId}`)
  return found.map((one) => ({
    ...{ id: one.id, kind: one.kind, login: one.login, state: stateOf(one), until: one.until, isKept: isKept(one) },
    ...{ madeAt: one.madeAt, madeBy: one.madeBy },
    ...{ openedAt: one.openedAt, openedFrom: one.openedFrom, openedBy: one.openedBy },
  }))
}
