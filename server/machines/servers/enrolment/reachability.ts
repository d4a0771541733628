import { connect, createServer, type Socket } from 'node:net'
import type { Settings } from '../../../kit/app/settings.ts'

/** True for `localhost`, `127.0.0.1`, `::1`: addresses at which each machine reaches itself. */
export const isLoopback = (host: string) => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)

/** Why another machine cannot enrol with a command that uses `host`; null when no problem is known. */
export function reachProblem({ agentHost: listening }: Pick<Settings, 'agentHost'>, host: string): string | null {
  if (isLoopback(listening))
    return `Innkeeper listens on ${listening} alone, so that no other machine can reach it. Start it with HOST=0.0.0.0, or INNKEEPER_AGENT_HOST=0.0.0.0 for agents alone.`
  if (isLoopback(host))
    return `The command leads to ${host}, which on another machine is that machine itself. Open Innkeeper by its own name or address, or set INNKEEPER_PUBLIC_HOST.`
  return null
}

/**
 * Makes the agents' port reachable for practice servers at this machine's address on their bridge. If Innkeeper listens
 * on loopback only, forwards connections from the bridge, which has only practice servers.
 */
export async function openAtGateway({ agentHost: host, agentPort }: Settings, gateway: string): Promise<() => void> {
  if (!isLoopback(host)) return () => {}
  const open = new Set<Socket>()
  const server = createServer((from) => {
    const to = connect(agentPort, host)
    for (const [socket, other] of [
      [from, to],
      [to, from],
    ] as const) {
      open.add(socket)
      socket.on('error', () => other.destroy()) // either side may close at any time
      socket.on('close', () => {
        open.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(agentPort, gateway, resolve)
  })
  return () => {
    server.close()
    for (const socket of open) socket.destroy()
  }
}
