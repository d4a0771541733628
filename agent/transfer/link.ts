import { request } from 'node:https'
import { PinnedAgent } from '../pinnedAgent.ts'

interface Link {
  url: string
  pin: string
  credential: string
}
let link: Link | undefined
/** States where Innkeeper is, and with which credential this agent reaches it. */
export const connectTo = (to: Link): void => {
  link = to
}

const SILENCE_MS = 60_000

/** Opens a request to Innkeeper, which fails after a minute of silence. Throws before `connectTo`. */
export function asked(path: string, method: 'GET' | 'POST', length?: number) {
  if (!link) throw new Error('This agent has no connection to Innkeeper')
  const made = request(new URL(path, link.url), {
    method,
    agent: new PinnedAgent(link.pin),
    timeout: SILENCE_MS,
    headers: {
      authorization: `Bearer ${link.credential}`,
      ...(length !== undefined && { 'content-type': 'application/octet-stream', 'content-length': length }),
    },
  })
  made.on('timeout', () => made.destroy(new Error(`silence for ${SILENCE_MS / 1000} s`)))
  return made
}
