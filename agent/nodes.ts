import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'

/** Time after which an agent tries its own node again. */
const RETURN_MS = 600_000
const Learned = z.array(z.url({ protocol: /^https$/ })).max(50)

/** The addresses of the nodes of the control plane. All requests go to one of them, until it does not answer. */
export interface Nodes {
  /** The address of the next request. */
  readonly current: string
  /** The address of the next heartbeat: now and then the agent's own node, to which it returns once that answers. */
  readonly tried: string
  /** This address did not answer: others are next. */
  failed(url: string): void
  answered(url: string): void
  /** Replaces the addresses by those that the control plane names; none means those of the settings. */
  learn(urls: readonly string[]): void
}

/**
 * `settled`: the addresses in the settings, which stay as the last resort. `stateDir` keeps the learned ones. `spread`
 * chooses the agent's own node, so that agents spread over the nodes.
 */
export function openNodes(
  settled: readonly string[],
  {
    stateDir,
    spread = '',
    now = () => performance.now(),
  }: { stateDir?: string; spread?: string; now?: () => number } = {},
): Nodes {
  const file = stateDir && join(stateDir, 'addresses.json')
  const share = createHash('sha256').update(spread).digest().readUInt32BE()
  let learned = file ? readLearned(file) : []
  let all: string[] = []
  let own = ''
  let current = ''
  let returnsAt = 0

  function settle(): void {
    all = [...new Set([...learned, ...settled])]
    const equals = learned.length ? learned : settled
    own = equals[share % equals.length]!
    if (!equals.includes(current)) current = own
    returnsAt = 0
  }
  settle()

  return {
    get current() {
      return current
    },
    get tried() {
      return current !== own && now() >= returnsAt ? own : current
    },
    failed(url) {
      if (url === own) returnsAt = now() + RETURN_MS
      if (url === current) current = all[(all.indexOf(url) + 1) % all.length]!
    },
    answered(url) {
      if (url === own) current = own
    },
    learn(urls) {
      if (urls.join() === learned.join()) return
      learned = [...urls]
      settle()
      if (file) keepLearned(file, learned)
    },
  }
}

function readLearned(file: string): string[] {
  try {
    return Learned.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return [] // none yet, or not ours: the settings name a node
  }
}

function keepLearned(file: string, urls: string[]): void {
  if (!urls.length) {
    rmSync(file, { force: true })
    return
  }
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 })
  writeFileSync(`${file}.new`, `${JSON.stringify(urls)}\n`, { mode: 0o600, flush: true })
  renameSync(`${file}.new`, file)
}
