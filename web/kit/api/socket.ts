/** The longest pause between two attempts to connect, in milliseconds. */
const LONGEST = 30_000
/** Close code of the server: the session has ended. */
const ENDED = 4401
/** Close code of the server: the person has too many newer sockets. */
const CROWDED = 4429
/** Interval between pings, in milliseconds. Only a ping detects a cut connection. */
const ASK = 25_000
/** Milliseconds to wait for the answer to a ping; less after the computer slept or changed its network. */
const PATIENCE = 10_000
const IN_DOUBT = 3000

interface Address {
  url: string
  /** Offered subprotocols. The second one is the mark of the session: addresses end in the logs of proxies. */
  protocols?: string[]
}
export interface SocketEvents {
  /** Where to connect to; undefined while nobody is signed in. */
  address: () => Address | undefined
  message: (data: string) => void
  /** Runs after a reconnect, because messages may have been missed. */
  caughtUp: () => void
  /**
   * Runs when the server ended the session or refused the socket. After it settles, the socket reconnects if
   * `address` still returns one.
   */
  ended: () => Promise<unknown>
  /** Reports whether the socket is connected. */
  line?: (up: boolean) => void
}

/** Milliseconds before attempt `n` (from 1): doubles from half a second, with a random part of one half. */
export const pause = (n: number, random = Math.random()): number =>
  Math.min(LONGEST, 500 * 2 ** (n - 1)) * (0.5 + random / 2)

/**
 * Keeps one socket open until `close`. Reconnects by itself, and earlier when the browser comes online or the tab
 * becomes visible. A socket closed for a newer one reconnects only when its tab becomes visible; otherwise two tabs
 * would displace each other for ever.
 */
export function keepSocket(
  events: SocketEvents,
  open = ({ url, protocols }: Address) => new WebSocket(url, protocols),
): { close: () => void } {
  let socket: WebSocket | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let doubt: ReturnType<typeof setTimeout> | undefined
  let tries = 0
  let before = false
  let closed = false
  let crowded = false

  function connect() {
    clearTimeout(timer)
    const address = events.address()
    if (closed || !address || socket) return
    const mine = open(address)
    socket = mine
    let opened = false
    mine.onopen = () => {
      opened = true
      tries = 0
      crowded = false
      events.line?.(true)
      if (before) events.caughtUp()
      before = true
    }
    mine.onmessage = ({ data }) => {
      believe()
      if (typeof data === 'string' && data !== 'pong') events.message(data)
    }
    mine.onclose = ({ code }) => {
      if (socket !== mine) return
      crowded = code === CROWDED
      // browsers hide why a socket was refused; after the first attempt the server may still be starting
      fallen(code === ENDED || (!opened && tries > 0))
    }
  }

  function fallen(doubtful = false) {
    socket = undefined
    believe()
    if (closed) return
    events.line?.(false)
    if (crowded) return
    tries += 1
    const again = () => {
      if (!closed) timer = setTimeout(connect, pause(tries))
    }
    if (doubtful) void events.ended().finally(again)
    else again()
  }

  const believe = () => {
    clearTimeout(doubt)
    doubt = undefined
  }
  function ask(patience = PATIENCE) {
    if (socket?.readyState !== 1) return // not open yet, or closing already
    socket.send('ping')
    doubt ??= setTimeout(() => {
      const lost = socket
      tries = 0
      fallen()
      lost?.close()
    }, patience)
  }
  const asking = setInterval(ask, ASK)

  const now = () => {
    tries = 0
    connect()
    ask(IN_DOUBT)
  }
  const seen = () => crowded && now()
  const looked = () => document.hidden || now()
  globalThis.addEventListener?.('online', now)
  globalThis.addEventListener?.('focus', seen)
  globalThis.document?.addEventListener('visibilitychange', looked)
  connect()

  return {
    close() {
      closed = true
      clearTimeout(timer)
      clearInterval(asking)
      believe()
      globalThis.removeEventListener?.('online', now)
      globalThis.removeEventListener?.('focus', seen)
      globalThis.document?.removeEventListener('visibilitychange', looked)
      socket?.close()
    },
  }
}
