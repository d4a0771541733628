import { createServer, type Socket } from 'node:net'
import { createServer as createTlsServer, type TLSSocket } from 'node:tls'
import { contextOf, limits, nameIn, pairIn } from './certificates.ts'
import { Clients } from './clients.ts'
import { plain } from './passive.ts'
import { clientsFile, frontPort } from './places.ts'
import { Session } from './session.ts'

/*
 * FTP with TLS from the first byte (port 990) in front of pure-ftpd, which speaks explicit TLS only; see decision 0102.
 * Arguments: the certificate and the key of the server, and the folders in which web servers have those of websites.
 */
const [ownCertificate = '', ownKey = '', ...folders] = process.argv.slice(2)
/** Connections: as many sessions as pure-ftpd has, and some that have not begun. pure-ftpd admits 20 of an address. */
const MOST = 300
const MOST_OF_ONE = 25
const HANDSHAKE_MS = 10_000
const RENEWAL_MS = 60_000

const clients = new Clients(clientsFile)
const open = new Map<string, number>()
let all = 0
let own = await pairIn(ownCertificate, ownKey)

const secure = createTlsServer(
  {
    ...own,
    ...limits,
    handshakeTimeout: HANDSHAKE_MS,
    SNICallback(asked, answer) {
      const name = nameIn(asked)
      const found = name ? contextOf(name, folders) : Promise.resolve(undefined)
      found.then(
        (context) => answer(null, context),
        (error: Error) => {
          console.error(`the certificate of ${name} cannot be used: ${error.message}`)
          answer(null)
        },
      )
    },
  },
  (client) => void serve(client),
)

async function serve(client: TLSSocket): Promise<void> {
  const address = plain(client.remoteAddress)
  const reached = plain(client.localAddress)
  client.on('error', () => client.destroy())
  if (!address || !reached) return void client.destroy() // the client has left
  const loopback = clients.enter(address)
  try {
    await new Session(client, { address, reached, loopback }).run(clients)
  } catch (error) {
    if (!client.destroyed) client.destroy()
    console.error(`a session of ${address} ended: ${(error as Error).message}`)
  } finally {
    clients.leave(address)
  }
}

const server = createServer({ noDelay: true }, (socket: Socket) => {
  const address = plain(socket.remoteAddress)
  const count = open.get(address) ?? 0
  if (!address || all >= MOST || count >= MOST_OF_ONE) return void socket.destroy()
  all += 1
  open.set(address, count + 1)
  socket.on('error', () => socket.destroy())
  socket.on('close', () => {
    all -= 1
    const left = (open.get(address) ?? 1) - 1
    if (left) open.set(address, left)
    else open.delete(address)
  })
  secure.emit('connection', socket)
})
secure.on('tlsClientError', (_, socket) => socket.destroy())

/** Uses the renewed certificate of the server, without a restart. */
async function renew(): Promise<void> {
  const now = await pairIn(ownCertificate, ownKey)
  if (now.cert.equals(own.cert)) return
  secure.setSecureContext({ ...now, ...limits })
  own = now
}
const keepOwn = (error: Error) => console.error(`the certificate of the server cannot be used: ${error.message}`)
setInterval(() => {
  renew().catch(keepOwn)
}, RENEWAL_MS)

// one client must not end the sessions of the others
process.on('uncaughtException', (error) => console.error('an error was not expected:', error))
server.listen(frontPort, () => console.log(`listens on port ${frontPort}`))
server.on('error', (error) => {
  console.error(error.message)
  process.exit(1)
})
