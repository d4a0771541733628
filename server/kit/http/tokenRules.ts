import { type Endpoint, takesTokens } from '@innkeeper/contract/kit/endpoint'
import { holds, readNetwork } from '@innkeeper/contract/machines/ipsets/networks'
import { addressIn } from '@innkeeper/contract/reach'
import type { FastifyReply } from 'fastify'
import type { UsedToken } from '../access/staff.ts'
import type { App } from '../app/app.ts'
import { outOfReach, tooMany } from './errors.ts'

const WINDOW_MS = 60_000

/** Counts the calls of tokens on this node, in windows of a minute. */
export interface Rates {
  /** Counts a call. `left` is negative if there were too many; `resetMs` is the rest of the window. */
  count(token: Pick<UsedToken, 'id' | 'perMinute'>): { left: number; resetMs: number }
}

export function rates(now = () => performance.now(), most = 10_000): Rates {
  const windows = new Map<number, { since: number; n: number }>()
  return {
    count({ id, perMinute }) {
      const found = windows.get(id)
      const isOpen = found && now() - found.since < WINDOW_MS
      if (!isOpen && windows.size >= most) {
        for (const [other, { since }] of windows) if (now() - since >= WINDOW_MS) windows.delete(other)
        if (windows.size >= most) windows.clear()
      }
      const window = isOpen ? found : { since: now(), n: 0 }
      windows.set(id, window)
      window.n += 1
      return { left: perMinute - window.n, resetMs: window.since + WINDOW_MS - now() }
    },
  }
}

/**
 * Judges what a session need not have: the address, the number of calls, and calls that are about a person. The headers
 * tell programs how many calls they have left.
 */
export function admitToken(
  { rates }: Pick<App, 'rates'>,
  endpoint: Endpoint,
  token: UsedToken,
  ip: string,
  reply: Pick<FastifyReply, 'headers' | 'header'>,
): void {
  if (!isWithin(token.networks, ip)) throw outOfReach(`The token ${token.name} is not accepted from ${ip}`)
  const { left, resetMs } = rates.count(token)
  const reset = Math.max(1, Math.ceil(resetMs / 1000))
  reply.headers({
    'ratelimit-limit': token.perMinute,
    'ratelimit-remaining': Math.max(0, left),
    'ratelimit-reset': reset,
  })
  if (left < 0) {
    reply.header('retry-after', reset)
    throw tooMany(`More than ${token.perMinute} calls in a minute. Try again in ${reset} s.`, { isLogged: false })
  }
  if (!takesTokens(endpoint)) throw outOfReach('Programs with a token may not make this call: it is for people')
}

function isWithin(networks: readonly string[], ip: string): boolean {
  if (!networks.length) return true
  const address = addressIn(ip)
  return (
    address !== undefined &&
    networks.some((text) => {
      const network = readNetwork(text)
      return network !== undefined && holds(network, address)
    })
  )
}
