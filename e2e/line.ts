import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** The line between a browser and Innkeeper, which can be held in the middle of what is sent, cut and mended. */
export interface Line {
  url: string
  /** Bytes that went up since it was opened or mended. */
  readonly passed: number
  /** Lets so many more bytes up and then nothing; resolves when they are through. */
  hold(bytes: number): Promise<void>
  /** Breaks what is open; whoever connects is turned away. */
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
