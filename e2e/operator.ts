import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { commands, pdu, RESPONSE, read, word } from './pdu.ts'

/** A text message, or one part of a long one, as a telephone would get it. */
export interface Submitted {
  to: string
  from: string
  /** The text, if it came in one part. */
  text: string
  coding: number
  /** For a long text: the number of this part, and of how many. */
  part?: { of: number; number: number }
  at: number
}
/**
 * How the operator treats a message: accepts and reports once, accepts and reports twice, accepts without a report, or
 * answers with an SMPP error, or drops the connection without an answer. `delayMs`: delay of the answer.
 */
export interface Behaviour {
  does: 'deliver' | 'deliver-twice' | 'fail' | 'accept' | 'drop' | { error: number }
  delayMs?: number
}

/** An operator that speaks SMPP 3.4 and keeps what it gets. It shares no code with Innkeeper. */
export async function openOperator(act: (message: Submitted) => Behaviour = () => ({ does: 'deliver' })) {
  const got: Submitted[] = []
  const bound = new Set<Socket>()
  let last = 0
  /** Deliveries that the gateway has not confirmed; they are sent again when the gateway reconnects. */
  const unconfirmed = new Map<number, () => void>()
  const deliver = (from: string, to: string, text: string, isReceipt: boolean) => {
    const sequence = ++last
    unconfirmed.set(sequence, () => {
      unconfirmed.delete(sequence)
      deliver(from, to, text, isReceipt)
    })
    const [socket] = bound
    if (!socket) return
    const short = Buffer.from(text, 'latin1')
    const numbers = Buffer.concat([Buffer.from([1, 1]), word(from), Buffer.from([1, 1]), word(to)])
    const body = Buffer.concat([
      ...[word(''), numbers, Buffer.from([isReceipt ? 4 : 0, 0, 0]), word(''), word('')],
      ...[Buffer.from([0, 0, 0, 0, short.length]), short],
    ])
    socket.write(pdu(commands.deliver, 0, sequence, body))
  }
  const report = (id: string, { from, to }: Submitted, stat: 'DELIVRD' | 'UNDELIV') => {
    const isIn = stat === 'DELIVRD'
    const words = `id:${id} sub:001 dlvrd:00${Number(isIn)} submit date:2611240800 done date:2611240801 stat:${stat} err:00${isIn ? 0 : 1} text:`
    deliver(to, from, words, true)
  }
  const submitted = (socket: Socket, sequence: number, body: Buffer) => {
    let at = 0
    const text = () => {
      const end = body.indexOf(0, at)
      const found = body.toString('latin1', at, end)
      at = end + 1
      return found
    }
    const number = () => body[at++] ?? 0
    text()
    at += 2
    const from = text()
    at += 2
    const to = text()
    const hasHeader = (number() & 0x40) > 0
    at += 2
    text()
    text()
    at += 2
    const coding = number()
    at += 1
    const length = number()
    let short = body.subarray(at, at + length)
    const header = hasHeader ? short.subarray(0, (short[0] ?? 0) + 1) : undefined
    if (header) short = short.subarray(header.length)
    const part = header && { of: header[4] ?? 0, number: header[5] ?? 0 }
    const message = { to, from, text: read(short, coding), coding, ...(part && { part }), at: Date.now() }
    got.push(message)
    const { does, delayMs = 0 } = act(message)
    const id = String(got.length)
    if (does === 'drop') return void setTimeout(() => socket.destroy(), delayMs)
    setTimeout(() => {
      const isRefused = typeof does === 'object'
      if (!socket.destroyed)
        socket.write(
          pdu(commands.submit + RESPONSE, isRefused ? does.error : 0, sequence, isRefused ? undefined : word(id)),
        )
      if (does === 'accept' || isRefused) return
      setTimeout(() => {
        for (let n = does === 'deliver-twice' ? 2 : 1; n > 0; n--)
          report(id, message, does === 'fail' ? 'UNDELIV' : 'DELIVRD')
      }, 50)
    }, delayMs)
  }
  const server = createServer((socket) => {
    let rest = Buffer.alloc(0)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => bound.delete(socket))
    socket.on('data', (data) => {
      rest = Buffer.concat([rest, data])
      while (rest.length >= 16 && rest.length >= rest.readUInt32BE(0)) {
        const length = rest.readUInt32BE(0)
        const [command, sequence] = [rest.readUInt32BE(4), rest.readUInt32BE(12)]
        const body = rest.subarray(16, length)
        rest = rest.subarray(length)
        if (commands.bind.includes(command)) {
          bound.add(socket)
          socket.write(pdu(command + RESPONSE, 0, sequence, word('operator')))
          for (const again of [...unconfirmed.values()]) again()
        } else if (command === commands.deliver + RESPONSE) {
          unconfirmed.delete(sequence)
        } else if (command === commands.submit) submitted(socket, sequence, body)
        else if (command === commands.enquire || command === commands.unbind)
          socket.write(pdu(command + RESPONSE, 0, sequence))
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    port,
    got,
    isBound: () => bound.size > 0,
    /** A text that somebody sends from a telephone. */
    answer: (from: string, to: string, text: string) => deliver(from, to, text, false),
    close: () => {
      for (const socket of bound) socket.destroy()
      server.close()
    },
  }
}
