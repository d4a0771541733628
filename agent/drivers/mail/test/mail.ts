import { createHash, pbkdf2Sync } from 'node:crypto'
import type { OperationInput } from '@innkeeper/contract/agent/operations'

/** The hash of a password in the format that the control plane sends. */
export const hashOf = (password: string) => {
  const salt = createHash('sha256').update(password).digest('base64').slice(0, 16)
  return `{PBKDF2}$1$${salt}$1000$${pbkdf2Sync(password, salt, 1000, 20, 'sha1').toString('hex')}`
}
type Domain = OperationInput<'mail-domain.ensure'>
type User = Domain['users'][number]
export const user = (userId: number, localPart: string, more: Partial<User> = {}): User => ({
  ...{ userId, localPart, quotaMb: 20, state: 'active' },
  ...more,
})
export const hashes = {
  11: { 0: hashOf('secret of kari'), 5: hashOf('phone of kari'), 9: hashOf('tablet of kari') },
  12: { 0: hashOf('secret of lars') },
  13: { 0: hashOf('secret of mini') },
}
export const domainOf = (more: Partial<Domain> = {}): Domain => ({
  ...{ mailboxId: 1, domain: 'post.example', state: 'active' },
  users: [user(11, 'kari'), user(12, 'lars'), user(13, 'mini', { quotaMb: 1 })],
  aliases: [],
  passwords: JSON.stringify(hashes),
  ...more,
})
