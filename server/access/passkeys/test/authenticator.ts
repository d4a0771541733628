import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'
import type { PasskeyAnswer } from '@innkeeper/contract/access/passkeyAnswer'
import type { NewPasskey } from '@innkeeper/contract/access/passkeys'

const b64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url')
const sha = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest()

/** CBOR of what an authenticator sends: maps of small integers and texts to integers, texts and bytes. */
function cbor(value: number | string | Uint8Array | Map<number | string, unknown>): Buffer {
  const head = (major: number, n: number) =>
    n < 24
      ? Buffer.from([(major << 5) | n])
      : n < 256
        ? Buffer.from([(major << 5) | 24, n])
        : Buffer.from([(major << 5) | 25, n >> 8, n & 255])
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Map)
    return Buffer.concat([
      head(5, value.size),
      ...[...value].flatMap(([key, one]) => [cbor(key), cbor(one as Parameters<typeof cbor>[0])]),
    ])
  return Buffer.concat([head(2, value.length), value])
}

interface Lie {
  origin?: string
  rpID?: string
  /** False: nobody touched a sensor or typed a PIN. */
  isVerified?: boolean
  counter?: number
}

/** An authenticator of a test, by WebAuthn level 3: one key, ES256, with a counter. */
export class Authenticator {
  readonly id = randomBytes(32)
  readonly #pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  counter = 0

  #data(rpID: string, { isVerified = true, counter }: Lie, attested = false): Buffer {
    const flags = 0x01 | (isVerified ? 0x04 : 0) | (attested ? 0x40 : 0)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter ?? ++this.counter)
    return Buffer.concat([sha(rpID), Buffer.from([flags]), count])
  }

  #client(type: string, challenge: string, origin: string): string {
    return b64(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  }

  #credential(clientExtensionResults: Record<string, unknown>) {
    const id = b64(this.id)
    return { id, rawId: id, type: 'public-key', authenticatorAttachment: 'platform', clientExtensionResults } as const
  }

  create(options: Record<string, unknown>, origin: string, lie: Lie = {}): NewPasskey {
    const { challenge, rp } = options as { challenge: string; rp: { id: string } }
    const { x = '', y = '' } = this.#pair.publicKey.export({ format: 'jwk' })
    const key = cbor(
      new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]),
    )
    const length = Buffer.from([0, this.id.length])
    const authData = Buffer.concat([this.#data(lie.rpID ?? rp.id, lie, true), Buffer.alloc(16), length, this.id, key])
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ])
    return {
      ...this.#credential({ credProps: { rk: true } }),
      response: {
        clientDataJSON: this.#client('webauthn.create', challenge, lie.origin ?? origin),
        attestationObject: b64(cbor(attestation)),
        transports: ['internal'],
        // browsers repeat these parts of the attestation
        authenticatorData: b64(authData),
        publicKey: b64(this.#pair.publicKey.export({ format: 'der', type: 'spki' })),
        publicKeyAlgorithm: -7,
      },
    }
  }

  get(options: Record<string, unknown>, origin: string, lie: Lie = {}): PasskeyAnswer {
    const { challenge, rpId } = options as { challenge: string; rpId: string }
    const client = this.#client('webauthn.get', challenge, lie.origin ?? origin)
    const data = this.#data(lie.rpID ?? rpId, lie)
    const signed = Buffer.concat([data, sha(Buffer.from(client, 'base64url'))])
    return {
      ...this.#credential({}),
      response: {
        clientDataJSON: client,
        authenticatorData: b64(data),
        signature: b64(createSign('sha256').update(signed).sign(this.#pair.privateKey)),
      },
    }
  }
}
