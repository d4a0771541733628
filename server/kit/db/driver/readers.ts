import type { Client, Pool, QueryConfig, QueryResult } from 'pg'

const CONNECTIONS = 2
/** Under way on one connection. */
const AT_ONCE = 16
const SLOW_MS = 10
/** What was slow is taken to be slow for so long. */
const SLOW_FOR_MS = 5_000

/**
 * Connections that short reads share, several under way on each (the pipelining of pg): none waits for a connection of its
 * own, and a process of PostgreSQL that has more to do need not be woken for each. Nobody queues up behind one that turns
 * out slow, and what tends to be slow is not taken: it has a connection of the pool, as everything that writes or locks.
 */
export class Readers {
  readonly #pool: Pool
  readonly #readers: Reader[]
  /** By text, what was slow the last time. */
  readonly #slow = new Map<string, { times: number; until: number }>()

  /** `make`: a client that pipelines, not yet connected. */
  constructor(pool: Pool, make: () => Client) {
    this.#pool = pool
    this.#readers = Array.from({ length: CONNECTIONS }, () => new Reader(make))
  }

  /** For statements that neither write nor lock: one that fails, be it with its connection, is tried again by itself. */
  async query(config: QueryConfig, values: unknown[]): Promise<QueryResult> {
    const now = performance.now()
    const isSlow = (this.#slow.get(config.text)?.until ?? 0) > now
    const reader = isSlow ? undefined : this.#readers.find((each) => each.takes(now))
    return (await reader?.query(config, values, now, this.#note)) ?? this.#pool.query(config, values)
  }

  /** Slow is what was so twice in a row: once may be its plan, or this process that had other work. */
  #note = (text: string, ms: number, now: number): void => {
    const times = this.#slow.get(text)?.times ?? 0
    if (ms > SLOW_MS) {
      if (this.#slow.size >= 1000) this.#slow.clear() // filters multiply
      this.#slow.set(text, { times: times + 1, until: times ? now + SLOW_FOR_MS : 0 })
    } else if (times) this.#slow.delete(text)
  }

  async end(): Promise<void> {
    await Promise.all(this.#readers.map((reader) => reader.end()))
  }
}

class Reader {
  readonly #make: () => Client
  /** Connected. */
  #client: Client | undefined
  #opening: Promise<void> | undefined
  #ended = false
  #underWay = 0
  /** When the one that PostgreSQL is at was begun. */
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

  /** Undefined where it failed. */
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
      client.end().catch(() => {}) // it is lost already
    }
    client.on('error', lost).on('end', lost)
    try {
      await client.connect()
      if (!this.#ended) this.#client = client
      else await client.end()
    } catch {
      // the pool says what is wrong; the next read tries again
    }
    this.#opening = undefined
  }
}
