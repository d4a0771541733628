import { decoded } from '@innkeeper/contract/net/dns/numberedData'
import { framed, nameText } from '@innkeeper/contract/net/dns/transfer'
import { nameOfNumber } from '@innkeeper/contract/net/dns/typeNumbers'
import {
  type Bytes,
  join,
  nameBytes,
  readReply,
  two,
  typeNumbers,
  type WireRecord,
} from '@innkeeper/contract/net/dns/wire'
import { dial } from '../../../kit/outgoing/dial.ts'
import type { Reach } from '../../../kit/outgoing/reach.ts'
import { Signing, type TransferKey } from './tsig.ts'

const AXFR = 252
const SILENCE_MS = 20_000
/** Time for a whole zone. */
const PATIENCE_MS = 120_000

export interface Source {
  domain: string
  host: string
  port: number
  key?: TransferKey | undefined
}
export interface Transferred {
  lines: string[]
  serial: number
  signed: boolean
}
/** Why another name server gives no zone, in words for people. */
export class NoTransfer extends Error {}

/** Reads a whole zone over TCP. `most`: characters of its text. */
export function transfer(reach: Reach, source: Source, most: number, now = Date.now): Promise<Transferred> {
  const { domain, host, port, key } = source
  const { promise, resolve, reject } = Promise.withResolvers<Transferred>()
  const signing = key && new Signing(key, now)
  const id = 1 + Math.floor(Math.random() * 65_000)
  const head = join(two(id), two(0), two(1), two(0), two(0), two(0))
  const question = join(head, nameBytes(domain), two(AXFR), two(1))
  const zone = new Zone(domain, most)
  let socket: ReturnType<typeof dial>
  try {
    socket = dial(reach, host, port, SILENCE_MS)
  } catch (error) {
    reject(error)
    return promise
  }
  const timer = setTimeout(
    () => socket.destroy(new NoTransfer(`${host} needs more than ${PATIENCE_MS / 1000} s for the zone`)),
    PATIENCE_MS,
  )
  socket.on('connect', () => socket.write(framed(signing ? signing.sign(question) : question)))
  let parts: Buffer[] = []
  let have = 0
  socket.on('data', (chunk: Buffer) => {
    parts.push(chunk)
    have += chunk.length
    const first = parts[0] ?? chunk
    if (first.length >= 2 && have < 2 + first.readUInt16BE()) return
    let all = Buffer.concat(parts)
    try {
      while (all.length >= 2 && all.length >= 2 + all.readUInt16BE()) {
        const message = new Uint8Array(all.subarray(2, 2 + all.readUInt16BE()))
        all = all.subarray(2 + message.length)
        signing?.verify(message)
        if (!zone.take(message)) continue
        signing?.end()
        resolve(zone.whole())
        return void socket.destroy()
      }
    } catch (error) {
      return void socket.destroy(
        error instanceof RangeError
          ? new NoTransfer(`${host} sends what is no answer of DNS`)
          : error instanceof NoTransfer
            ? error
            : new NoTransfer(`${host}: ${error instanceof Error ? error.message : error}`),
      )
    }
    parts = [all]
    have = all.length
  })
  socket.on('timeout', () => socket.destroy(new Error(`silence for ${SILENCE_MS / 1000} s`)))
  socket.on('error', reject)
  // ignored after the end of the zone
  socket.on('close', () => {
    clearTimeout(timer)
    reject(
      zone.hasBegun
        ? new NoTransfer(`${host} ends the connection in the middle of the zone`)
        : new Error('closed without an answer'),
    )
  })
  return promise
}

const codes: Record<number, string> = {
  1: 'does not understand the question',
  2: 'fails to answer',
  3: 'does not have this zone',
  4: 'gives no zones',
  5: 'refuses: it has to allow transfers to the address of Innkeeper, or wants a key',
  9: 'is not responsible for this zone, or refuses the key',
}

class Zone {
  readonly #domain: string
  readonly #most: number
  readonly #lines: string[] = []
  #chars = 0
  #serial: number | undefined
  #signed = false

  constructor(domain: string, most: number) {
    this.#domain = `${domain}.`
    this.#most = most
  }

  get hasBegun(): boolean {
    return this.#serial !== undefined
  }

  /** True after the last record, which is the SOA record again. */
  take(message: Bytes): boolean {
    const { code, answers } = readReply(message)
    if (code) throw new NoTransfer(`The name server ${codes[code] ?? `answers with code ${code}`}`)
    if (!answers.length) throw new NoTransfer('The name server gives no records of this zone')
    for (const record of answers) {
      const isSoa = record.type === typeNumbers.SOA && nameText(record.owner) === this.#domain
      if (this.#serial === undefined) {
        if (!isSoa) throw new NoTransfer('Its answer does not begin with the SOA record of the zone')
        this.#serial = serialOf(record)
      } else if (isSoa) return true
      else this.#keep(record)
    }
    return false
  }

  #keep({ owner, type, ttl, data }: WireRecord): void {
    const name = nameText(owner)
    if (name !== this.#domain && !name.endsWith(`.${this.#domain}`)) return
    if (type === typeNumbers.DNSKEY) this.#signed = true
    // Innkeeper signs by itself
    if (signatures.has(type)) return
    const hex = Buffer.from(data).toString('hex')
    const words = ['\\#', `${data.length}`, hex]
    const usual = decoded(`TYPE${type}`, words) ?? { type: nameOfNumber(type) ?? `TYPE${type}`, data: words }
    const line = `${name} ${Math.min(ttl, 2_147_483_647)} IN ${usual.type} ${usual.data.join(' ')}`
    this.#chars += line.length + 1
    if (this.#chars > this.#most) throw new NoTransfer(`The zone is larger than ${this.#most} characters`)
    this.#lines.push(line)
  }

  whole(): Transferred {
    return { lines: this.#lines, serial: this.#serial ?? 0, signed: this.#signed }
  }
}

const signatures = new Set([46, 47, 48, 50, 51, 59, 60, 63, 65_534])

/** The first of the five numbers at the end of the data. */
const serialOf = ({ data }: WireRecord): number =>
  data.length < 22 ? 0 : new DataView(data.buffer, data.byteOffset, data.length).getUint32(data.length - 20)
