import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
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

/** A person who answers. */
export interface Terminal {
  question(text: string): Promise<string>
  say(text: string): void
  close(): void
}

/** Reads the options, and asks for what they lack. `known` are the present settings. `print-sql`: only the statements are wanted. */
export async function readAnswers(
  words: readonly string[],
  known: Record<string, string>,
  hostname: string,
  terminal: Terminal | undefined = process.stdin.isTTY ? openTerminal() : undefined,
): Promise<Answers | 'print-sql'> {
  const { values } = parseArgs({ args: [...words], options, strict: true })
  if (values['print-sql']) return 'print-sql'
  const port = values.port === undefined ? undefined : Number(values.port)
  if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65_536))
    throw new Error('--port takes a number from 1 to 65535')
  /** Asks until the answer can be used. */
  const ask = async <T>(question: string, option: string, usual: string | undefined, read: (answer: string) => T) => {
    if (!terminal) {
      if (usual !== undefined && usual === known.INNKEEPER_PUBLIC_HOST) return read(usual)
      throw new Error(`Name ${option}: there is no terminal to ask.\n\n${setupHelp}`)
    }
    for (;;) {
      const answer = (await terminal.question(`${question}${usual ? ` [${usual}]` : ''}: `)).trim()
      try {
        return read(answer || usual || '')
      } catch (error) {
        terminal.say(error instanceof Error ? error.message : String(error))
      }
    }
  }
  const askHttps = async (): Promise<Answers['https']> => {
    const answer = await ask(
      'https (acme, plain, the file of a certificate, or addresses of proxies)',
      '--certificate, --behind or --plain',
      'acme',
      askedHttps,
    )
    if (answer.by !== 'file') return answer
    return { ...answer, key: await ask('File of its private key', '--certificate-key', undefined, fileIn) }
  }
  try {
    const database =
      values.database === undefined && known.DATABASE_URL === undefined
        ? await ask('Database (local, embedded or postgres://…)', '--database', 'local', databaseIn)
        : databaseIn(values.database ?? known.DATABASE_URL ?? '')
    const name =
      values.name === undefined
        ? await ask(
            'Name by which browsers and servers reach Innkeeper',
            '--name',
            known.INNKEEPER_PUBLIC_HOST ?? hostname,
            nameIn,
          )
        : nameIn(values.name)
    const https = httpsOf(values) ?? (await askHttps())
    return { database, owner: values['database-owner'], name, https, port, restore: values.restore }
  } finally {
    terminal?.close()
  }
}

function openTerminal(): Terminal {
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  const gone = new Promise<never>((_, reject) =>
    lines.once('close', () => reject(new Error('\nNothing was changed: not every question was answered.'))),
  )
  gone.catch(() => {}) // of no interest after the last question
  return {
    question: (text) => Promise.race([lines.question(text), gone]),
    say: (text) => console.log(text),
    close: () => lines.close(),
  }
}

function databaseIn(answer: string): string {
  if (answer === 'local' || answer === 'embedded' || /^postgres(ql)?:\/\/./.test(answer)) return answer
  throw new Error('Answer local, embedded, or the address of a database: postgres://role:password@host/database')
}

function nameIn(answer: string): string {
  if (/^[a-z0-9.:[\]-]{1,253}$/i.test(answer)) return answer
  throw new Error('Answer a host name or an address, without https:// and without a path')
}

function fileIn(answer: string): string {
  if (existsSync(answer)) return answer
  throw new Error(answer ? `There is no file ${answer}` : 'Answer the name of a file')
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

/** The answer about https, which a file begins: its key is asked for next. */
function askedHttps(answer: string): Answers['https'] {
  if (answer === 'acme') return { by: 'acme' }
  if (answer === 'plain') return { by: 'none' }
  if (answer.startsWith('/')) return { by: 'file', certificate: fileIn(answer), key: '' }
  const proxies = answer.split(',').map((one) => one.trim())
  if (proxies.every((one) => isIP(one.replace(/\/\d{1,3}$/, '')) > 0))
    return { by: 'proxy', proxies: proxies.join(',') }
  throw new Error('Answer acme, plain, a file as /etc/ssl/fullchain.pem, or addresses of proxies as 127.0.0.1')
}
