import { connect, type Socket } from 'node:net'

/**
 * Opens sockets and reports when each of them received an event. A separate process, so that it does not slow the
 * server.
 */
export interface Opening {
  open: { port: number; heads: string[] }
}
export interface Waiting {
  wait: { count: number; ms: number }
}
/** Per socket, by the position of its head in `Opening`: when it received the event, in ms since the epoch. */
export type Heard = [socket: number, at: number][]

const sockets: Socket[] = []
let heard: Heard = []
let enough: (() => void) | undefined
let wanted = Number.POSITIVE_INFINITY
const PING = 0x89
const pong = Buffer.from([0x8a, 0x80, 0, 0, 0, 0])

function open(port: number, head: string, place: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true })
    let isOpen = false
    socket.on('error', reject).on('connect', () => socket.write(head))
    socket.on('data', (part) => {
      if (!isOpen) {
        isOpen = true
        if (part.subarray(0, 12).toString() === 'HTTP/1.1 101') resolve()
        else reject(new Error(part.toString().slice(0, 200)))
      } else if (part[0] === PING) socket.write(pong)
      else {
        heard.push([place, performance.timeOrigin + performance.now()])
        if (heard.length >= wanted) enough?.()
      }
    })
    sockets.push(socket)
  })
}

async function obey(message: Opening | Waiting): Promise<void> {
  if ('open' in message) {
    for (const socket of sockets.splice(0)) socket.destroy()
    const { port, heads } = message.open
    for (let i = 0; i < heads.length; i += 100)
      await Promise.all(heads.slice(i, i + 100).map((head, n) => open(port, head, i + n)))
    process.send?.('open')
    return
  }
  heard = []
  wanted = message.wait.count
  process.send?.('waiting')
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, message.wait.ms)
    enough = () => {
      clearTimeout(timer)
      setTimeout(resolve, 30) // waits for a surplus event
    }
  })
  process.send?.(heard)
}
process.on('message', (message: Opening | Waiting) => {
  obey(message).catch((error: unknown) => {
    console.error(error)
    process.exit(1)
  })
})
process.on('disconnect', () => process.exit())
