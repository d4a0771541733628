import { type EventData, type EventName, events } from '@innkeeper/contract/events'
import type { QueryClient } from '@tanstack/react-query'
import { adopt, revalidate } from '../access/account.ts'
import { session } from '../access/session.ts'
import { dropDialogs, errorDialog, infoDialog, successDialog } from '../dialogs/dialogs.ts'
import { toast } from '../dialogs/toast.ts'
import { setLine } from './connection.ts'
import { keepSocket } from './socket.ts'

/** Hints that come together are one re-read, milliseconds. */
const TOGETHER = 120

/** What comes of notifications: the domain of that name knows, the kit only carries them. */
export interface Arrivals {
  arrived: (notification: EventData<'notification'>) => void
  /** After a gap: some may have come meanwhile. */
  caughtUp: () => void
}

/** Listens to the server while somebody is signed in; answers what ends it. */
export function listen(queries: QueryClient, arrivals: Arrivals): () => void {
  const tools = { queries, reread: coalesce(queries), arrivals }
  let jwt = session.user.jwt
  const connect = () =>
    keepSocket({
      url: () => socketAddress(jwt),
      message: (text) => handle(text, tools),
      caughtUp: () => {
        void queries.invalidateQueries()
        void revalidate().catch(() => undefined) // rights and name may be others; the next call says why not
        arrivals.caughtUp()
      },
      ended: () => revalidate().catch(() => undefined), // the next call says it; the socket tries again
      line: setLine,
    })
  let socket = connect()
  const unfollow = session.subscribe(() => {
    if (session.user.jwt === jwt) return
    jwt = session.user.jwt
    socket.close()
    if (!jwt) dropDialogs()
    socket = connect()
    if (jwt) void queries.invalidateQueries()
  })
  return () => {
    unfollow()
    socket.close()
  }
}

function socketAddress(jwt: string): string | undefined {
  if (!jwt) return undefined
  const { protocol, host } = globalThis.location
  return `${protocol === 'https:' ? 'wss' : 'ws'}://${host}/ws?${new URLSearchParams({ jwt })}`
}

type Reread = (hint: EventData<'changed'>) => void
interface Tools {
  queries: QueryClient
  reread: Reread
  arrivals: Arrivals
}
type Handlers = { [N in EventName]: (data: EventData<N>, tools: Tools) => void }

const handlers: Handlers = {
  notification: (notification, { arrivals }) => arrivals.arrived(notification),
  dialog: ({ kind, message }) => void { success: successDialog, error: errorDialog, info: infoDialog }[kind](message),
  forceLogout: () => {
    session.signOut()
    toast.info('You have been logged out, please login again.')
  },
  roleUpdated: ({ scopes, isAdmin }, { queries }) => {
    session.update({ scopes, isAdmin })
    void queries.invalidateQueries() // what was refused may be open now, and the other way about
    toast.info('Your Role Has Been Changed')
  },
  updateCredentials: ({ jwt, userId, scopes }) => {
    const { isAdmin, name, profileImage, ...rest } = session.user
    session.signOut()
    session.signIn({ ...rest, isAdmin, name, profileImage, id: userId, jwt, scopes })
    toast.info('Your Permissions Has Been Updated')
    adopt(jwt).catch(errorDialog) // says the name anew
  },
  changed: (hint, { reread }) => {
    reread(hint)
    // one's own name, picture and theme are not read by a query
    if (hint.domain === 'profiles' && hint.id === session.user.id) void revalidate().catch(() => undefined)
  },
}

/** Anything that is not an event of ours is left alone: a newer server may know more. */
function handle(text: string, tools: Tools): void {
  const message: unknown = JSON.parse(text)
  if (typeof message !== 'object' || message === null || !('event' in message) || !('data' in message)) return
  for (const name of names) {
    if (message.event !== name) continue
    const data = events[name].safeParse(message.data)
    // the pair comes from one key, which the compiler cannot follow through the table
    if (data.success) (handlers[name] as (data: unknown, tools: Tools) => void)(data.data, tools)
  }
}
// keys of our own constant
const names = Object.keys(events) as EventName[]

/** Marks what starts with the hinted domain as stale; what is on the screen is read again. */
function coalesce(queries: QueryClient): Reread {
  const domains = new Set<string>()
  const reread = () => {
    for (const name of domains) void queries.invalidateQueries({ queryKey: [name] })
    domains.clear()
  }
  return ({ domain }) => {
    if (domains.size === 0) setTimeout(reread, TOGETHER)
    domains.add(domain)
  }
}
