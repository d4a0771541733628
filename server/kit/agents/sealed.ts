import { createDecipheriv, createPublicKey, diffieHellman, generateKeyPairSync, hkdfSync } from 'node:crypto'

/** The DER header of an X25519 public key, in front of its 32 bytes. */
const DER_HEAD = Buffer.from('302a300506032b656e032100', 'hex')

/**
 * Creates a key for one answer that contains a secret: `key` goes into the operation, the agent encrypts its answer for
 * the key (agent/kit/sealed.ts), and only `open` can decrypt it. So no row of the queue has the secret in plain text.
 */
export function reader(): { key: string; open(sealed: string): string } {
  const own = generateKeyPairSync('x25519')
  return {
    key: own.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64'),
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64')
      const theirs = bytes.subarray(0, 32)
      const publicKey = createPublicKey({ key: Buffer.concat([DER_HEAD, theirs]), format: 'der', type: 'spki' })
      const shared = diffieHellman({ privateKey: own.privateKey, publicKey })
      const aes = Buffer.from(hkdfSync('sha256', shared, theirs, 'innkeeper sealed', 32))
      const cipher = createDecipheriv('aes-256-gcm', aes, bytes.subarray(32, 44))
      cipher.setAuthTag(bytes.subarray(44, 60))
      return Buffer.concat([cipher.update(bytes.subarray(60)), cipher.final()]).toString('utf8')
    },
  }
}
