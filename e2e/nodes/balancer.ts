import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/**
 * A simple load balancer: each connection goes to the next node, or to the one after it if the node does not answer.
 */
export interface Balancer {
  port: number
  /** Number of connections per node. */
  readonly given: readonly number[]
  close(): Promise<void>
}

export async function openBalancer(ports: readonly number[]): Promise<Balancer> {
  const given = ports.map(() => 0)
  const open = new Set<Socket>()
  let turn = 0
  const server = createServer((client) => {
    open.add(client)
    client.on('close', () => open.delete(client)).on('error', () => client.destroy())
    const first = turn++
    const reach = (tries: number) => {
      const which = (first + tries) % ports.length
      const node = connect(ports[which] ?? 0, '127.0.0.1')
      node.once('error', () => (tries + 1 < ports.length ? reach(tries + 1) : client.destroy()))
      node.once('connect', () => {
        given[which] = (given[which] ?? 0) + 1
        node.removeAllListeners('error').on('error', () => client.destroy())
        node.on('close', () => client.destroy())
        client.on('close', () => node.destroy())
        client.pipe(node).pipe(client)
      })
    }
    reach(0)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    given,
    async close() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
