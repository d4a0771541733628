import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, existsSync } from 'node:fs'
import { chmod, link, mkdir, readlink, rename, rm } from 'node:fs/promises'
import { arch } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OperationInput } from '@innkeeper/contract/agent/operations'
import { fetchFile } from '../../door.ts'
import { type Driver, NotYetKnown } from '../../kit/driver.ts'
import { notes, places } from '../../kit/host.ts'
import type { Nodes } from '../../nodes.ts'
import { beginSwitch, switching } from '../../switch.ts'
import { connection } from '../../transfer/link.ts'
import { build } from '../../version.ts'

type Wanted = OperationInput<'agent.update'>
const agentArch = arch() === 'arm64' ? 'arm64' : 'x64'

/**
 * Installs the new agent beside this one and starts `switch.ts`, which survives this process. The result shows when an
 * agent inspects this operation: the new agent, or this one after a failed switch.
 */
export const updateAgent: Driver<'agent.update'> = {
  async run({ input, actionId, say, fence }) {
    const note = await notes.find('agent-update', `${actionId}`)
    if (note?.about.result) {
      await notes.drop('agent-update', `${actionId}`) // a retry by a person attempts the update again
      throw new Error(note.about.result)
    }
    if (build === input.agent) return say(`the agent ${input.version} runs already`)
    const before = await readlink(`${places.home}/current`)
    const release = await unpack(input, before, say)
    fence()
    await notes.keep('agent-update', `${actionId}`, actionId)
    say(`switching to ${release}; if it does not check in, ${before} comes back by itself`)
    await beginSwitch({ release, before, actionId, version: input.version })
    await Promise.race([once(process, 'SIGTERM'), sleep(90_000)])
    throw new NotYetKnown(`This agent is being replaced by ${input.version}`)
  },
  /** Another update replaces an update; undo does nothing. */
  async undo({ say }) {
    say('the agent stays as it is')
  },
  async inspect({ input, task }) {
    if (task === 'undo') return 'yes'
    const ended = new AbortController()
    const giveWay = () => ended.abort()
    process.once('SIGTERM', giveWay)
    const end = performance.now() + 100_000
    while (switching() && !ended.signal.aborted && performance.now() < end)
      await sleep(200, undefined, { signal: ended.signal }).catch(() => {}) // aborted by SIGTERM; checked above
    process.off('SIGTERM', giveWay)
    if (ended.signal.aborted) throw new NotYetKnown('This agent is being replaced by the other one')
    if (switching()) return 'unknown'
    return build === input.agent ? 'yes' : 'no'
  },
}

/** Downloads the release unless it is there. Links Node from the current release if that is the same. */
async function unpack({ version, agent, node }: Wanted, before: string, say: (text: string) => void): Promise<string> {
  const wantedNode = node[agentArch]
  if (!wantedNode) throw new Error(`the control plane offers no Node for ${agentArch}`)
  const release = `${places.home}/${version}-${agent.slice(0, 8)}`
  const has = async (folder: string, file: string, sha256: string) => (await sumOf(`${folder}/${file}`)) === sha256
  if ((await has(release, 'agent.mjs', agent)) && (await has(release, 'node', wantedNode))) return release
  const { nodes, pin } = connection()
  const aside = `${release}.new`
  for (const folder of [aside, release]) await rm(folder, { recursive: true, force: true })
  await mkdir(aside, { recursive: true, mode: 0o755 })
  if (await has(before, 'node', wantedNode)) await link(`${before}/node`, `${aside}/node`)
  else {
    say(`fetching Node for ${agentArch}`)
    await fetched(nodes, pin, `node-${agentArch}`, `${aside}/node`, wantedNode)
  }
  await fetched(nodes, pin, 'agent.mjs', `${aside}/agent.mjs`, agent)
  await chmod(aside, 0o755)
  await rename(aside, release)
  return release
}

async function fetched(nodes: Nodes, pin: string, name: string, to: string, sha256: string): Promise<void> {
  const url = nodes.current
  const sum = await fetchFile(url, pin, name, to).catch((error: unknown) => {
    nodes.failed(url) // a retry asks the next node
    throw error
  })
  if (sum !== sha256) throw new Error(`${name} has another checksum than expected: nothing was installed`)
}

async function sumOf(file: string): Promise<string | undefined> {
  if (!existsSync(file)) return undefined
  const hash = createHash('sha256')
  for await (const part of createReadStream(file)) hash.update(part as Buffer) // a Buffer, since no encoding is set
  return hash.digest('hex')
}
