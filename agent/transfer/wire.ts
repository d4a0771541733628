import type { Readable } from 'node:stream'
import type { ConnectionOptions, TLSSocket } from 'node:tls'
import { connect } from 'node:tls'
import { sitePath, spoolFile, username } from '@innkeeper/contract/kit/values'
import * as z from 'zod'

/**
 * TLS with a pre-shared key, by which both ends authenticate each other without certificates. ECDHE gives forward
 * secrecy: a key that leaks later does not decrypt past connections.
 */
export const terms = {
  ciphers: 'ECDHE-PSK-CHACHA20-POLY1305',
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.2',
} as const satisfies ConnectionOptions

/**
 * The first line of a connection, which requests a folder over rsync's protocol, with the client's options, a plain
 * dump, an archive of chosen websites, or the source's clock (ms since the epoch, in text). `since`: only files of the folder that have changed after
 * this time of the source's clock.
 */
export const Wanted = z.union([
  z.object({ username, path: sitePath, rsync: z.string().max(300), since: z.int().min(0).optional() }),
  z.object({ mailboxId: z.int().min(1), rsync: z.string().max(300) }),
  z.object({ file: spoolFile }),
  z.object({ clock: z.literal(true) }),
  z.object({ pack: z.literal(true) }),
])
export type Wanted = z.output<typeof Wanted>

export interface Peer {
  address: string
  port: number
  transfer: string
  token: string
}
const SILENCE_MS = 60_000

/** Opens a connection and sends the request; the answer follows on the socket. Throws with a readable message. */
export function open({ address, port, transfer, token }: Peer, wanted: Wanted): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const psk = Buffer.from(token, 'hex')
    const socket = connect({
      host: address,
      port,
      ...terms,
      pskCallback: () => ({ psk, identity: transfer }),
      checkServerIdentity: () => undefined, // the pre-shared key authenticates the server
    })
    const fail = (error: Error) =>
      reject(
        new Error(
          `${address}:${port} does not give us the transfer ${transfer}: ${error.message}. Open it again, then retry`,
          { cause: error },
        ),
      )
    // a machine without power sends no close
    socket.setTimeout(SILENCE_MS, () => socket.destroy(new Error(`silence for ${SILENCE_MS / 1000} s`)))
    socket.once('error', fail)
    socket.once('secureConnect', () => {
      socket.off('error', fail)
      socket.setKeepAlive(true, 10_000)
      socket.write(`${JSON.stringify(wanted)}\n`)
      resolve(socket)
    })
  })
}

/** The first line of a stream, at most 4,096 bytes; the rest stays in the stream. */
export function firstLine(stream: Readable): Promise<string> {
  return new Promise((resolve, reject) => {
    let head = Buffer.alloc(0)
    const end = (error?: Error) => {
      stream.off('readable', look).off('error', end).off('end', ended).off('close', ended)
      if (error) reject(error)
    }
    const ended = () => end(new Error('the connection ended before its request'))
    const look = () => {
      for (let part: Buffer | null = stream.read(); part !== null; part = stream.read()) {
        head = Buffer.concat([head, part])
        const at = head.indexOf(10)
        if (at === -1 && head.length <= 4096) continue
        end(at === -1 || at > 4096 ? new Error('the request line is too long') : undefined)
        if (at + 1 < head.length) stream.unshift(head.subarray(at + 1))
        return resolve(head.toString('utf8', 0, at))
      }
    }
    stream.on('readable', look).once('error', end).once('end', ended).once('close', ended)
  })
}
