import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, resolve } from 'node:path'
import { readSettings } from '../../kit/app/settings.ts'
import { handedOver } from '../handover.ts'
import { parseEnvironment, places, readEnvironment, runAsService, serviceUser, withSettings } from '../installation.ts'
import { readyAt } from '../ready.ts'
import { units } from '../units.ts'
import { type Answers, readAnswers, setupHelp } from './answers.ts'
import { makeLocalDatabase, printedStatements } from './database.ts'

export { setupHelp }

const isLoopback = (proxies: string) => proxies.split(',').every((one) => /^(127\.|::1$)/.test(one.trim()))

/** Writes the settings, makes database and first administrator, starts the services and prints an address that answers. */
export async function setup(words: readonly string[]): Promise<number> {
  if (words.includes('--print-sql')) {
    console.log(printedStatements())
    return 0
  }
  if (process.getuid?.() !== 0) throw new Error('Run the command as root: sudo innkeeper setup')
  const before = existsSync(places.env) ? readFileSync(places.env, 'utf8') : ''
  const answers = await readAnswers(words, parseEnvironment(before), hostname())
  if (answers === 'print-sql') return 0 // handled above
  makeKey(answers)
  const text = withSettings(before, { ...settingsOf(answers), ...databaseOf(answers) })
  readSettings({ ...parseEnvironment(text), INNKEEPER_KEY: readFileSync(places.key, 'utf8').trim() }, []) // names what is wrong
  write(places.env, text, 0o640)
  checkFiles(answers)

  console.log('Preparing the database…')
  const { restore } = answers
  const code = await (restore ? handedOver(['restore', restore], 'read') : runAsService(['first-administrator']))
  if (code !== 0) return code

  const settings = readSettings(readEnvironment(), [])
  const wanted = settings.embedded ? [units.single] : [units.api, units.worker]
  const others = Object.values(units).filter((unit) => !wanted.some((one) => one === unit))
  systemctl('disable', '--quiet', '--now', ...others)
  systemctl('enable', '--quiet', ...wanted)
  console.log(`Starting ${wanted.join(' and ')}…`)
  for (const unit of wanted) systemctl('restart', unit)
  const problem = await readyAt(settings)
  if (problem) throw new Error(`Innkeeper runs, and is not ready: ${problem}. innkeeper doctor says more.`)
  console.log(`\n  Innkeeper is ready: ${addressOf(answers, settings.port)}\n`)
  return 0
}

/** The settings that the answers about name and https decide. */
function settingsOf({ name, https, port }: Answers): Record<string, string | undefined> {
  const own = https.by === 'acme' || https.by === 'file'
  return {
    INNKEEPER_PUBLIC_HOST: name,
    PORT: String(port ?? (own ? 443 : 4400)),
    HOST: https.by === 'proxy' && isLoopback(https.proxies) ? '127.0.0.1' : '0.0.0.0',
    INNKEEPER_AGENT_HOST: '0.0.0.0',
    INNKEEPER_AGENT_PORT: '4443',
    INNKEEPER_PREVIEW_PORT: '4480',
    INNKEEPER_HTTP_PORT: own ? '80' : undefined,
    INNKEEPER_CERTIFICATE: https.by === 'file' ? resolve(https.certificate) : https.by === 'acme' ? 'acme' : undefined,
    INNKEEPER_CERTIFICATE_KEY: https.by === 'file' ? resolve(https.key) : undefined,
    INNKEEPER_TRUST_PROXY: https.by === 'proxy' ? https.proxies : undefined,
  }
}

function databaseOf({ database, owner }: Answers): Record<string, string | undefined> {
  if (database === 'embedded') return { DATABASE_URL: undefined, DATABASE_OWNER_URL: undefined }
  if (database === 'local') return { ...makeLocalDatabase() }
  return { DATABASE_URL: database, ...(owner !== undefined && { DATABASE_OWNER_URL: owner }) }
}

/** The address for browsers. */
function addressOf({ name, https }: Answers, port: number): string {
  if (https.by === 'proxy') return `https://${name} through your proxy, which sends it to port ${port}`
  const [scheme, usual] = https.by === 'none' ? ['http', 80] : ['https', 443]
  return `${scheme}://${name}${port === usual ? '' : `:${port}`}`
}

/** The key of this installation. An existing one stays: it decrypts what is stored. */
function makeKey({ restore }: Answers): void {
  if (existsSync(places.key)) return
  if (restore) throw new Error(`${places.key} is missing: put the key there under which the backup was made`)
  write(places.key, `${randomBytes(32).toString('base64url')}\n`, 0o600)
  console.log(
    `The key that encrypts stored secrets is in ${places.key}. Keep a copy elsewhere: without it the secrets are lost.`,
  )
}

function write(file: string, text: string, mode: number): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o755 })
  const aside = `${file}.new`
  writeFileSync(aside, text, { mode, flush: true })
  chownSync(aside, 0, mode === 0o640 ? (serviceUser()?.gid ?? 0) : 0)
  renameSync(aside, file)
}

/** The services read the certificate themselves, also when it changes. */
function checkFiles({ https }: Answers): void {
  if (https.by !== 'file') return
  for (const file of [https.certificate, https.key]) {
    const ran = spawnSync('runuser', ['-u', places.user, '--', 'test', '-r', resolve(file)])
    if (ran.status !== 0)
      throw new Error(
        `The user ${places.user} cannot read ${file}: setfacl -m u:${places.user}:r ${file}, and x for its folders`,
      )
  }
}

function systemctl(...words: string[]): void {
  const ran = spawnSync('systemctl', words, { encoding: 'utf8' })
  if (ran.status === 0) return
  throw new Error(
    `systemctl ${words.join(' ')}: ${(ran.stderr || ran.error?.message || '').trim()}\njournalctl -u 'innkeeper-*' -n 30 says more`,
  )
}
