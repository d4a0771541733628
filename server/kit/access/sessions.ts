import { hash as digest, randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { errors, jwtVerify, SignJWT } from 'jose'
import { chunks } from '../db/chunks.ts'
import { type Database, type Db, rows } from '../db/db.ts'
import { personName } from '../db/people.ts'
import { signInFirst, tokenExpired, unknownSession } from '../http/errors.ts'
import { ELEVATED } from './elevated.ts'
import { type Staff, staysUntil } from './staff.ts'
import { isTokenKey, isTokenValue, keyOfToken, OWES, openUses, readTokens, tokenHash, tokenKeyId } from './tokens.ts'

export type { Staff } from './staff.ts'
export { standing, staysUntil } from './staff.ts'

const HOURS = 12
/** Age at which a cached session is read again, even without a notification. */
const REMEMBERED_MS = 30_000
const CHANNEL = 'sessions'
/** As `OWES`, for a session `s`: who signed in by a provider chose no password, and brought the provider's factors. */
const OWES_IN_SESSION = sql`case when s.provider_id is null then ${OWES} end`
/**
 * End of a session `s` of the user `u` with the role `r`. The last call is recorded each minute, so an idle session lasts
 * a minute longer than its limit.
 */
const ENDS = sql.raw(`least(s.expires_at, s.created_at + make_interval(hours => r.session_hours),
    s.last_seen_at + make_interval(mins => r.session_idle_minutes + 1))`)
/** User ids per NOTIFY, whose payload is limited to 8000 bytes. */
const IDS = 500

/** Where a session begins. */
export interface Origin {
  ip: string | null
  userAgent: string | null
  /** Name of the browser; see browserSession.ts. */
  device?: string | null
  /** The identity provider that vouched for the person, and its name for the session. */
  provider?: { id: number; sid: string | null }
}

/**
 * Session tokens. A verified token is cached by its hash for half a minute. A NOTIFY removes cached sessions; while
 * LISTEN is interrupted or stalled nothing is cached and each call reads the database.
 */
export interface Sessions {
  /** Creates a session and returns its token. */
  open(db: Db, userId: number, from: Origin): Promise<string>
  /** The caller of a session or API token. Throws a 401 with the reason. */
  authenticate(token: string, ip?: string): Promise<Staff>
  /**
   * Reads the session of a key, for callers with a ticket instead of a token (tickets.ts). Throws a 401 like
   * `authenticate`.
   */
  byKey(sessionKey: string): Promise<Staff>
  /** Returns a new token for the same session and reads the user again. */
  renew(staff: Staff): Promise<string>
  /** Signs the person out, in the caller's transaction. All nodes apply the change after the commit. */
  end(db: Db, sessionKey: string): Promise<void>
  /** Ends a session on behalf of somebody else: open sockets receive `forceLogout` before they are closed. */
  revoke(db: Db, sessionKey: string): Promise<void>
  /** Announces that a token was revoked or has a new value: all nodes forget it and close its sockets. */
  endToken(db: Db, id: number): Promise<void>
  /**
   * Ends all sessions of a user except `except`, and without `except` the API tokens too. Returns the number of ended
   * sessions.
   */
  endAll(db: Db, userId: number, except?: string): Promise<number>
  /** Announces that scopes, role or name of these users changed. Their open sockets receive the change. */
  touch(db: Db, userIds: number | readonly number[]): Promise<void>
  onEnd(listener: (gone: (staff: Staff) => boolean, forced: boolean) => void): void
  onChange(listener: (staffOf: (known: Staff) => Staff | undefined) => void): void
  /** False while LISTEN is interrupted: ended sessions may still look open to this node. */
  isCurrent(): boolean
  /** Calls `listener` when LISTEN was restored on this node, because sessions may have ended unnoticed before. */
  onGap(listener: () => void): void
}

export async function openSessions(database: Database, secret: string): Promise<Sessions> {
  const key = new TextEncoder().encode(secret)
  const noteUse = openUses(database.db)
  const remembered = new Map<string, { staff: Staff; until: number }>()
  const endListeners: Parameters<Sessions['onEnd']>[0][] = []
  const changeListeners: ((staffOf: (known: Staff) => Staff | undefined) => void)[] = []
  const gapListeners: (() => void)[] = []
  /**
   * Sessions that this node ended, so that they are refused before the NOTIFY arrives. Other nodes learn of the end
   * from the NOTIFY.
   */
  const endedHere = new Set<string>()
  let listening = false
  /** Increases with each notified change: a session that was read before the change may be outdated. */
  let news = 0

  await database.listen(
    CHANNEL,
    (payload) => {
      listening = true
      news += 1
      if (!payload) {
        remembered.clear()
        for (const tell of gapListeners) tell()
        return
      }
      const [verb, subject = '', except] = payload.split(' ')
      const people = new Set(subject.split(','))
      const meant = ({ id, sessionKey }: Staff) =>
        verb === 'end' || verb === 'revoke'
          ? sessionKey === subject
          : people.has(String(id)) && (except === undefined || sessionKey !== except)
      for (const [hash, { staff }] of remembered) if (meant(staff)) remembered.delete(hash)
      if (verb === 'touch') refresh([...people].map(Number)).catch((error: unknown) => console.error(error))
      else for (const tell of endListeners) tell(meant, verb !== 'end')
    },
    () => {
      listening = false
      remembered.clear()
    },
  )

  /** Replaces the Staff objects that open sockets keep by current ones. */
  async function refresh(userIds: number[]): Promise<void> {
    // database unavailable: sockets reconnect and read the session again
    const read = await Promise.all([
      readStaff(sql`u.user_id in ${userIds}`),
      readTokens(database.db, sql`u.user_id in ${userIds}`),
    ]).then(
      (found) => found.flat(),
      () => undefined,
    )
    if (!read) return
    const now = new Map(read.map((staff) => [staff.sessionKey, staff]))
    for (const tell of changeListeners) tell((known) => now.get(known.sessionKey))
    // a token ends when its owner leaves the department for which it is
    const ended = ({ id, sessionKey, token }: Staff) => Boolean(token) && userIds.includes(id) && !now.has(sessionKey)
    for (const tell of endListeners) tell(ended, false)
  }

  const readStaff = (where: ReturnType<typeof sql>, before = sql``) =>
    rows<Staff>(
      database.db,
      sql`${before} select u.user_id as id, u.username, ${personName('u')} as name, u.is_admin as "isAdmin",
        coalesce(r.scopes, '{}') || e.scopes as scopes, e.scopes as elevated, e.until as "elevatedUntil", u.department_id as "departmentId", s.key as "sessionKey",
        ${OWES_IN_SESSION} as owes,
        (extract(epoch from ${ENDS}) * 1000)::float8 as "endsAt"
      from sessions s join users u on u.user_id = s.user_id and u.deleted_at is null and u.suspended_at is null
      left join roles r on r.role_id = u.role_id and r.deleted_at is null
      cross join lateral ${ELEVATED} e
      where s.revoked_at is null and ${where}`,
    )

  const ofSession = async (token: string) => {
    const { sessionKey, userId } = await verify(token, key)
    return async () =>
      (await readStaff(sql`s.key = ${sessionKey}`, seen(sessionKey))).find((staff) => String(staff.id) === userId)
  }
  const ofToken = (token: string) => {
    const hash = tokenHash(token)
    const isHeld = sql`(t.hash = ${hash} or t.previous_hash = ${hash})`
    return async () => (await readTokens(database.db, isHeld, hash))[0]
  }
  /** Records that the session is used. A session that is being ended has its row locked, and is skipped. */
  const seen = (sessionKey: string) => sql`with seen as (update sessions set last_seen_at = now()
    where session_id = (select x.session_id from sessions x join users u on u.user_id = x.user_id
        left join roles r on r.role_id = u.role_id and r.deleted_at is null
      where x.key = ${sessionKey} and x.last_seen_at < now() - interval '1 minute' and x.revoked_at is null
        and x.last_seen_at > now() - make_interval(mins => coalesce(r.session_idle_minutes + 1, 1000000))
      for update of x skip locked))`

  const sign = (sessionKey: string, userId: number, expires: Date) =>
    new SignJWT({})
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuer(sessionKey)
      .setSubject(String(userId))
      .setJti(randomBytes(9).toString('base64url')) // makes renewed tokens differ within the same second
      .setIssuedAt()
      .setExpirationTime(expires)
      .sign(key)

  const notify = async (db: Db, payload: string) => {
    await db.execute(sql`select pg_notify(${CHANNEL}, ${payload})`)
  }

  /** Ends sessions in the database. From now on, calls with these sessions on this node read the database. */
  async function over(db: Db, keys: string[]): Promise<void> {
    if (endedHere.size > 10_000) endedHere.clear()
    for (const sessionKey of keys) endedHere.add(sessionKey)
    if (keys.length)
      await db.execute(sql`update sessions set revoked_at = now() where key in ${keys} and revoked_at is null`)
  }

  return {
    async open(db, userId, from) {
      const sessionKey = randomBytes(18).toString('base64url')
      const expires = new Date(Date.now() + HOURS * 3_600_000)
      const { ip, device = null, provider } = from
      await db.execute(sql`insert into sessions (key, user_id, expires_at, ip, user_agent, device, provider_id, provider_sid)
        values (${sessionKey}, ${userId}, ${expires.toISOString()}, ${ip}, ${from.userAgent?.slice(0, 300) ?? null},
          ${device}, ${provider?.id ?? null}, ${provider?.sid ?? null})`)
      return sign(sessionKey, userId, expires)
    },
    renew: ({ sessionKey, id, endsAt }) => sign(sessionKey, id, new Date(endsAt)),

    async authenticate(token, ip) {
      if (!token) throw signInFirst()
      const hash = digest('sha256', token, 'base64')
      const known = remembered.get(hash)
      if (known && known.until > Date.now() && !endedHere.has(known.staff.sessionKey)) {
        await noteUse(known.staff, ip)
        return known.staff
      }
      remembered.delete(hash)
      const find = isTokenValue(token) ? ofToken(token) : await ofSession(token)
      let read: number
      let staff: Staff | undefined
      do {
        read = news
        staff = await find()
      } while (read !== news) // read again if the session changed or ended during the read
      if (!staff) throw unknownSession()
      if (staff.endsAt <= Date.now()) throw tokenExpired()
      await noteUse(staff, ip)
      if (listening) {
        if (remembered.size > 20_000) remembered.clear()
        remembered.set(hash, { staff, until: Math.min(staysUntil(staff), Date.now() + REMEMBERED_MS) })
      }
      return staff
    },

    async byKey(sessionKey) {
      const [staff] = isTokenKey(sessionKey)
        ? await readTokens(database.db, sql`t.api_token_id = ${tokenKeyId(sessionKey)}`)
        : await readStaff(sql`s.key = ${sessionKey}`)
      if (!staff) throw unknownSession()
      if (staff.endsAt <= Date.now()) throw tokenExpired()
      return staff
    },

    async end(db, sessionKey) {
      await over(db, [sessionKey])
      await notify(db, `end ${sessionKey}`)
    },
    async revoke(db, sessionKey) {
      await over(db, [sessionKey])
      await notify(db, `revoke ${sessionKey}`)
    },
    async endToken(db, id) {
      await over(db, [keyOfToken(id)])
      await notify(db, `end ${keyOfToken(id)}`)
    },
    async endAll(db, userId, except = '') {
      const open = await rows<{ key: string }>(
        db,
        sql`select key from sessions where user_id = ${userId} and key <> ${except} and revoked_at is null and expires_at > now()`,
      )
      await over(
        db,
        open.map((session) => session.key),
      )
      if (!except)
        await db.execute(sql`update api_tokens set revoked_at = now() where user_id = ${userId} and revoked_at is null`)
      await notify(db, `end-all ${userId}${except && ` ${except}`}`)
      return open.length
    },
    async touch(db, userIds) {
      const all = [userIds].flat()
      for (const some of chunks(all, IDS)) await notify(db, `touch ${some.join(',')}`)
    },
    onEnd: (listener) => void endListeners.push(listener),
    onChange: (listener) => void changeListeners.push(listener),
    isCurrent: () => listening,
    onGap: (listener) => void gapListeners.push(listener),
  }
}

/** Canonical base64url of a token: jose also accepts padding, the other alphabet and altered spare bits. */
const written = /^[\w-]+\.[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/

/** Returns session key and user id of a token with a valid signature. Throws a 401 with the reason. */
async function verify(token: string, key: Uint8Array): Promise<{ sessionKey: string; userId: string }> {
  if (!written.test(token)) throw unknownSession()
  try {
    const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'], requiredClaims: ['iss', 'sub', 'exp'] })
    const { iss: sessionKey, sub: userId } = payload
    if (typeof sessionKey !== 'string' || !/^[\w-]+$/.test(sessionKey) || typeof userId !== 'string')
      throw unknownSession()
    return { sessionKey, userId }
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw tokenExpired()
    if (error instanceof errors.JOSEError) throw unknownSession()
    throw error
  }
}
