import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { UsageError } from './exit.ts'

const Saved = z.object({ url: z.string(), token: z.string() })
export type Saved = z.output<typeof Saved>
type Environment = Record<string, string | undefined>

const fileOf = (env: Environment): string =>
  join(env.XDG_CONFIG_HOME ?? join(homedir(), '.config'), 'innkeeper', 'cli.json')

/** Address and token: of the environment, otherwise of the file that `innkeeper login` wrote. */
export function readSettings(env: Environment): Saved {
  const saved = readFile(env)
  const url = env.INNKEEPER_URL ?? saved?.url
  const token = env.INNKEEPER_TOKEN ?? saved?.token
  if (!url || !token) throw new UsageError('Run innkeeper login, or set INNKEEPER_URL and INNKEEPER_TOKEN')
  return { url, token }
}

function readFile(env: Environment): Saved | undefined {
  const file = fileOf(env)
  if (!existsSync(file)) return undefined
  if (statSync(file).mode & 0o077) throw new UsageError(`Others can read ${file}: chmod 600 ${file}`)
  const read = Saved.safeParse(JSON.parse(readFileSync(file, 'utf8')))
  if (!read.success) throw new UsageError(`${file} cannot be understood: run innkeeper login`)
  return read.data
}

/** Writes the file for its owner only, and returns its path. */
export function saveSettings(env: Environment, saved: Saved): string {
  const file = fileOf(env)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(file, `${JSON.stringify(saved, null, 2)}\n`, { mode: 0o600 })
  chmodSync(file, 0o600) // the file may have existed
  return file
}

export const forgetSettings = (env: Environment): void => rmSync(fileOf(env), { force: true })
