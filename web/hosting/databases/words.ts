import { type Database, type DatabaseUser, databaseEngine } from '@innkeeper/contract/hosting/databases/calls'

export const engineWords: Record<Database['engine'], string> = { mariadb: 'MariaDB', postgresql: 'PostgreSQL' }

export const privilegeWords: Record<DatabaseUser['privileges'], string> = {
  all: 'all privileges',
  read: 'reads only',
  custom: 'chosen privileges',
}

/** Shown instead of the fields for character set and collation, which PostgreSQL lacks here. */
export const POSTGRESQL_SHAPE = 'A PostgreSQL database has UTF8 and C.UTF-8.'
export const engines = databaseEngine.options.map((value) => ({ value, label: engineWords[value] }))

/** Where an account connects from. */
export const hostWords = (host: string): string => (host === 'localhost' ? 'its own server' : host)

export const charsets = [
  { value: 'utf8mb4', label: 'utf8mb4: every character' },
  { value: 'utf8mb3', label: 'utf8mb3: for older applications' },
  { value: 'latin1', label: 'latin1' },
  { value: 'ascii', label: 'ascii' },
]

/** Common collations of a character set. The server knows more; the field accepts them too. */
export const collationsOf = (charset: string): string[] => [
  `${charset}_general_ci`,
  ...(charset.startsWith('utf8') ? [`${charset}_unicode_ci`, `${charset}_unicode_520_ci`] : []),
  ...(charset === 'latin1' ? ['latin1_swedish_ci'] : []),
  `${charset}_bin`,
]

/** The line that opens a timed login in a shell of the server. */
export const loginLine = (
  { engine, name }: Pick<Database, 'engine' | 'name'>,
  username: string,
  password: string,
): string =>
  engine === 'postgresql'
    ? `PGPASSWORD=${password} psql --username=${username} ${name}`
    : `MYSQL_PWD=${password} mariadb --user=${username} ${name}`
