import { connect, type Socket } from 'node:net'
import { type TLSSocket, connect as tlsConnect } from 'node:tls'
import { nameIn } from './certificates.ts'
import type { Clients } from './clients.ts'
import { type Command, commandIn, lineOf, passiveAnswer, portIn, refusalOf } from './commands.ts'
import { Lines, say } from './lines.ts'
import { DataConnections, plain } from './passive.ts'

/** pure-ftpd ends a session earlier. */
const IDLE_MS = 20 * 60_000
const CONNECT_MS = 10_000

/** One client. Commands pass one at a time; during a transfer, more may follow (ABOR, STAT). */
export class Session {
  readonly #client: TLSSocket
  readonly #address: string
  readonly #data: DataConnections
  readonly #loopback: string
  #signedIn = false
  #name = ''
  #verb = ''
  #passive = false
  #answered: (() => void) | undefined

  constructor(
    client: TLSSocket,
    { address, reached, loopback }: { address: string; reached: string; loopback: string },
  ) {
    this.#client = client
    this.#address = address
    this.#loopback = loopback
    this.#data = new DataConnections({ address, reached, loopback })
  }

  async run(clients: Clients): Promise<void> {
    const raw = connect({ host: '127.0.0.1', port: 21, localAddress: this.#loopback, noDelay: true })
    let server: Socket = raw
    try {
      const late = setTimeout(() => raw.destroy(new Error('late')), CONNECT_MS)
      raw.on('error', () => {}) // `close` follows
      const opened = await this.#open(raw).finally(() => clearTimeout(late))
      if (typeof opened === 'string') return void (await say(this.#client, opened))
      server = opened.server
      this.#client.setKeepAlive(true, 60_000)
      this.#endWhenIdle()
      const answers = new Lines(server)
      for (const line of opened.greeting) await say(this.#client, line)
      await Promise.race([this.#pass(server), this.#answer(answers, clients)])
    } finally {
      this.#data.close()
      server.destroy()
      raw.destroy()
      this.#client.end()
      setTimeout(() => this.#client.destroy(), 2000).unref()
    }
  }

  /** Connects to pure-ftpd over TLS, with protected data connections. Returns a line for the client if that fails. */
  async #open(raw: Socket): Promise<{ server: Socket; greeting: string[] } | string> {
    const greeting = await reply(new Lines(raw))
    if (!greeting.at(-1)?.startsWith('220')) return greeting.at(-1) ?? '421 FTP does not answer now. Try again soon.'
    await say(raw, 'AUTH TLS')
    const [secured] = await reply(new Lines(raw))
    if (!secured?.startsWith('234')) return '421 FTP does not answer as it should. Try again later.'
    const servername = nameIn(this.#client.servername)
    // pure-ftpd on this machine, with a certificate for another name
    const server = tlsConnect({ socket: raw, rejectUnauthorized: false, ...(servername && { servername }) })
    server.on('error', () => raw.destroy())
    const lines = new Lines(server)
    for (const line of ['PBSZ 0', 'PROT P']) {
      await say(server, line)
      if (!(await reply(lines))[0]?.startsWith('200')) return '421 FTP does not answer as it should. Try again later.'
    }
    return { server, greeting }
  }

  /** Passes commands on until the client ends. */
  async #pass(server: Socket): Promise<void> {
    const lines = new Lines(this.#client)
    const at = { ipv6: this.#address.includes(':') }
    for (let line = await lines.next(); line !== undefined; line = await lines.next()) {
      const command = commandIn(line)
      const refusal = refusalOf(command, { ...at, signedIn: this.#signedIn })
      if (refusal) await say(this.#client, refusal)
      else await this.#send(server, command)
    }
  }

  async #send(server: Socket, command: Command): Promise<void> {
    const { verb, argument } = command
    this.#verb = verb
    if (verb === 'USER') this.#name = argument
    if (isTransfer(verb)) this.#data.uploads = verb !== 'RETR'
    if (verb === 'PASV' || verb === 'EPSV') this.#passive = true
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#answered = resolve
    await say(server, lineOf(command))
    await promise
  }

  /** Passes answers on until pure-ftpd ends. */
  async #answer(lines: Lines, clients: Clients): Promise<void> {
    let within: string | undefined // the code of an answer of several lines
    for (let line = await lines.next(); line !== undefined; line = await lines.next()) {
      const [, code, more] = /^(\d{3})([ -])/.exec(line) ?? []
      const isLast = code !== undefined && more === ' ' && (within ?? code) === code
      if (isLast) within = undefined
      else if (code) within ??= code
      await say(this.#client, isLast ? await this.#read(line, clients) : line)
      if (isLast) this.#answered?.()
    }
  }

  /** Notes what an answer means. Returns the line for the client. */
  async #read(line: string, clients: Clients): Promise<string> {
    if (this.#verb === 'PASS' && !this.#signedIn) this.#noteSignIn(line, clients)
    if (!this.#passive) return line
    const port = portIn(line)
    if (port || /^[45]/.test(line)) this.#passive = false
    if (!port) return line
    try {
      return passiveAnswer(line, plain(this.#client.localAddress), await this.#data.expect(port))
    } catch (error) {
      return `425 No data connection is possible: ${(error as Error).message}.`
    }
  }

  /** Writes the same lines as pure-ftpd into the journal, with the address of the client. */
  #noteSignIn(line: string, clients: Clients): void {
    const name = /^[\w.@-]{1,64}$/.test(this.#name) ? this.#name : '?'
    if (line.startsWith('230')) {
      this.#signedIn = true
      console.log(`(?@${this.#address}) [INFO] ${name} is now logged in`)
      clients.remember(this.#address)
    } else if (line.startsWith('530')) {
      console.log(`(?@${this.#address}) [WARNING] Authentication failed for user [${name}]`)
    }
  }

  #endWhenIdle(): void {
    this.#client.setTimeout(IDLE_MS)
    this.#client.on('timeout', () => {
      if (this.#data.busy) this.#client.setTimeout(IDLE_MS)
      else this.#client.destroy()
    })
  }
}

const isTransfer = (verb: string) => ['RETR', 'STOR', 'STOU', 'APPE'].includes(verb)

/** The lines of one answer; none if the connection ended. */
async function reply(lines: Lines): Promise<string[]> {
  const all: string[] = []
  for (let line = await lines.next(); line !== undefined; line = await lines.next()) {
    all.push(line)
    if (/^\d{3} /.test(line)) return all
  }
  return []
}
