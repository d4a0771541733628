/** The longest pause between two tries, milliseconds. */
const LONGEST = 30_000
/** The server's word for "this session has ended" (close code). */
const ENDED = 4401
/** The server's word for "this person has newer sockets, more than there is room for" (close code). */
const CROWDED = 4429
/** How often the other end is asked whether it is there: a line that was cut says nothing by itself. */
const ASK = 25_000
/** How long it may take to answer; less when there is a sign that we were away (the lid was closed, another network). */
const PATIENCE = 10_000
const IN_DOUBT = 3000

export interface SocketEvents {
  /** Where to connect; undefined: not now, nobody is signed in. */
  url: () => string | undefined
  message: (data: string) => void
  /** Connected again after a gap in which messages may have been missed. */
  caughtUp: () => void
  /** The server ended the session, or does not let us in. Once this is settled it is tried again, if there still is an address. */
  ended: () => Promise<unknown>
  /** The line is there or not. */
  line?: (up: boolean) => void
}

/** How long to wait before try `n` (from 1), in milliseconds: doubling from half a second, spread over a half. */
export const pause = (n: number, random = Math.random()): number =>
  Math.min(LONGEST, 500 * 2 ** (n - 1)) * (0.5 + random / 2)

/**
 * Keeps one socket open until `close`; comes back by itself, sooner when the browser is online or looked at again. One
 * that made room for a newer comes back only when somebody looks at its page: else two would take turns for ever.
 */
export function keepSocket(events: SocketEvents, open = (url: string) => new WebSocket(url)): { close: () => void } {
  let socket: WebSocket | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let doubt: ReturnType<typeof setTimeout> | undefined
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
      // a browser does not tell why it was refused: the first time the server may be starting
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
    if (socket?.readyState !== 1) return // not open yet, or closing: that ends by itself
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
