import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { TOKEN_PREFIX, tokenValue } from '@innkeeper/contract/access/apiTokens'
import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../db/db.ts'
import { personName } from '../db/people.ts'
import type { Staff } from './staff.ts'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM = 36

/** A new token value: prefix, random letters and digits, checksum. The checksum tells a typing error from a secret. */
export function newTokenValue(): string {
  const secret = Array.from({ length: RANDOM }, () => digits[randomInt(digits.length)]).join('')
  return `${TOKEN_PREFIX}${secret}${checksum(secret)}`
}

function checksum(secret: string): string {
  let text = ''
  for (let rest = crc32(secret), n = 0; n < 6; n++, rest = Math.floor(rest / digits.length))
    text = digits[rest % digits.length] + text
  return text
}

/** Whether a text has the form and the checksum of a token. */
export function isTokenValue(text: string): boolean {
  const end = TOKEN_PREFIX.length + RANDOM
  return tokenValue.test(text) && checksum(text.slice(TOKEN_PREFIX.length, end)) === text.slice(end)
}

export const tokenHash = (value: string): string => createHash('sha256').update(value).digest('base64url')

const KEY = 'token-'
/** What a token has instead of the key of a session. */
export const keyOfToken = (id: number): string => `${KEY}${id}`
export const isTokenKey = (key: string): boolean => key.startsWith(KEY)
export const tokenKeyId = (key: string): number => Number(key.slice(KEY.length))

/**
 * The callers of tokens, with the rights that they have now: what token and owner both have. A token is never an
 * administrator; one of an administrator has its own permissions. A token for a department ends with the membership of
 * its owner. With the hash of the given value, an old value ends with its overlap.
 */
export async function readTokens(db: Db, where: SQL, hash?: string): Promise<Staff[]> {
  const isOld = hash === undefined ? sql`false` : sql`t.hash <> ${hash}`
  return rows<Staff>(
    db,
    sql`select u.user_id as id, u.username, trim(${personName('u')}) as name, false as "isAdmin",
        case when u.is_admin then t.scopes
          else array(select unnest(t.scopes) intersect select unnest(r.scopes) order by 1) end as scopes,
        coalesce(t.department_id, u.department_id) as "departmentId", ${KEY} || t.api_token_id as "sessionKey",
        case when not u.is_service then ${OWES} end as owes,
        (extract(epoch from case when ${isOld} then least(t.expires_at, t.previous_until) else t.expires_at end)
          * 1000)::float8 as "endsAt",
        json_build_object('id', t.api_token_id, 'name', t.name, 'networks', t.networks, 'perMinute', t.per_minute) as token
      from api_tokens t join users u on u.user_id = t.user_id and u.deleted_at is null and u.suspended_at is null
      left join roles r on r.role_id = u.role_id and r.deleted_at is null
      where t.revoked_at is null and ${where}
        and (t.department_id is null or u.is_admin or t.department_id = u.department_id)`,
  )
}

/** Expression for `Staff.owes` of the user `u` with the role `r`, which may be missing. */
export const OWES = sql.raw(`case when u.must_change_password then 'password'
    when r.requires_second_factor and not exists
      (select from second_factors f where f.user_id = u.user_id and f.confirmed_at is not null)
      and not exists (select from passkeys k where k.user_id = u.user_id) then 'second-factor' end`)

const USE_MS = 60_000

/**
 * Returns the function that notes the last use of a token, at most once a minute. A failure to note does not fail the
 * call.
 */
export function openUses(db: Db): (staff: Staff, ip: string | undefined) => Promise<void> {
  const noted = new Map<number, number>()
  return async ({ token }, ip) => {
    if (!token) return
    const before = noted.get(token.id)
    if (before !== undefined && Date.now() - before < USE_MS) return
    if (noted.size > 10_000) noted.clear()
    noted.set(token.id, Date.now())
    await db
      .execute(
        sql`update api_tokens set last_used_at = now(), last_used_ip = ${ip ?? null}
          where api_token_id = ${token.id} and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
      )
      .catch((error: unknown) => console.error(error))
  }
}
