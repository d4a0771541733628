/** The longest pause between two tries, milliseconds. */
const LONGEST = 30_000
/** The server's word for "this session has ended" (close code). */
const ENDED = 4401
/** The server's word for "this person has newer sockets, more than there is room for" (close code). */
const CROWDED = 4429

export interface SocketEvents {
  /** Where to connect; undefined: not now, nobody is signed in. */
  url: () => string | undefined
  message: (data: string) => void
  /** Connected again after a gap in which messages may have been missed. */
  caughtUp: () => void
  /** The server ended the session. Once this is settled it is tried again, if there still is an address. */
  ended: () => Promise<unknown>
}

/** How long to wait before try `n` (from 1), in milliseconds: doubling from half a second, spread over a half. */
export const pause = (n: number, random = Math.random()): number =>
  Math.min(LONGEST, 500 * 2 ** (n - 1)) * (0.5 + random / 2)

/**
 * Keeps one socket open until `close`; comes back by itself, sooner when the browser is online again. One that made room
 * for a newer comes back only when somebody looks at its page: else two would take turns for ever.
 */
export function keepSocket(events: SocketEvents, open = (url: string) => new WebSocket(url)): { close: () => void } {
  let socket: WebSocket | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let tries = 0
  let before = false
  let closed = false
  let crowded = false

  function connect() {
    clearTimeout(timer)
    const url = events.url()
    if (closed || !url || socket) return
    const mine = open(url)
    socket = mine
    mine.onopen = () => {
      tries = 0
      if (before) events.caughtUp()
      before = true
    }
    mine.onmessage = ({ data }) => typeof data === 'string' && events.message(data)
    mine.onclose = ({ code }) => {
      if (socket === mine) socket = undefined
      if (closed) return
      tries += 1
      const again = () => {
        if (!closed) timer = setTimeout(connect, pause(tries))
      }
      crowded = code === CROWDED
      if (crowded) return
      if (code === ENDED) void events.ended().finally(again)
      else again()
    }
  }
  const now = () => {
    tries = 0
    connect()
  }
  const seen = () => crowded && now()
  globalThis.addEventListener?.('online', now)
  globalThis.addEventListener?.('focus', seen)
  connect()

  return {
    close() {
      closed = true
      clearTimeout(timer)
      globalThis.removeEventListener?.('online', now)
      globalThis.removeEventListener?.('focus', seen)
      socket?.close()
    },
  }
}
