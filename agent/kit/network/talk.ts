import { connect } from 'node:net'
import { patience } from '../patience/patience.ts'

/** A line to send, if any, and the pattern that ends the answer to it. */
export interface Turn {
  say?: string
  until: RegExp
}

/**
 * Talks to a line-based service that speaks first, such as SMTP and IMAP. Answers the service's reply to each turn.
 * Rejects when the connection ends, or when it is silent for too long.
 */
export function converse(address: string, port: number, turns: readonly Turn[]): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const heard: string[] = []
    let part = ''
    const socket = connect({ host: address, port })
    const place = `${address}:${port}`
    socket.setTimeout(patience.silenceMs, () =>
      socket.destroy(new Error(`${place} does not answer: ${part.trim() || 'silence'}`)),
    )
    socket.setEncoding('utf8')
    socket.on('data', (text: string) => {
      part += text
      if (!turns[heard.length]?.until.test(part)) return
      heard.push(part.trim())
      part = ''
      const next = turns[heard.length]
      if (next) socket.write(`${next.say ?? ''}\r\n`)
      else socket.end()
    })
    socket.on('error', reject)
    socket.on('close', () => {
      if (heard.length === turns.length) resolve(heard)
      else reject(new Error(`${place} closed the conversation: ${part.trim() || heard.at(-1) || 'silence'}`))
    })
  })
}
