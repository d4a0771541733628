import { request } from 'node:https'
import type { Nodes } from '../nodes.ts'
import { PinnedAgent } from '../pinnedAgent.ts'

interface Link {
  nodes: Nodes
  pin: string
  credential: string
}
let link: Link | undefined
/** States where Innkeeper is, and with which credential this agent reaches it. */
export const connectTo = (to: Link): void => {
  link = to
}

/** Throws before `connectTo`. */
export function connection(): Link {
  if (!link) throw new Error('This agent has no connection to Innkeeper')
  return link
}

const SILENCE_MS = 60_000

/** Opens a request to Innkeeper, which fails after a minute of silence. Throws before `connectTo`. */
export function asked(path: string, method: 'GET' | 'POST', length?: number) {
  const { nodes, pin, credential } = connection()
  const url = nodes.current
  const made = request(new URL(path, url), {
    method,
    agent: new PinnedAgent(pin),
    timeout: SILENCE_MS,
    headers: {
      authorization: `Bearer ${credential}`,
      ...(length !== undefined && { 'content-type': 'application/octet-stream', 'content-length': length }),
    },
  })
  made.on('error', () => nodes.failed(url)) // the retry of the operation asks another node
  made.on('timeout', () => made.destroy(new Error(`silence for ${SILENCE_MS / 1000} s`)))
  return made
}
