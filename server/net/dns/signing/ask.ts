import { createConnection } from 'node:net'
import type { Ask } from '@innkeeper/contract/net/dns/validate'
import { queryOf, readReply } from '@innkeeper/contract/net/dns/wire'

/**
 * Asks over TCP, because answers with signatures can be too large for UDP. The server takes the connection within `patienceMs`,
 * and answers within `answerMs`; 0 means the same time.
 */
export const askAt =
  (address: string, { port = 53, patienceMs = 3000, answerMs = 0, recursive = false } = {}): Ask =>
  (name, type) => {
    const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<Ask>>>()
    const socket = createConnection({ host: address, port, timeout: patienceMs })
    const query = queryOf(name, type, 1 + Math.floor(Math.random() * 65_000), recursive)
    let got = Buffer.alloc(0)
    socket.on('connect', () => {
      socket.setTimeout(answerMs || patienceMs)
      socket.write(Buffer.concat([Buffer.from([query.length >> 8, query.length & 255]), query]))
    })
    socket.on('data', (chunk: Buffer) => {
      got = Buffer.concat([got, chunk])
      if (got.length < 2 || got.length < 2 + got.readUInt16BE()) return
      socket.destroy()
      try {
        resolve(readReply(new Uint8Array(got.subarray(2))))
      } catch (error) {
        reject(error)
      }
    })
    socket.on('timeout', () =>
      socket.destroy(new Error(`${address} does not answer within ${(socket.timeout ?? patienceMs) / 1000} s`)),
    )
    socket.on('error', reject)
    // ignored after an answer
    socket.on('close', () => reject(new Error(`${address} closed the connection without an answer`)))
    return promise
  }
