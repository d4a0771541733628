import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { serverFolder } from '../kit/app/serverFolder.ts'

/** Places of an installed package. */
export const places = {
  env: '/etc/innkeeper/innkeeper.env',
  key: '/etc/innkeeper/innkeeper.key',
  data: '/var/lib/innkeeper',
  lib: dirname(serverFolder),
  user: 'innkeeper',
} as const

/** Settings of an environment file, as systemd reads it: NAME=value, one a line, optionally quoted. */
export function parseEnvironment(text: string): Record<string, string> {
  const settings: Record<string, string> = {}
  for (const line of text.split('\n')) {
    const at = line.indexOf('=')
    const name = line.slice(0, at).trim()
    if (at < 0 || !/^[A-Z][A-Z0-9_]*$/.test(name)) continue
    const value = line.slice(at + 1).trim()
    const quote = value.at(0)
    const isQuoted = value.length > 1 && (quote === '"' || quote === "'") && value.at(-1) === quote
    settings[name] = isQuoted ? value.slice(1, -1).replace(/\\(["\\$`])/g, '$1') : value
  }
  return settings
}

/** A line of an environment file. Quotes keep systemd from reading a value as something else. */
export const environmentLine = (name: string, value: string): string =>
  /^[\w./:@,+-]*$/.test(value) ? `${name}=${value}` : `${name}="${value.replace(/[\\"$`]/g, '\\$&')}"`

/** Lines of the file with these settings changed: the first line of a name, commented out or not, gets the value. */
export function withSettings(text: string, settings: Record<string, string | undefined>): string {
  const lines = text.trimEnd().split('\n')
  for (const [name, value] of Object.entries(settings)) {
    const set = lines.findIndex((line) => line.startsWith(`${name}=`))
    const at = set >= 0 ? set : lines.findIndex((line) => line.startsWith(`#${name}=`))
    const line = value === undefined ? `#${name}=` : environmentLine(name, value)
    if (at >= 0) lines[at] = line
    else if (value !== undefined) lines.push(line)
  }
  return `${lines.join('\n')}\n`
}

/** The environment of the services, with the key. Throws where the caller may not read it. */
export function readEnvironment(): Record<string, string> {
  const settings = parseEnvironment(readOwn(places.env))
  const environment: Record<string, string> = { INNKEEPER_DATA: places.data, ...settings }
  if (!settings.INNKEEPER_KEY && existsSync(places.key)) environment.INNKEEPER_KEY = readOwn(places.key).trim()
  return environment
}

function readOwn(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EACCES') throw new Error(`${file} cannot be read. Run the command as root: sudo innkeeper …`)
    if (code === 'ENOENT') throw new Error(`${file} is missing: innkeeper setup makes it`)
    throw error
  }
}

/** User and group of the services, where this process may become them. */
export function serviceUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const ids = (file: string) => {
    const lines = readFileSync(file, 'utf8').split('\n')
    return Number(lines.find((line) => line.startsWith(`${places.user}:`))?.split(':')[2] ?? Number.NaN)
  }
  const [uid, gid] = [ids('/etc/passwd'), ids('/etc/group')]
  if (Number.isNaN(uid) || Number.isNaN(gid))
    throw new Error(`The user ${places.user} is missing: install the package again`)
  return { uid, gid }
}

/**
 * Runs a task of Innkeeper as the user of the services. Answers its exit code; `said` gets its output instead of the
 * terminal. The authorities are those of the machine, because the doctor looks at Innkeeper as a browser does.
 */
export function runAsService(words: readonly string[], said?: (text: string) => void): Promise<number> {
  const env = {
    ...readEnvironment(),
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    INIT_CWD: process.cwd(),
    LANG: 'C.UTF-8',
  }
  const child = spawn(process.execPath, ['--use-system-ca', join(serverFolder, 'dist/task.mjs'), ...words], {
    ...serviceUser(),
    env,
    cwd: '/',
    stdio: ['inherit', said ? 'pipe' : 'inherit', 'inherit'],
  })
  child.stdout?.setEncoding('utf8').on('data', said ?? (() => {}))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(code ?? (signal ? 1 : 0)))
  })
}
