import type { Client, Pool, QueryConfig, QueryResult } from 'pg'

const CONNECTIONS = 2
/** Queries in flight per connection. */
const AT_ONCE = 16
const SLOW_MS = 10
/** How long a statement counts as slow after it was slow. */
const SLOW_FOR_MS = 5_000

/**
 * Shared connections for short reads, with several queries in flight on each (pg's pipelining). A read need not wait
 * for a free connection, and PostgreSQL need not wake a process for each. Slow statements are detected and run on a
 * connection of the pool, as do writes and locks, so that no short read waits for them.
 */
export class Readers {
  readonly #pool: Pool
  readonly #readers: Reader[]
  /** Statements that were slow, by text. */
  readonly #slow = new Map<string, { times: number; until: number }>()

  /** `make` returns a client with pipelining that is not connected yet. */
  constructor(pool: Pool, make: () => Client) {
    this.#pool = pool
    this.#readers = Array.from({ length: CONNECTIONS }, () => new Reader(make))
  }

  /** Runs a statement that neither writes nor locks. A statement that fails on a shared connection runs once more. */
  async query(config: QueryConfig, values: unknown[]): Promise<QueryResult> {
    const now = performance.now()
    const isSlow = (this.#slow.get(config.text)?.until ?? 0) > now
    const reader = isSlow ? undefined : this.#readers.find((each) => each.takes(now))
    return (await reader?.query(config, values, now, this.#note)) ?? this.#pool.query(config, values)
  }

  /**
   * A statement is slow after two slow runs in a row: one may be caused by planning or by other work of this process.
   */
  #note = (text: string, ms: number, now: number): void => {
    const times = this.#slow.get(text)?.times ?? 0
    if (ms > SLOW_MS) {
      if (this.#slow.size >= 1000) this.#slow.clear() // combinations of filters multiply
      this.#slow.set(text, { times: times + 1, until: times ? now + SLOW_FOR_MS : 0 })
    } else if (times) this.#slow.delete(text)
  }

  async end(): Promise<void> {
    await Promise.all(this.#readers.map((reader) => reader.end()))
  }
}

class Reader {
  readonly #make: () => Client
  /** The connected client. */
  #client: Client | undefined
  #opening: Promise<void> | undefined
  #ended = false
  #underWay = 0
  /** Start of the query that PostgreSQL is running. */
  #since = 0

  constructor(make: () => Client) {
    this.#make = make
  }

  takes(now: number): boolean {
    if (!this.#client) this.#opening ??= this.#open()
    else if (this.#underWay === 0) return true
    else return this.#underWay < AT_ONCE && now - this.#since < SLOW_MS
    return false
  }

  /** Undefined if the query failed. */
  query(
    config: QueryConfig,
    values: unknown[],
    now: number,
    note: (text: string, ms: number, now: number) => void,
  ): Promise<QueryResult | undefined> {
    const client = this.#client
    if (!client) return Promise.resolve(undefined)
    if (this.#underWay++ === 0) this.#since = now
    return new Promise((resolve) => {
      client.query({ ...config, values }, (error: Error | null, result) => {
        const ended = performance.now()
        note(config.text, ended - this.#since, ended)
        this.#underWay--
        this.#since = ended
        resolve(error ? undefined : result)
      })
    })
  }

  async end(): Promise<void> {
    this.#ended = true
    await this.#opening
    await this.#client?.end()
  }

  async #open(): Promise<void> {
    const client = this.#make()
    const lost = () => {
      if (this.#client === client) this.#client = undefined
      client.end().catch(() => {}) // the connection is lost already
    }
    client.on('error', lost).on('end', lost)
    try {
      await client.connect()
      if (!this.#ended) this.#client = client
      else await client.end()
    } catch {
      // the pool reports the error; the next read connects again
    }
    this.#opening = undefined
  }
}
