import { createCipheriv, createPublicKey, diffieHellman, generateKeyPairSync, hkdfSync, randomBytes } from 'node:crypto'

/** The DER header of an X25519 public key, in front of its 32 bytes. */
const DER_HEAD = Buffer.from('302a300506032b656e032100', 'hex')

/**
 * Encrypts a text for the holder of an X25519 key, like agent/kit/sealed.ts: key agreement with a new key, then
 * AES-256-GCM. server/kit/agents/sealed.ts decrypts.
 */
export function sealFor(reader: string, text: string): string {
  const publicKey = createPublicKey({
    key: Buffer.concat([DER_HEAD, Buffer.from(reader, 'base64')]),
    format: 'der',
    type: 'spki',
  })
  const own = generateKeyPairSync('x25519')
  const ours = own.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  const shared = diffieHellman({ privateKey: own.privateKey, publicKey })
  const aes = Buffer.from(hkdfSync('sha256', shared, ours, 'innkeeper sealed', 32))
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', aes, iv)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([ours, iv, cipher.getAuthTag(), sealed]).toString('base64')
}
