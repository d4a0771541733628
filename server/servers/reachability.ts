import { connect, createServer, type Socket } from 'node:net'
import type { Settings } from '../kit/app/settings.ts'

/** `localhost`, `127.0.0.1`, `::1`: whoever asks there reaches the machine that he asks from. */
export const isLoopback = (host: string) => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)

/** Why a machine elsewhere cannot come in by a command that leads to `host`; null: it can, as far as we know. */
export function reachProblem({ host: listening }: Pick<Settings, 'host'>, host: string): string | null {
  if (isLoopback(listening))
    return `Innkeeper listens on ${listening} alone: no other machine reaches it. Start it with HOST=0.0.0.0.`
  if (isLoopback(host))
    return `The command leads to ${host}, which on another machine is that machine itself. Open Innkeeper by its own name or address, or set INNKEEPER_PUBLIC_HOST.`
  return null
}

/**
 * Practice servers come in by the address that this machine has on their bridge. Where Innkeeper listens on loopback
 * alone, what arrives there is handed on to the agents' door; nobody but practice servers is on that bridge.
 */
export async function openAtGateway({ host, agentPort }: Settings, gateway: string): Promise<() => void> {
  if (!isLoopback(host)) return () => {}
  const open = new Set<Socket>()
  const server = createServer((from) => {
    const to = connect(agentPort, host)
    for (const [socket, other] of [
      [from, to],
      [to, from],
    ] as const) {
      open.add(socket)
      socket.on('error', () => other.destroy()) // either end may go at any time
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
