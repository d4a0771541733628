import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { commandLine } from './serverFolder.ts'
import type { EncryptionKeys } from './tables.ts'

const PROOF = 'innkeeper key'
const NEXT = 'innkeeper next key'
const FORMER = 'innkeeper former key'

interface Cipher {
  key: string
  /** The name is additional data, so that ciphertexts of two rows cannot be exchanged. */
  seal(name: string, value: string): string
  /** Undefined if another key encrypted the value. */
  open(name: string, sealed: string): string | undefined
}

function cipherUnder(key: string): Cipher {
  const aes = Buffer.from(hkdfSync('sha256', key, '', 'innkeeper secrets', 32))
  return {
    key,
    seal(name, value) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', aes, iv).setAAD(Buffer.from(name))
      const sealed = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')
    },
    open(name, sealed) {
      const bytes = Buffer.from(sealed, 'base64')
      if (bytes.length < 28) return undefined
      const cipher = createDecipheriv('aes-256-gcm', aes, bytes.subarray(0, 12)).setAAD(Buffer.from(name))
      cipher.setAuthTag(bytes.subarray(12, 28))
      try {
        return Buffer.concat([cipher.update(bytes.subarray(28)), cipher.final()]).toString('utf8')
      } catch {
        return undefined
      }
    },
  }
}

/** A short name of a key, which reveals nothing of it. */
export const nameOfKey = (key: string): string =>
  Buffer.from(hkdfSync('sha256', key, '', 'innkeeper name of a key', 6)).toString('hex')

/** The given key is not the one that encrypts the secrets of this database. */
export class WrongKey extends Error {}

const EXCHANGED = `INNKEEPER_KEY, or the file data/key, is a former key: ${commandLine('new-key')} has replaced it. Set the new one.`
const OTHER = `INNKEEPER_KEY, or the file data/key, is not the key of this database. Set the right one. If it is lost,
${commandLine('new-key', '--forget-secrets')} goes on without it, and lists what has to be entered again.`

/** The key of this process and, while keys are exchanged, the other key of the two. */
export class Keyring {
  private known: Cipher[]

  constructor(key: string) {
    this.known = [cipherUnder(key)]
  }

  /** The key that encrypts what is written now. */
  get current(): string {
    return this.first.key
  }
  /** Keys that decrypt, but no longer encrypt. */
  get others(): string[] {
    return this.known.slice(1).map(({ key }) => key)
  }
  private get first(): Cipher {
    return this.known[0]!
  }

  seal(name: string, value: string): string {
    return this.first.seal(name, value)
  }
  open(name: string, sealed: string): string | undefined {
    for (const cipher of this.known) {
      const value = cipher.open(name, sealed)
      if (value !== undefined) return value
    }
    return undefined
  }
  isUnderCurrent(name: string, sealed: string): boolean {
    return this.first.open(name, sealed) !== undefined
  }

  /** Learns the other key of an exchange, and which key is the current one. */
  learn(row: Pick<EncryptionKeys, 'proof' | 'formerProof' | 'next' | 'former'>): void {
    const more = [row.next && this.open(NEXT, row.next), row.former && this.open(FORMER, row.former)]
    for (const key of more) if (key) this.add(key)
    const at = this.known.findIndex((cipher) => cipher.open(PROOF, row.proof) !== undefined)
    if (at < 0) {
      const isFormer = row.formerProof !== null && this.open(PROOF, row.formerProof) !== undefined
      throw new WrongKey(isFormer ? EXCHANGED : OTHER)
    }
    this.known.unshift(...this.known.splice(at, 1))
  }
  /** Another key that may have encrypted some of the secrets. */
  add(key: string): void {
    if (!this.known.some((cipher) => cipher.key === key)) this.known.push(cipherUnder(key))
  }

  proof(): string {
    return this.first.seal(PROOF, PROOF)
  }
  /** The row of an exchange of the current key for another one. Each of the two keys opens the other. */
  exchangeFor(key: string): { proof: string; formerProof: string; next: string; former: string } {
    const next = cipherUnder(key)
    return {
      proof: next.seal(PROOF, PROOF),
      formerProof: this.proof(),
      next: this.first.seal(NEXT, key),
      former: next.seal(FORMER, this.current),
    }
  }
}
