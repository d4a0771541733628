import { createServer, type Socket } from 'node:net'
import pg from 'pg'

/**
 * The floor of sockets.ts: receives a NOTIFY and writes the same bytes to every open socket, without sessions and
 * permissions.
 */
const sockets = new Set<Socket>()
const text = Buffer.from(JSON.stringify({ event: 'changed', data: { domain: 'practice' } }))
const frame = Buffer.concat([Buffer.from([0x81, text.length]), text])

const listener = new pg.Client({ connectionString: process.argv[2] })
listener.on('notification', () => {
  for (const socket of sockets) socket.write(frame)
})
await listener.connect()
await listener.query('listen bench')

const server = createServer((socket) => {
  sockets.add(socket)
  socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
  socket.once('data', () => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'))
})
process.on('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', 10_000, () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' ? address?.port : 0 })
})
