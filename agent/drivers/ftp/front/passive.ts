import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { passivePorts } from './places.ts'

const WAIT_MS = 60_000
const MOST = 4
const TRIES = 50
/** Time in which a client may finish an upload that pure-ftpd has refused, so that the client reads why. */
const REFUSED_MS = 15_000

/** An IPv4 address without the form that an IPv6 socket gives it. */
export const plain = (address: string | undefined): string => (address ?? '').replace(/^::ffff:/, '')

/**
 * The data connections of a session. Their bytes pass unchanged: the TLS of a data connection is between the client and
 * pure-ftpd.
 */
export class DataConnections {
  readonly #client: { address: string; reached: string; loopback: string }
  readonly #open = new Set<Socket>()
  /** The latest transfer is an upload. */
  uploads = false
  #waiting: { server: Server; late: NodeJS.Timeout } | undefined
  constructor(client: { address: string; reached: string; loopback: string }) {
    this.#client = client
  }

  get busy(): boolean {
    return this.#open.size > 0
  }

  /** Opens a port for one connection from the client's address to this port of pure-ftpd. Returns the port. */
  async expect(ftpPort: number): Promise<number> {
    const [first, last] = passivePorts.ftp
    if (!(ftpPort >= first && ftpPort <= last)) throw new Error(`pure-ftpd answers the port ${ftpPort}`)
    if (this.#open.size >= MOST * 2) throw new Error('too many data connections')
    this.#stopWaiting()
    const server = createServer({ allowHalfOpen: true, pauseOnConnect: true, noDelay: true })
    const port = await this.#listen(server)
    server.on('error', () => server.close())
    server.on('connection', (socket) => {
      if (plain(socket.remoteAddress) !== this.#client.address) return socket.destroy()
      this.#stopWaiting(server)
      this.#relay(socket, ftpPort)
    })
    this.#waiting = { server, late: setTimeout(() => this.#stopWaiting(server), WAIT_MS) }
    return port
  }

  close(): void {
    this.#stopWaiting()
    for (const socket of this.#open) socket.resetAndDestroy()
  }

  async #listen(server: Server): Promise<number> {
    const [first, last] = passivePorts.front
    for (let tries = 0; ; tries++) {
      const port = randomInt(first, last + 1)
      server.listen({ host: this.#client.reached, port, backlog: 4 })
      try {
        await once(server, 'listening')
        return port
      } catch (error) {
        if (tries >= TRIES) throw error
      }
    }
  }

  #stopWaiting(server = this.#waiting?.server): void {
    if (!server || this.#waiting?.server !== server) return
    clearTimeout(this.#waiting.late)
    server.close()
    this.#waiting = undefined
  }

  #relay(client: Socket, port: number): void {
    const from = { host: '127.0.0.1', port, localAddress: this.#client.loopback }
    const ftp = connect({ ...from, allowHalfOpen: true, noDelay: true })
    // a reset is passed on as one: pure-ftpd must not take half a file for a whole one
    client.on('error', () => ftp.resetAndDestroy())
    ftp.on('error', () => (this.uploads ? swallow(client, ftp) : client.resetAndDestroy()))
    for (const [one, other] of [
      [client, ftp],
      [ftp, client],
    ] as const) {
      this.#open.add(one)
      one.setKeepAlive(true, 60_000)
      one.on('close', () => this.#open.delete(one))
      one.pipe(other)
    }
  }
}

/**
 * Reads what the client still sends, without passing it on. With a reset instead, as pure-ftpd sends, curl and others
 * would report a broken connection, and not the answer that the quota is used up.
 */
function swallow(client: Socket, ftp: Socket): void {
  const late = setTimeout(() => client.resetAndDestroy(), REFUSED_MS)
  client.on('close', () => clearTimeout(late))
  client.unpipe(ftp)
  client.on('end', () => client.end())
  client.resume()
}
