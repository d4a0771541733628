import { type EventData, type EventName, events } from '@innkeeper/contract/kit/events'
import type { QueryClient } from '@tanstack/react-query'
import { adopt, revalidate } from '../access/account.ts'
import { session } from '../access/session.ts'
import { dropDialogs, errorDialog, infoDialog, successDialog } from '../dialogs/dialogs.ts'
import { toast } from '../dialogs/toast.ts'
import { setLine } from './connection.ts'
import { keepSocket } from './socket.ts'

/** Milliseconds until the first hint is acted on: the hints of one change arrive together. */
const FIRST = 10
/** Milliseconds during which further hints are collected into one invalidation. */
const TOGETHER = 120

/** Handlers of pushed notifications, provided by the notifications domain. */
export interface Arrivals {
  arrived: (notification: EventData<'notification'>) => void
  /** Runs after a reconnect, because notifications may have been missed. */
  caughtUp: () => void
}

/** Listens to server events while somebody is signed in. Returns the function that stops listening. */
export function listen(queries: QueryClient, arrivals: Arrivals): () => void {
  const tools = { queries, reread: coalesce(queries), arrivals }
  let jwt = session.user.jwt
  const connect = () =>
    keepSocket({
      address: () => (jwt ? { url: socketAddress(), protocols: ['innkeeper', jwt] } : undefined),
      message: (text) => handle(text, tools),
      caughtUp: () => {
        void queries.invalidateQueries()
        void revalidate().catch(() => undefined) // a failure shows at the next call
        arrivals.caughtUp()
      },
      ended: () => revalidate().catch(() => undefined), // a failure shows at the next call; the socket reconnects
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

function socketAddress(): string {
  const { protocol, host } = globalThis.location
  return `${protocol === 'https:' ? 'wss' : 'ws'}://${host}/ws`
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
    void queries.invalidateQueries() // new permissions may open or close any query
    toast.info('Your Role Has Been Changed')
  },
  updateCredentials: ({ jwt }, { queries }) => {
    adopt(jwt).then(() => {
      void queries.invalidateQueries() // new permissions may open or close any query
      toast.info('Your Permissions Has Been Updated')
    }, errorDialog)
  },
  changed: (hint, { reread }) => {
    reread(hint)
    // the person's own name, picture and theme come with the session, not from a query
    if (hint.domain === 'profiles' && hint.id === session.user.id) void revalidate().catch(() => undefined)
  },
}

/** Handles one event. Ignores unknown events, which a newer server may send. */
function handle(text: string, tools: Tools): void {
  const message: unknown = JSON.parse(text)
  if (typeof message !== 'object' || message === null || !('event' in message) || !('data' in message)) return
  for (const name of names) {
    if (message.event !== name) continue
    const data = events[name].safeParse(message.data)
    // name and data have the same key, which the compiler cannot follow through the table
    if (data.success) (handlers[name] as (data: unknown, tools: Tools) => void)(data.data, tools)
  }
}
// the keys of `events` are literals
const names = Object.keys(events) as EventName[]

/**
 * Collects hints and invalidates the queries of their domains; queries on the screen refetch. A hint after a calm is acted
 * on at once, and a stream of hints every `TOGETHER` milliseconds.
 */
function coalesce(queries: QueryClient): Reread {
  const domains = new Set<string>()
  let waits = false
  const reread = () => {
    waits = domains.size > 0
    if (!waits) return
    for (const name of domains) void queries.invalidateQueries({ queryKey: [name] })
    domains.clear()
    setTimeout(reread, TOGETHER)
  }
  return ({ domain }) => {
    domains.add(domain)
    if (waits) return
    waits = true
    setTimeout(reread, FIRST)
  }
}
