import { connect } from 'node:net'

/** A line to send, if any, and the pattern that ends the answer to it. */
export interface Turn {
  say?: string
  until: RegExp
}

/**
 * Talks to a line-based service that speaks first, such as SMTP and IMAP. Answers the service's reply to each turn.
 * Rejects when the connection ends, or when no reply matches within `timeoutMs`.
 */
export function converse(
  address: string,
  port: number,
  turns: readonly Turn[],
  timeoutMs = 8000,
): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const heard: string[] = []
    let part = ''
    const socket = connect({ host: address, port })
    const place = `${address}:${port}`
    const late = setTimeout(
      () => socket.destroy(new Error(`${place} does not answer: ${part.trim() || 'silence'}`)),
      timeoutMs,
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
      clearTimeout(late)
      if (heard.length === turns.length) resolve(heard)
      else reject(new Error(`${place} closed the conversation: ${part.trim() || heard.at(-1) || 'silence'}`))
    })
  })
}
