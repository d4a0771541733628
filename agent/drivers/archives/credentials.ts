import { createHash } from 'node:crypto'

/** How an application reaches its database. */
export interface Credentials {
  name: string
  user: string
  password: string
}

const forms: readonly Record<keyof Credentials, RegExp>[] = [
  // WordPress
  {
    name: /define\(\s{0,9}['"]DB_NAME['"]\s{0,9},\s{0,9}['"]([^'"\n]{1,200})['"]/,
    user: /define\(\s{0,9}['"]DB_USER['"]\s{0,9},\s{0,9}['"]([^'"\n]{1,200})['"]/,
    password: /define\(\s{0,9}['"]DB_PASSWORD['"]\s{0,9},\s{0,9}['"]([^'"\n]{1,200})['"]/,
  },
  // Laravel, and others with a file of settings
  {
    name: /^DB_(?:DATABASE|NAME)=["']?([^"'\s]{1,200})/m,
    user: /^DB_USER(?:NAME)?=["']?([^"'\s]{1,200})/m,
    password: /^DB_PASSWORD=["']?([^"'\s]{1,200})/m,
  },
  // Joomla
  {
    name: /\$db\s{0,9}=\s{0,9}['"]([^'"\n]{1,200})['"]/,
    user: /\$user\s{0,9}=\s{0,9}['"]([^'"\n]{1,200})['"]/,
    password: /\$password\s{0,9}=\s{0,9}['"]([^'"\n]{1,200})['"]/,
  },
  // Drupal, and others with a map of PHP
  {
    name: /['"](?:database|dbname)['"]\s{0,9}=>\s{0,9}['"]([^'"\n]{1,200})['"]/,
    user: /['"](?:username|user)['"]\s{0,9}=>\s{0,9}['"]([^'"\n]{1,200})['"]/,
    password: /['"](?:password)['"]\s{0,9}=>\s{0,9}['"]([^'"\n]{1,200})['"]/,
  },
]

/** What a configuration file says; undefined if it is of no known form. */
export function credentialsIn(text: string): Credentials | undefined {
  for (const { name, user, password } of forms) {
    const [a, b, c] = [name, user, password].map((one) => one.exec(text)?.[1])
    if (a && b && c) return { name: a, user: b, password: c }
  }
  return undefined
}

/** The hash that MariaDB has for a password. */
export function nativeHash(password: string): string {
  const sha1 = (of: string | Buffer) => createHash('sha1').update(of).digest()
  return `*${sha1(sha1(password)).toString('hex').toUpperCase()}`
}
