import type { Duplex } from 'node:stream'

/** pure-ftpd closes a connection with a longer line. */
const LONGEST = 8192

/** Reads the lines of a control connection, as bytes in latin1: file names may have any encoding. */
export class Lines {
  readonly #from: Duplex
  #text = ''
  constructor(from: Duplex) {
    this.#from = from
  }

  /** The next line without its end; undefined after the last one. Throws if the line is too long. */
  async next(): Promise<string | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n')
      if (end > LONGEST || (end < 0 && this.#text.length > LONGEST)) throw new Error('a line is too long')
      if (end >= 0) {
        const line = this.#text.slice(0, end).replace(/\r$/, '')
        this.#text = this.#text.slice(end + 1)
        return line
      }
      const part = this.#from.read() as Buffer | null // a Buffer, since no encoding is set
      if (part) this.#text += part.toString('latin1')
      else if (this.#from.readableEnded || this.#from.destroyed) return undefined
      else await oneOf(this.#from, ['readable', 'end', 'close'])
    }
  }
}

/** Writes a line, and waits until the other side takes more. */
export async function say(to: Duplex, line: string): Promise<void> {
  if (to.destroyed || to.writableEnded) return
  if (!to.write(`${line}\r\n`, 'latin1')) await oneOf(to, ['drain', 'close'])
}

/** Waits for the first of these events. Errors are followed by `close`, and are handled where the stream is made. */
function oneOf(stream: Duplex, names: readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      for (const name of names) stream.off(name, done)
      resolve()
    }
    for (const name of names) stream.on(name, done)
  })
}
