import * as z from 'zod'
import { post, whole } from '../../kit/endpoint.ts'
import { address, domain } from '../../kit/values.ts'
import { type Bytes, two } from './wire.ts'

/** Zone transfers (RFC 5936) from a name server of somebody else, signed by a key (TSIG, RFC 8945) if it wants one. */

/** Characters of a zone file. */
export const MAX_ZONE_FILE = 4_000_000

export const transferAlgorithms = ['hmac-sha256', 'hmac-sha512', 'hmac-sha384', 'hmac-sha1'] as const

const transferBody = {
  domain,
  host: z.union([address, domain], 'A name such as ns1.example.org, or an address'),
  port: whole(1, 65_535).default(53),
  /** Absent: the name server gives the zone to everybody, or to the address of Innkeeper. */
  keyName: z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^(?=.{1,253}$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*\.?$/, 'The name of the key, such as transfer-key')
    .optional(),
  algorithm: z.enum(transferAlgorithms).default('hmac-sha256'),
  secret: z
    .string()
    .trim()
    .regex(/^(?=.{4,200}$)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, 'A key in base64')
    .optional(),
}

const TransferredZone = z.object({
  /** Without SOA and signatures, which Innkeeper makes itself. */
  zoneFile: z.string(),
  records: z.int(),
  serial: z.int(),
  /** The zone is signed there. */
  signed: z.boolean(),
  /** Why the zone must not be served unsigned yet; null: no resolver expects signatures. */
  trusted: z.string().nullable(),
})
export type TransferredZone = z.output<typeof TransferredZone>

export const transferCalls = {
  transfer: post('/dns/zones/transfer', 'dns:zone:create', {
    summary: 'Read a zone from the name server that has it, by AXFR; nothing is stored',
    effect: 'read',
    status: 200,
    body: transferBody,
    returns: TransferredZone,
  }),
}

/** Where the additional record that signs a message begins; undefined: the message is not signed. */
export function signatureAt(bytes: Bytes): number | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  let at = 12
  const skipName = () => {
    for (;;) {
      const length = view.getUint8(at)
      at += length >= 0xc0 ? 2 : 1 + length
      if (length === 0 || length >= 0xc0) return
    }
  }
  for (let n = view.getUint16(4); n > 0; n--) {
    skipName()
    at += 4
  }
  const all = view.getUint16(6) + view.getUint16(8) + view.getUint16(10)
  for (let n = 1; n <= all; n++) {
    const begin = at
    skipName()
    const type = view.getUint16(at)
    at += 10 + view.getUint16(at + 8)
    if (type === 250) return n === all && view.getUint16(10) > 0 ? begin : undefined
  }
  return undefined
}

/** A name in wire format as zone files have it, with a final dot. */
export function nameText(name: Bytes): string {
  const labels: string[] = []
  for (let at = 0; name[at]; at += 1 + (name[at] ?? 0)) {
    const label = name.slice(at + 1, at + 1 + (name[at] ?? 0))
    labels.push(
      [...label]
        .map((byte) => {
          const char = String.fromCharCode(byte)
          return /[\w*-]/.test(char) ? char : `\\${String(byte).padStart(3, '0')}`
        })
        .join(''),
    )
  }
  return `${labels.join('.')}.`
}

/** A message with its length in front, as it goes over TCP. */
export const framed = (message: Bytes): Bytes => {
  const whole = new Uint8Array(2 + message.length)
  whole.set(two(message.length))
  whole.set(message, 2)
  return whole
}
