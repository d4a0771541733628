import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A TCP proxy between browser and Innkeeper that can pause in the middle of a transfer, disconnect and reconnect. */
export interface Line {
  url: string
  /** Uploaded bytes since the proxy was opened or reconnected. */
  readonly passed: number
  /** Lets this number of further bytes through and then pauses; resolves when they have passed. */
  hold(bytes: number): Promise<void>
  /** Drops open connections and refuses new ones. */
  cut(): void
  mend(): void
  close(): Promise<void>
}

export async function openLine(port: number): Promise<Line> {
  const open = new Set<Socket>()
  let dead = false
  let passed = 0
  let room = Number.POSITIVE_INFINITY
  let full: (() => void) | undefined

  const server = createServer((client) => {
    if (dead) return client.destroy()
    open.add(client)
    const node = connect(port, '127.0.0.1')
    client.on('error', () => client.destroy()).on('close', () => open.delete(client) && node.destroy())
    node.on('error', () => client.destroy()).on('close', () => client.destroy())
    node.pipe(client)
    const flow = () => room > 0 && client.resume()
    client.on('data', (chunk) => {
      passed += chunk.length
      room -= chunk.length
      if (!node.write(chunk) || room <= 0) client.pause()
      if (room <= 0) full?.()
    })
    node.on('drain', flow)
  })
  const cut = () => {
    dead = true
    for (const socket of open) socket.destroy()
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    get passed() {
      return passed
    },
    hold: (bytes) =>
      new Promise((resolve) => {
        room = bytes
        full = resolve
      }),
    cut,
    mend() {
      dead = false
      passed = 0
      room = Number.POSITIVE_INFINITY
    },
    async close() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
