import { randomBytes } from 'node:crypto'
import type { Driver } from '../../kit/driver.ts'
import { exclusive, places, remove, replace, run } from '../../kit/host.ts'
import { ask, askRows, named, quoted, shapeOf } from './mariadbAsk.ts'

const PREFIX = 'ik_console_'
const MOST_TEXT = 2000 // characters of a value
const MOST_BYTES = 1_000_000 // of one answer of the console

/**
 * Runs SQL as a temporary account with SELECT and SHOW VIEW on this database alone. MariaDB enforces the limits; the
 * account is dropped afterwards, and by the next query after a crash.
 */
export const queryDatabase: Driver<'database.query'> = {
  run: (c) => readOnly(c, c.input),
  undo: async () => undefined,
  inspect: async () => 'no', // reads only, so a repeat is harmless
}

interface Asked {
  name: string
  sql: string
  rows: number
  seconds: number
}

/** The rows of the last result of some SQL. */
export const readOnly = (
  c: { actionId: number; fence(): void },
  { name, sql, rows: most, seconds }: Asked,
): Promise<Read & { milliseconds: number }> =>
  exclusive('database console', async () => {
    const begun = performance.now()
    const text = await asGuest(c, { name, seconds, grants: [] }, async ({ client }) => {
      // binary mode: no client command such as `system` is read from the text
      const ran = await run([...client, '--binary-mode', '--xml', `--database=${name}`], {
        input: `set session sql_select_limit = ${most + 1}; set session transaction read only; ${sql}\n;`,
        withinMs: (seconds + 3) * 1000,
      })
      if (ran.code !== 0) throw new Error(errorIn(ran.stderr))
      return ran.stdout
    })
    return { ...readXml(text, most), milliseconds: Math.round(performance.now() - begun) }
  })

interface Guest {
  name: string
  seconds: number
  /** Rights besides reading: `insert on shop.*`. */
  grants: string[]
}

/** Runs `work` as a temporary account that may read this database and has these rights. */
export async function asGuest<T>(
  c: { actionId: number; fence(): void },
  { name, seconds, grants }: Guest,
  work: (guest: { client: [string, ...string[]] }) => Promise<T>,
): Promise<T> {
  if (!(await shapeOf(name))) throw new Error(`there is no database ${name} on this server`)
  await dropLeftOver()
  const user = `${PREFIX}${c.actionId}`
  const password = randomBytes(24).toString('base64url')
  const account = `${quoted(user)}@'localhost'`
  const file = `${places.state}/${user}.cnf`
  c.fence()
  await replace(file, `[client]\nuser=${user}\npassword=${password}\n`, { mode: 0o600 })
  try {
    await ask(
      [
        `create user ${account} identified by ${quoted(password)} with max_user_connections 1 max_statement_time ${seconds};`,
        `grant select, show view on ${named(name.replaceAll('_', '\\_'))}.* to ${account};`,
        ...grants.map((grant) => `grant ${grant} to ${account};`),
      ].join('\n'),
    )
    const client = ['mariadb', `--defaults-file=${file}`, '--protocol=socket', '--local-infile=0'] as const
    return await work({ client: [...client, '--default-character-set=utf8mb4'] })
  } finally {
    await remove(file)
    await dropGuest(account)
  }
}

/** Drops a temporary account. A statement may have lifted its own time limit, and would go on without its client. */
const dropGuest = (account: string) => ask(`drop user if exists ${account};\nkill user ${account};`)

/** The client repeats the statement before its error. Error 1969: the time limit. */
export function errorIn(said: string): string {
  const error = (/^ERROR .*/ms.exec(said)?.[0] ?? said).trim().slice(0, 2000)
  return error.startsWith('ERROR 1969 ') ? `the statement was stopped at its time limit: ${error}` : error
}

async function dropLeftOver(): Promise<void> {
  const left = await askRows<{ user: string }>(
    `select json_object('user', user) from mysql.global_priv where user like ${quoted(`${PREFIX.replaceAll('_', '\\_')}%`)};`,
  )
  for (const { user } of left) await dropGuest(`${quoted(user)}@'localhost'`)
}

interface Read {
  columns: string[]
  rows: (string | null)[][]
  more: boolean
}

/** Rows of the last result in the XML of the client, which tells NULL from an empty text. */
export function readXml(text: string, most: number): Read {
  const result = text.slice(text.lastIndexOf('<resultset'))
  const columns: string[] = []
  const rows: (string | null)[][] = []
  let bytes = 0
  let more = false
  for (const row of result.split('<row>').slice(1)) {
    if (rows.length === most || bytes > MOST_BYTES) {
      more = true
      break
    }
    const values: (string | null)[] = []
    for (const [, name = '', nil, value = ''] of row.matchAll(
      /<field name="([^"<]*)"(?:( xsi:nil="true") \/>|[^<>]*>([^<]*)<\/field>)/g,
    )) {
      if (!rows.length) columns.push(unescaped(name))
      const shown = unescaped(value)
      values.push(nil ? null : shown.length > MOST_TEXT ? `${shown.slice(0, MOST_TEXT)}…` : shown)
      bytes += value.length
    }
    rows.push(values)
  }
  return { columns, rows, more }
}

const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&' }
const unescaped = (text: string) =>
  text.replace(/&(lt|gt|quot|amp);/g, (_, name: string) => entities[name] ?? '').replaceAll('\0', '\ufffd')
