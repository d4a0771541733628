import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { letPass } from '../../bin/pass.ts'
import { freePorts, password, repository } from '../innkeeper.ts'

/** The moment of all pictures: the sample data begins with the same one. */
export const AT = Date.parse('2026-11-21T09:00:00Z')
const place = join(repository, 'data/looks')
const clock = ['--import', join(import.meta.dirname, 'clock.mjs')]

/** What decides the sample data: another folder is filled when one of these files changed. */
const causes = ['server/migrations/*.sql', 'server/seed/*.ts', 'server/*/*/**/seed*.ts', 'server/*/*/seed/**/*.ts']

export interface Provider {
  url: string
  token: string
  close: () => void
}

/** A provider with the sample data, whose clock stands still. */
export async function openProvider(): Promise<Provider> {
  const filled = fill()
  const dataDir = mkdtempSync(join(place, 'run-'))
  cpSync(filled, dataDir, { recursive: true })
  const port = await freePorts()
  const url = `http://127.0.0.1:${port}`
  // its output is not read: a failure shows in the answers
  const child = spawn(process.execPath, [...clock, 'server/main.js'], {
    cwd: repository,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: settings(dataDir, port),
  })
  const close = () => {
    child.kill('SIGKILL')
    rmSync(dataDir, { recursive: true, force: true })
  }
  process.once('exit', close)
  while ((await fetch(`${url}/readyz`).catch(() => undefined))?.status !== 200) {
    if (child.exitCode !== null) throw new Error('Innkeeper ended before it was ready')
    await letPass(50, 'between two looks')
  }
  const answer = await fetch(`${url}/api/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ user: 'admin', password }),
  })
  const { token } = (await answer.json()) as { token: string }
  return { url, token, close }
}

/** Fills a data folder once, and answers its path. */
function fill(): string {
  const hash = createHash('sha256')
  for (const file of globSync(causes, { cwd: repository }).sort()) hash.update(readFileSync(join(repository, file)))
  const filled = join(place, `filled-${hash.digest('hex').slice(0, 16)}`)
  if (existsSync(filled)) return filled
  console.log('Filling the sample data, once…')
  rmSync(place, { recursive: true, force: true })
  mkdirSync(place, { recursive: true })
  const draft = join(place, 'draft')
  const { status } = spawnSync(process.execPath, [...clock, 'server/task.ts', 'seed'], {
    cwd: repository,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: settings(draft, 0),
  })
  if (status !== 0) throw new Error('The sample data could not be filled')
  renameSync(draft, filled)
  return filled
}

const settings = (dataDir: string, port: number): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  INNKEEPER_LOOKS_AT: String(AT),
  INNKEEPER_ADMIN_PASSWORD: password,
  INNKEEPER_PRACTICE: 'off',
  INNKEEPER_LOG: 'error',
  INNKEEPER_DATA: dataDir,
  ...(port > 0 && { PORT: String(port) }),
})
