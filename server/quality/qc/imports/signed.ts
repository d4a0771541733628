import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { networkOf } from '../../../kit/http/address.ts'
import { Refusal, tooMany } from '../../../kit/http/errors.ts'

/** Maximum number of seconds by which the clock of a sender may differ. */
const SKEW = 300
/** Maximum time in which a body must arrive. */
const BODY_MS = 120_000
/** Maximum numbers of bodies in memory: of one network, and of all. */
const OF_NETWORK = 2
const OF_ALL = 6

const reading = new Map<string, number>()

interface Signed {
  time: number
  /** Hex HMAC-SHA256 over `<time>.<hex SHA-256 of the body>`. */
  signature: string
  /** Key of the source; undefined if there is no such source. */
  key: string | undefined
  now: Date
  ip: string
}

/**
 * Reads a signed body. The signature covers the whole body, which therefore stays in memory before anybody has proved to
 * know the key: whatever is wrong without the body is refused first, and the number of bodies and their time are
 * bounded. 401 for a wrong signature, 429 for too many bodies at once, 408 for a slow one.
 */
export async function readSigned(content: AsyncIterable<Uint8Array>, { time, signature, key, now, ip }: Signed) {
  const sent = Buffer.from(signature, 'hex')
  if (!key || Math.abs(now.getTime() / 1000 - time) > SKEW || sent.length !== 32) throw wrong()
  const body = await inTurn(networkOf(ip), () => wholeOf(content))
  const digest = createHash('sha256').update(body).digest('hex')
  const expected = createHmac('sha256', key).update(`${time}.${digest}`).digest()
  if (!timingSafeEqual(expected, sent)) throw wrong()
  return body
}

const wrong = () => new Refusal(401, { code: 'signature', message: 'The signature does not fit source, time and body' })

async function inTurn<T>(network: string, work: () => Promise<T>): Promise<T> {
  const here = reading.get(network) ?? 0
  const all = [...reading.values()].reduce((sum, n) => sum + n, 0)
  if (here >= OF_NETWORK || all >= OF_ALL)
    throw tooMany('Too many imports at once. Send one after the other.', { isLogged: false })
  reading.set(network, here + 1)
  try {
    return await work()
  } finally {
    const left = (reading.get(network) ?? 1) - 1
    if (left) reading.set(network, left)
    else reading.delete(network)
  }
}

async function wholeOf(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  const iterator = content[Symbol.asyncIterator]()
  const { promise: late, reject } = Promise.withResolvers<never>()
  const slow = new Refusal(408, { code: 'slow', message: `The body took more than ${BODY_MS / 1000} s` })
  const timer = setTimeout(() => reject(slow), BODY_MS)
  try {
    for (;;) {
      const { done, value } = await Promise.race([iterator.next(), late])
      if (done) return Buffer.concat(chunks)
      chunks.push(value)
    }
  } finally {
    clearTimeout(timer)
  }
}
