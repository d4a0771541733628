import type { HashForm } from '@innkeeper/contract/recovery/archiveImports/inventory'

/** The form of a password hash, from its text without the scheme in braces. */
export function formOf(hash: string | undefined): HashForm {
  const text = (hash ?? '').replace(/^\{[A-Za-z0-9.-]{1,30}\}/, '')
  if (text === '' || /^[!*x]{1,2}$/.test(text)) return 'none'
  if (/^\$1\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22}$/.test(text)) return 'md5-crypt'
  if (/^\$5\$(?:rounds=\d{1,9}\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{43}$/.test(text)) return 'sha256-crypt'
  if (/^\$6\$(?:rounds=\d{1,9}\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{86}$/.test(text)) return 'sha512-crypt'
  if (/^\$y\$[./A-Za-z0-9]{1,20}\$[./A-Za-z0-9]{1,86}\$[./A-Za-z0-9]{43}$/.test(text)) return 'yescrypt'
  if (/^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/.test(text)) return 'bcrypt'
  if (/^\$argon2id?\$[\x21-\x7e]{10,200}$/.test(text)) return 'argon2'
  if (/^\*[0-9A-Fa-f]{40}$/.test(text)) return 'mysql-native'
  return /^\$A\$/.test(text) ? 'mysql-sha2' : 'other'
}

/** The hash as Dovecot reads it. crypt(3) of Debian knows these forms, Dovecot itself knows Argon2. */
export function dovecotHash(hash: string): string | undefined {
  const text = hash.replace(/^\{[A-Za-z0-9.-]{1,30}\}/, '')
  const form = formOf(hash)
  if (['md5-crypt', 'sha256-crypt', 'sha512-crypt', 'yescrypt', 'bcrypt'].includes(form)) return `{CRYPT}${text}`
  return form === 'argon2' && text.startsWith('$argon2id$') ? `{ARGON2ID}${text}` : undefined
}
