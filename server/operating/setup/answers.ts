import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'

export const setupHelp = `innkeeper setup [options]

Asks for what no option names. Without a terminal, every question needs its option.

  --database local              makes roles and a database in the PostgreSQL of this machine
  --database postgres://…       uses a database that exists; with --database-owner, another role for migrations
  --database embedded           the database in Innkeeper's own process: for trials and small installations
  --restore FILE                fills an empty database from a backup, under the key in /etc/innkeeper
  --print-sql                   prints the statements for a PostgreSQL elsewhere, and ends
  --name HOST                   the name by which browsers and servers reach Innkeeper
  --certificate acme            https by a certificate of Let's Encrypt, which asks at port 80
  --certificate FILE --certificate-key FILE   https by a certificate of yours
  --behind PROXIES              http for proxies at these addresses, which serve https: 127.0.0.1
  --plain                       http for everybody: for trials
  --port PORT                   default: 443 with a certificate, else 4400

It may run again: it changes what the options name, and keeps the key, the database and the people.`

export interface Answers {
  database: string
  owner: string | undefined
  name: string
  https:
    | { by: 'acme' }
    | { by: 'file'; certificate: string; key: string }
    | { by: 'proxy'; proxies: string }
    | { by: 'none' }
  port: number | undefined
  /** A backup that fills the database. */
  restore: string | undefined
}

const options = {
  database: { type: 'string' },
  'database-owner': { type: 'string' },
  name: { type: 'string' },
  certificate: { type: 'string' },
  'certificate-key': { type: 'string' },
  behind: { type: 'string' },
  plain: { type: 'boolean' },
  port: { type: 'string' },
  restore: { type: 'string' },
  'print-sql': { type: 'boolean' },
} as const

/** Reads the options, and asks for what they lack. `known` are the present settings. `print-sql`: only the statements are wanted. */
export async function readAnswers(
  words: readonly string[],
  known: Record<string, string>,
  hostname: string,
): Promise<Answers | 'print-sql'> {
  const { values } = parseArgs({ args: [...words], options, strict: true })
  if (values['print-sql']) return 'print-sql'
  const terminal = process.stdin.isTTY ? createInterface({ input: process.stdin, output: process.stdout }) : undefined
  const ask = async (question: string, option: string, usual?: string) => {
    if (!terminal) {
      if (usual !== undefined && usual === known.INNKEEPER_PUBLIC_HOST) return usual
      throw new Error(`Name ${option}: there is no terminal to ask.\n\n${setupHelp}`)
    }
    const answer = (await terminal.question(`${question}${usual ? ` [${usual}]` : ''}: `)).trim()
    return answer || usual || ''
  }
  try {
    const database =
      values.database ??
      known.DATABASE_URL ??
      (await ask('Database (local, embedded or postgres://…)', '--database', 'local'))
    const name =
      values.name ??
      (await ask(
        'Name by which browsers and servers reach Innkeeper',
        '--name',
        known.INNKEEPER_PUBLIC_HOST ?? hostname,
      ))
    const https =
      httpsOf(values) ??
      askedHttps(
        await ask('https (acme, plain, or addresses of proxies)', '--certificate, --behind or --plain', 'acme'),
      )
    const port = values.port === undefined ? undefined : Number(values.port)
    if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65_536))
      throw new Error('--port takes a number from 1 to 65535')
    return { database, owner: values['database-owner'], name, https, port, restore: values.restore }
  } finally {
    terminal?.close()
  }
}

interface Given {
  certificate?: string | undefined
  'certificate-key'?: string | undefined
  behind?: string | undefined
  plain?: boolean | undefined
}

function httpsOf(given: Given): Answers['https'] | undefined {
  const { certificate, 'certificate-key': key, behind, plain } = given
  const chosen = [certificate && '--certificate', behind && '--behind', plain && '--plain'].filter(Boolean)
  if (chosen.length > 1) throw new Error(`${chosen.join(' and ')} contradict each other: name one of them`)
  if (certificate === 'acme') return { by: 'acme' }
  if (certificate) {
    if (!key) throw new Error('--certificate FILE needs --certificate-key FILE')
    return { by: 'file', certificate, key }
  }
  if (key) throw new Error('--certificate-key needs --certificate FILE')
  if (behind) return { by: 'proxy', proxies: behind }
  return plain ? { by: 'none' } : undefined
}

const askedHttps = (answer: string): Answers['https'] =>
  answer === 'acme' ? { by: 'acme' } : answer === 'plain' ? { by: 'none' } : { by: 'proxy', proxies: answer }
