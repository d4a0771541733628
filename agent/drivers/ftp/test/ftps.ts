import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as tlsConnect } from 'node:tls'
import { Lines, say } from '../front/lines.ts'

export interface Ftps {
  greeting: string
  /** The last line of the answer to a command; undefined if the connection ended. */
  ask(command: string): Promise<string | undefined>
  end(): void
}

/** A client of port 990 that sends any line. */
export async function openFtps(host: string): Promise<Ftps> {
  const socket = tlsConnect({ host, port: 990, rejectUnauthorized: false })
  socket.on('error', () => {}) // `close` follows
  const lines = new Lines(socket)
  const answer = async () => {
    for (let line = await lines.next(); line !== undefined; line = await lines.next())
      if (/^\d{3} /.test(line)) return line
    return undefined
  }
  return {
    greeting: (await answer()) ?? '',
    async ask(command) {
      await say(socket, command)
      return answer()
    },
    end: () => void socket.destroy(),
  }
}

/** Connects, and says how the connection ends: what the other side sent, or the error. */
export async function dial(host: string, port: number): Promise<{ socket: Socket; ended: Promise<string> }> {
  const socket = connect({ host, port })
  const ended = new Promise<string>((resolve) => {
    let got = ''
    socket.on('data', (part) => {
      got += part
    })
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    socket.on('close', () => resolve(got))
  })
  await once(socket, 'connect')
  return { socket, ended }
}
