import { randomInt } from 'node:crypto'
import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

/** For longer than pure-ftpd's logs are kept. */
const KEPT_S = 40 * 86_400
const now = () => Math.floor(Date.now() / 1000)

interface Known {
  loopback: string
  /** UNIX time of the client's line in the file; 0 without one. */
  written: number
  open: number
}

/**
 * The loopback address of each client. pure-ftpd's checks and limits for an address then apply to one client. The
 * address is random, and stays the same while logs may have it.
 */
export class Clients {
  readonly #file: string
  readonly #known = new Map<string, Known>()
  readonly #taken = new Set<string>()

  constructor(file: string) {
    this.#file = file
    let text = ''
    try {
      text = readFileSync(file, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
    for (const line of text.split('\n')) {
      const [loopback = '', real, seen] = line.split(' ')
      if (!real || !(Number(seen) > now() - KEPT_S)) continue
      this.#known.set(real, { loopback, written: Number(seen), open: 0 })
      this.#taken.add(loopback)
    }
    const lines = [...this.#known].map(([real, { loopback, written }]) => lineOf(loopback, real, written))
    attempt(() => {
      writeFileSync(`${file}.new`, lines.join(''), { mode: 0o600 })
      renameSync(`${file}.new`, file)
    })
  }

  /** Begins a session of a client. Returns its loopback address. */
  enter(real: string): string {
    const known = this.#known.get(real) ?? { loopback: this.#free(), written: 0, open: 0 }
    known.open += 1
    this.#known.set(real, known)
    this.#taken.add(known.loopback)
    return known.loopback
  }

  /** Ends a session. A client that never signed in is in no log that somebody reads, and is forgotten. */
  leave(real: string): void {
    const known = this.#known.get(real)
    if (!known) return
    known.open -= 1
    if (known.open || known.written) return
    this.#known.delete(real)
    this.#taken.delete(known.loopback)
  }

  /** Writes the client into the file, once a day: it has signed in, so that its transfers will be in the log. */
  remember(real: string): void {
    const known = this.#known.get(real)
    if (!known || known.written > now() - 86_400) return
    attempt(() => appendFileSync(this.#file, lineOf(known.loopback, real, now()), { mode: 0o600 }))
    known.written = now()
  }

  #free(): string {
    for (;;) {
      const n = randomInt(1, 0x3f_ffff)
      const loopback = `127.${64 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}`
      if (!this.#taken.has(loopback)) return loopback
    }
  }
}

/** A full disk ends no session: the list of transfers then lacks an address. */
function attempt(write: () => void): void {
  try {
    write()
  } catch (error) {
    console.error(`the list of clients cannot be written: ${(error as Error).message}`)
  }
}

const lineOf = (loopback: string, real: string, seen: number) => `${loopback} ${real} ${seen}\n`
