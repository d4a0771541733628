import { createHmac, timingSafeEqual } from 'node:crypto'
import { signatureAt } from '@innkeeper/contract/net/dns/transfer'
import { type Bytes, four, join, nameBytes, two } from '@innkeeper/contract/net/dns/wire'

export interface TransferKey {
  name: string
  algorithm: 'hmac-sha256' | 'hmac-sha512' | 'hmac-sha384' | 'hmac-sha1'
  secret: string
}
const FUDGE = 300
const TSIG = 250
/** A server signs at least each hundredth message. */
const MOST_UNSIGNED = 99

const time = (seconds: number): Bytes => join(two(Math.floor(seconds / 2 ** 32)), four(seconds % 2 ** 32))
const plain = (bytes: Uint8Array): Bytes => new Uint8Array(bytes)

/** Signs one question and verifies the messages that answer it (RFC 8945). */
export class Signing {
  readonly #key: TransferKey
  readonly #now: () => number
  #before: Bytes = new Uint8Array()
  #since: Bytes[] = []
  #isFirst = true

  constructor(key: TransferKey, now: () => number) {
    this.#key = key
    this.#now = now
  }

  sign(message: Bytes): Bytes {
    const at = Math.floor(this.#now() / 1000)
    const mac = this.#mac([message, this.#variables(time(at), two(FUDGE), two(0), two(0))])
    const data = join(
      ...[this.#algorithm, time(at), two(FUDGE), two(mac.length), mac, message.slice(0, 2), two(0), two(0)],
    )
    const record = join(this.#name, two(TSIG), two(255), four(0), two(data.length), data)
    const signed = join(message, record)
    signed.set(two(((message[10] ?? 0) << 8) + (message[11] ?? 0) + 1), 10)
    this.#before = mac
    return signed
  }

  /** Throws if a message is not from the holder of the key. */
  verify(message: Bytes): void {
    const begin = signatureAt(message)
    if (begin === undefined) {
      this.#since.push(message)
      if (this.#isFirst || this.#since.length > MOST_UNSIGNED) throw new Error('it does not sign its answer')
      return
    }
    const found = readSignature(message, begin + this.#name.length)
    const isOurs = Buffer.compare(message.slice(begin, begin + this.#name.length), this.#name) === 0
    if (found.error) throw new Error(reasons[found.error] ?? `it refuses the key with error ${found.error}`)
    if (!isOurs) throw new Error('it signs with another key')
    const bare = message.slice(0, begin)
    bare.set(found.id, 0)
    bare.set(two(((bare[10] ?? 0) << 8) + (bare[11] ?? 0) - 1), 10)
    const stamp = join(found.time, found.fudge)
    const mac = this.#mac([
      ...[two(this.#before.length), this.#before, ...this.#since, bare],
      this.#isFirst ? this.#variables(found.time, found.fudge, two(0), found.other) : stamp,
    ])
    if (mac.length !== found.mac.length || !timingSafeEqual(mac, found.mac)) throw new Error('its signature is wrong')
    this.#before = mac
    this.#since = []
    this.#isFirst = false
  }

  /** Throws if the last message was not signed. */
  end(): void {
    if (this.#since.length) throw new Error('it does not sign the end of its answer')
  }

  get #name(): Bytes {
    return nameBytes(this.#key.name)
  }
  get #algorithm(): Bytes {
    return nameBytes(this.#key.algorithm)
  }
  /** `other`: its length, with the data. */
  #variables(at: Bytes, fudge: Bytes, error: Bytes, other: Bytes): Bytes {
    return join(this.#name, two(255), four(0), this.#algorithm, at, fudge, error, other)
  }
  #mac(parts: Bytes[]): Bytes {
    const hmac = createHmac(this.#key.algorithm.slice('hmac-'.length), Buffer.from(this.#key.secret, 'base64'))
    for (const part of parts) hmac.update(part)
    return plain(hmac.digest())
  }
}

const reasons: Record<number, string> = {
  16: 'it refuses the signature: is the key right?',
  17: 'it does not know the key',
  18: 'its clock and the clock of Innkeeper differ',
}

/** `at`: after the name of the record. */
function readSignature(message: Bytes, at: number) {
  const view = new DataView(message.buffer, message.byteOffset, message.length)
  let next = at + 10
  while (view.getUint8(next)) next += 1 + view.getUint8(next) // the algorithm, which is never compressed
  next += 1
  const size = view.getUint16(next + 8)
  const after = next + 10 + size
  const other = view.getUint16(after + 4)
  return {
    time: message.slice(next, next + 6),
    fudge: message.slice(next + 6, next + 8),
    mac: message.slice(next + 10, after),
    id: message.slice(after, after + 2),
    error: view.getUint16(after + 2),
    other: message.slice(after + 4, after + 6 + other),
  }
}
