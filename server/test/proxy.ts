import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * A proxy between a node and PostgreSQL, for tests of network failures. After `stall`, no data passes on all
 * connections or on those that listen for notifications; `refuse` closes all connections and accepts no new ones.
 */
export async function openProxy({ hostname, port }: URL) {
  let stalls: 'none' | 'listening' | 'all' = 'none'
  const pairs = new Set<{ near: Socket; far: Socket; listens: boolean }>()
  const server = createServer((near) => {
    const pair = { near, far: connect(Number(port), hostname), listens: false }
    pairs.add(pair)
    const holdsBack = () => stalls === 'all' || (stalls === 'listening' && pair.listens)
    near.on('data', (data) => {
      if (data.includes('listen "')) pair.listens = true
      if (!holdsBack()) pair.far.write(data)
    })
    pair.far.on('data', (data) => !holdsBack() && near.write(data))
    for (const socket of [near, pair.far])
      socket
        .on('error', () => {})
        .on('close', () => {
          near.destroy()
          pair.far.destroy()
          pairs.delete(pair)
        })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    server.close()
    for (const { near } of pairs) near.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port, // the server listens on a TCP port
    stall(which: 'listening' | 'all') {
      stalls = which
    },
    flow() {
      stalls = 'none'
      for (const { near } of pairs) near.destroy() // the held-back data is lost
    },
    refuse: close,
    close,
  }
}
