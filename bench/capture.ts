import pg from 'pg'

/** A statement that the app sent, and its result. */
export interface Sent {
  text: string
  values: unknown[]
  /** Name of a statement that is prepared once per connection. */
  name?: string
  rows: unknown[]
}

let recorded: Sent[] | undefined

type Query = (config: unknown, ...rest: unknown[]) => unknown
const original = pg.Client.prototype.query as Query // its overloads, as one signature

// the pool passes a callback, a transaction awaits the promise
pg.Client.prototype.query = function (this: pg.Client, config: unknown, ...rest: unknown[]) {
  const list = recorded
  if (!list) return original.call(this, config, ...rest)
  const sent: Sent = { ...statementOf(config, rest[0]), rows: [] }
  list.push(sent)
  const keep = (result: { rows?: unknown[] } | undefined) => {
    sent.rows = result?.rows ?? []
  }
  const last = rest.at(-1)
  if (typeof last === 'function') {
    const heard = (error: unknown, result?: { rows?: unknown[] }) => {
      keep(result)
      last(error, result)
    }
    return original.call(this, config, ...rest.slice(0, -1), heard)
  }
  const answer = original.call(this, config, ...rest)
  return answer instanceof Promise
    ? answer.then((result: { rows?: unknown[] }) => {
        keep(result)
        return result
      })
    : answer
} as typeof pg.Client.prototype.query

/** Records the statements that this process sends to PostgreSQL while `work` runs. One recording at a time. */
export async function capture<T>(work: () => Promise<T>): Promise<{ answer: T; sent: Sent[] }> {
  recorded = []
  const sent = recorded
  try {
    return { answer: await work(), sent }
  } finally {
    recorded = undefined
  }
}

function statementOf(config: unknown, values: unknown): Omit<Sent, 'rows'> {
  if (typeof config === 'string') return { text: config, values: listOf(values) }
  const { text, name, values: own } = config as { text: string; name?: string; values?: unknown } // QueryConfig of pg
  // the second argument may be a callback
  return { text, values: listOf(Array.isArray(values) ? values : own), ...(name && { name }) }
}

const listOf = (values: unknown): unknown[] => (Array.isArray(values) ? values : [])
