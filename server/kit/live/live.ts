import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { holds } from '@innkeeper/contract/kit/access'
import type { Event, EventData, EventName } from '@innkeeper/contract/kit/events'
import { type SQL, sql } from 'drizzle-orm'
import { WebSocket, WebSocketServer } from 'ws'
import { type Sessions, type Staff, staysUntil } from '../access/sessions.ts'
import type { Database, Db } from '../db/db.ts'
import { keptRows } from '../db/driver/prepared.ts'
import { clearCounts } from '../db/page.ts'
import { checkMark, markOf, socketTokenOf } from '../http/browserSession.ts'
import { Refusal } from '../http/errors.ts'

/**
 * Permissions by domain: a person receives the domain's hints with any of them (empty: everybody); see
 * `Domain.readScopes`.
 */
export type ReadScopes = ReadonlyMap<string, readonly string[]>

/**
 * Permissions by domain whose holders see every row of the domain (empty: administrators only); see `Domain.rowScopes`. Others
 * learn that something changed, and not what.
 */
export type RowScopes = ReadonlyMap<string, readonly string[]>

interface Message {
  event: EventName
  data: unknown
  /** Staff ids; absent: everybody with the permission. */
  to?: number[]
}

const CHANNEL = 'live'
/** Maximum number of frames that a socket may send between two heartbeats. The web client sends two. */
const FRAMES = 100
const BEAT_MS = 30_000
/** Maximum number of unsent bytes for a slow client; beyond, its socket is closed. The client reconnects and reads again. */
const BEHIND = 1_048_576

/** Maximum number of sockets per person and node. A further socket closes the oldest. */
export const MOST = 100
/**
 * Close code of a socket that was replaced by a newer one of the same person. Clients reconnect when their tab is
 * visible.
 */
const CROWDED = 4429

/** Sends an event when the caller's transaction commits; every node pushes it to its own sockets. */
export async function push<N extends EventName>(db: Db, event: N, data: EventData<N>, to?: number[]): Promise<void> {
  const message: Message = { event, data, ...(to && { to }) }
  await keptRows(db, sql`select pg_notify(${CHANNEL}, ${JSON.stringify(message)})`)
}

/** Sends one event per person in one statement. */
export async function pushEach(db: Db, messages: readonly (Event & { to: number })[]): Promise<void> {
  if (!messages.length) return
  const texts = messages.map(({ to, ...message }) => JSON.stringify({ ...message, to: [to] }))
  await notifyEach(db, texts)
}

/** Announces to open screens and to webhooks that a domain changed. */
export async function changed(db: Db, domain: string, id?: number): Promise<void> {
  await keptRows(db, sql`select announce_change(${domain}, ${id ?? null}::int)`)
}

/** Announces that rows of a domain changed, in one statement. */
export async function changedEach(db: Db, domain: string, ids: readonly number[]): Promise<void> {
  if (!ids.length) return
  await keptRows(db, sql`select announce_change(${domain}, id) from unnest(${sql.param([...ids])}::int[]) as id`)
}

/**
 * A call for the select list of a statement: announces, for each of its rows, that row `id` of a domain changed; `id`
 * null: that the domain changed. PostgreSQL sends equal notifications of a transaction once.
 */
export const changedBy = (domain: string, id: SQL): SQL => sql`announce_change(${domain}::text, (${id})::int)`

const notifyEach = (db: Db, texts: string[]) =>
  keptRows(db, sql`select pg_notify(${CHANNEL}, text) from unnest(${sql.param(texts)}::text[]) as text`)

export interface Live {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>
  close(): void
  readonly count: number
}

/** The subprotocol that browsers offer; the token is the second one that they offer. */
const PROTOCOL = 'innkeeper'

/**
 * The token of a request for a socket: the subprotocol offered after PROTOCOL, which does not appear in logs of URLs,
 * or the query key `jwt`.
 */
function tokenOf({ url, headers }: IncomingMessage): string {
  const [first, token = ''] = (headers['sec-websocket-protocol'] ?? '').split(',').map((offered) => offered.trim())
  return first === PROTOCOL ? token : (new URL(url ?? '/', 'http://localhost').searchParams.get('jwt') ?? '')
}

interface Known {
  staff: Staff
  alive: boolean
  frames: number
  /** The session is in a cookie: no event may carry a token to the page. */
  byCookie: boolean
}

/** The WebSockets of this node at `/ws`. They require Innkeeper's own Origin and a valid session. */
export async function openLive(
  database: Database,
  sessions: Sessions,
  { readScopes, rowScopes }: { readScopes: ReadScopes; rowScopes: RowScopes },
): Promise<Live> {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: 4096,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : false), // never answers with the token
  })
  const sockets = new Map<WebSocket, Known>()
  /** Sockets by person, oldest first. */
  const ofPerson = new Map<number, Set<WebSocket>>()

  /**
   * Notifications were missed, possibly including ends of sessions: close all sockets, so that clients reconnect and
   * read again.
   */
  const startOver = () => {
    clearCounts(database.db)
    for (const socket of sockets.keys()) socket.close(1012, 'messages were missed')
  }
  sessions.onGap(startOver)
  /**
   * Calls of the person since may have moved the end of a session with an idle limit, and an elevation may have ended. The
   * socket gets the frame if the person may still read it.
   */
  const endOrExtend = (socket: WebSocket, frameFor?: (now: Staff) => string | undefined) => {
    sessions.byKey(sockets.get(socket)?.staff.sessionKey ?? '').then(
      (staff) => {
        const known = sockets.get(socket)
        if (!known) return
        if (!sameRights(known.staff, staff))
          say(socket, 'roleUpdated', { scopes: [...staff.scopes], isAdmin: staff.isAdmin })
        known.staff = staff
        const frame = frameFor?.(staff)
        if (frame) socket.send(frame)
      },
      () => socket.close(4401, 'session ended'),
    )
  }
  await database.listen(CHANNEL, (payload) => {
    if (!payload) return startOver()
    const { event, data, to } = JSON.parse(payload) as Message // written by push above
    if (event === 'changed') clearCounts(database.db)
    if (!sessions.isCurrent()) return // ended sessions may be unknown here; `onGap` makes all clients read again
    const whole = JSON.stringify({ event, data } as Event)
    const hint = event === 'changed' ? (data as EventData<'changed'>) : undefined
    const nameless = hint && JSON.stringify({ event: 'changed', data: { domain: hint.domain } } satisfies Event)
    /** What a person may learn; undefined: nothing. */
    const frameFor = (staff: Staff) => {
      if (!hint) return whole
      if (!mayRead(staff, readScopes, hint)) return undefined
      return mayReadRow(staff, rowScopes, hint) ? whole : nameless
    }
    for (const [socket, { staff }] of sockets) {
      // what is said to people is not said to their programs, whose tokens may read much less
      if (staff.token ? !hint : to && !to.includes(staff.id)) continue
      const frame = frameFor(staff)
      if (!frame) continue
      if (staysUntil(staff) <= Date.now()) endOrExtend(socket, frameFor)
      else if (socket.bufferedAmount > BEHIND) socket.terminate()
      else socket.send(frame)
    }
  })
  const say = <N extends EventName>(socket: WebSocket, event: N, data: EventData<N>) =>
    socket.send(JSON.stringify({ event, data }))
  sessions.onEnd((gone, forced) => {
    for (const [socket, { staff }] of sockets) {
      if (!gone(staff)) continue
      if (forced) say(socket, 'forceLogout', {})
      socket.close(4401, 'session ended')
    }
  })
  // each node informs its own sockets: the scopes of a role may exceed the payload of a NOTIFY
  sessions.onChange((staffOf) => {
    for (const [socket, known] of sockets) {
      const before = known.staff
      const now = staffOf(before)
      if (!now) continue
      known.staff = now
      if (now.owes) {
        socket.close(4401, 'something is owed first') // the client reads the session again and learns of it
        continue
      }
      const { id: userId, scopes, isAdmin } = now
      if (!sameRights(before, now)) say(socket, 'roleUpdated', { scopes: [...scopes], isAdmin })
      const renew = async () => (known.byCookie ? markOf(now.sessionKey) : sessions.renew(now))
      if (!now.token && !sameCredentials(before, now))
        renew().then(
          (jwt) => say(socket, 'updateCredentials', { jwt, userId, scopes: [...scopes] }),
          () => socket.close(1011, 'no new token'), // the client reconnects and reads the session again
        )
    }
  })
  const beat = setInterval(() => {
    for (const [socket, known] of sockets) {
      if (!known.alive) socket.terminate()
      known.alive = false
      known.frames = 0
      if (staysUntil(known.staff) <= Date.now()) endOrExtend(socket)
      else socket.ping()
    }
  }, BEAT_MS)

  return {
    get count() {
      return sockets.size
    },
    async upgrade(request, stream, head) {
      const refuse = (status: string) =>
        stream.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
      const { origin, host } = request.headers
      if (origin && (!URL.canParse(origin) || new URL(origin).host !== host)) return void refuse('403 Forbidden')
      const given = socketTokenOf(request.headers, tokenOf(request))
      const staff = await sessions
        .authenticate(given.token, request.socket.remoteAddress)
        .then((found) => {
          checkMark(given, found.sessionKey)
          return found
        })
        .catch((error: unknown) => (error instanceof Refusal ? '401 Unauthorized' : '503 Service Unavailable'))
      if (typeof staff === 'string') return void refuse(staff)
      if (staff.owes) return void refuse('403 Forbidden') // as every call until a password or second factor is set
      if (staff.token?.networks.length) return void refuse('403 Forbidden') // a proxy may hide the address of the program
      server.handleUpgrade(request, stream, head, (socket) => {
        const known: Known = { staff, alive: true, frames: 0, byCookie: given.mark !== undefined }
        sockets.set(socket, known)
        const theirs = ofPerson.get(staff.id) ?? new Set()
        ofPerson.set(staff.id, theirs.add(socket))
        const [oldest] = theirs
        if (oldest && theirs.size > MOST) {
          theirs.delete(oldest)
          oldest.close(CROWDED, 'too many sockets of one person')
        }
        const heard = () => {
          known.frames += 1
          if (known.frames > 2 * FRAMES) socket.terminate()
          else if (known.frames > FRAMES) socket.close(1008, 'too many messages')
        }
        // browsers do not expose pings of the server, so the client sends its own to detect a broken connection
        socket.on('message', (data) => {
          heard()
          if (String(data) === 'ping' && socket.readyState === WebSocket.OPEN) socket.send('pong')
        })
        socket.on('ping', heard)
        socket.on('pong', () => {
          known.alive = true
        })
        socket.on('close', () => {
          sockets.delete(socket)
          theirs.delete(socket)
          if (!theirs.size && ofPerson.get(staff.id) === theirs) ofPerson.delete(staff.id)
        })
        socket.on('error', () => socket.terminate())
      })
    },
    close() {
      clearInterval(beat)
      for (const socket of sockets.keys()) socket.close(1001, 'going away')
      server.close()
    },
  }
}

const sameRights = (a: Staff, b: Staff) =>
  a.isAdmin === b.isAdmin &&
  a.scopes.length === b.scopes.length &&
  new Set([...a.scopes, ...b.scopes]).size === a.scopes.length

/** True if the fields that the event `updateCredentials` announces are equal. */
const sameCredentials = (a: Staff, b: Staff) =>
  a.isAdmin === b.isAdmin && a.departmentId === b.departmentId && a.username === b.username

/** Whether a person may learn which row of a domain changed. */
export function mayReadRow(
  staff: Pick<Staff, 'isAdmin' | 'scopes'>,
  rowScopes: RowScopes,
  { domain }: EventData<'changed'>,
): boolean {
  const scopes = rowScopes.get(domain)
  return !scopes || staff.isAdmin || scopes.some((scope) => holds(staff, scope))
}

export function mayRead(
  staff: Pick<Staff, 'isAdmin' | 'scopes'>,
  readScopes: ReadScopes,
  { domain }: EventData<'changed'>,
): boolean {
  const scopes = readScopes.get(domain)
  if (!scopes) return staff.isAdmin // the domain declares no read scopes: administrators only
  return scopes.length === 0 || scopes.some((scope) => holds(staff, scope))
}
