import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import type { Reach } from '@innkeeper/contract/reach'

export interface Relay {
  port: number
  /** Bytes that came from the server so far. */
  received(): number
  /** Why the last connection was not made. */
  problem(): string | undefined
  end(): void
}

interface Target {
  host: string
  port: number
  /** SHA-256 of the certificate that somebody accepted; absent: a certificate of a known authority. */
  fingerprint?: string | undefined
}

/**
 * A port of loopback that leads to a mail server over TLS, for a program that resolves names itself: each connection
 * goes to an address that was judged, and to the right certificate. The
 * password is what keeps others of this machine from the mail.
 */
export async function openRelay(reach: Reach, target: Target): Promise<Relay> {
  let bytes = 0
  let problem: string | undefined
  const open = new Set<Socket>()
  const server = createServer((near) => {
    open.add(near)
    near.on('close', () => open.delete(near))
    near.on('error', () => near.destroy()) // the program reports what it makes of the end
    lead(near).catch((error: unknown) => {
      problem = error instanceof Error ? error.message : String(error)
      near.destroy()
    })
  })
  const lead = async (near: Socket) => {
    const far = await connectTo(reach, target)
    open.add(far)
    far.on('error', () => near.destroy())
    far.on('close', () => near.destroy())
    near.on('close', () => far.destroy())
    far.on('data', (data: Buffer) => {
      bytes += data.length
    })
    far.pipe(near)
    near.pipe(far)
  }
  await new Promise<void>((ready, failed) => server.once('error', failed).listen(0, '127.0.0.1', ready))
  return {
    port: (server.address() as AddressInfo).port,
    received: () => bytes,
    problem: () => problem,
    end() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}

async function connectTo(reach: Reach, { host, port, fingerprint }: Target): Promise<TLSSocket> {
  reach.check(host, port)
  const how: ConnectionOptions = { host, port, servername: host, rejectUnauthorized: fingerprint === undefined }
  const far = connect({ ...how, lookup: reach.lookup(port) } as ConnectionOptions) // the types of tls leave `lookup` out
  await new Promise<void>((ready, failed) => far.once('secureConnect', ready).once('error', failed))
  const shown = far.getPeerCertificate().fingerprint256?.replaceAll(':', '').toLowerCase()
  if (fingerprint === undefined || shown === fingerprint) return far
  far.destroy()
  throw new Error(`${host} shows another certificate: its fingerprint is ${shown}`)
}
