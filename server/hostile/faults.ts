import pg from 'pg'
import type { Database } from '../kit/db/db.ts'

/** Fails on the server, as a real one does: what is left of a transaction after it is refused too. */
const BAD = `do $$ begin raise exception 'this statement was chosen to fail' using errcode = 'XX000'; end $$`
/**
 * Success rows that the transaction at work has written; read on its own connection before it ends. After a savepoint was
 * gone back to, rows have a number of their own, which is later than the transaction's.
 */
const LOGGED = `select result from action_logs where xmin::text::bigint >= pg_current_xact_id()::xid::text::bigint`

export interface Course {
  /** What was sent, in order, `begin` and `commit` with it. */
  statements: string[]
  /** Whether the chosen one was reached. */
  failed: boolean
  /** Log rows of success in the transaction that wanted to commit. */
  logged: number
}
type Chosen = number | 'commit'

export interface Faults {
  /** Does the work, while the chosen statement (from 1) fails, or every commit. */
  during<T>(chosen: Chosen, work: () => Promise<T>): Promise<[T, Course]>
  stop(): void
}

/** Between Drizzle and the database, under every call: one at a time. */
export function faultsOf(database: Database): Faults {
  let at: Chosen = 0
  let course: Course = { statements: [], failed: false, logged: 0 }
  let failedRead = ''
  const isChosen = (statement: string) => {
    if (at === 0) return false
    if (statement === failedRead) return true // a read that fails is tried once more, see Readers
    course.statements.push(statement)
    const chosen = at === 'commit' ? statement === 'commit' : course.statements.length === at
    if (chosen) course.failed = true
    if (chosen && /^\s*(select|with)\b/.test(statement)) failedRead = statement
    return chosen
  }
  const stop = database.kind === 'postgresql' ? onPostgres(isChosen, logged) : onLite(database, isChosen, logged)
  function logged(rows: { result: string }[]) {
    course.logged = rows.filter(({ result }) => result === 'success').length
  }
  return {
    async during(chosen, work) {
      at = chosen
      failedRead = ''
      course = { statements: [], failed: false, logged: 0 }
      const mine = course
      try {
        return [await work(), mine]
      } finally {
        at = 0
      }
    },
    stop,
  }
}
type IsChosen = (statement: string) => boolean
type Logged = (rows: { result: string }[]) => void

// biome-ignore lint/suspicious/noExplicitAny: pg's query has eleven signatures; this passes each on as it came
type Query = (this: pg.Client, ...args: any[]) => any

function onPostgres(isChosen: IsChosen, logged: Logged): () => void {
  const original = pg.Client.prototype.query as Query
  const patched: Query = function (...args) {
    const [what] = args as [string | { text: string }]
    const text = typeof what === 'string' ? what : what.text
    const done = args.findLast((arg): arg is () => void => typeof arg === 'function')
    const go = () => (isChosen(text) ? original.apply(this, done ? [BAD, done] : [BAD]) : original.apply(this, args))
    if (text !== 'commit') return go()
    return (original.call(this, LOGGED) as Promise<{ rows: { result: string }[] }>).then(({ rows }) => {
      logged(rows)
      return go()
    })
  }
  pg.Client.prototype.query = patched
  return () => {
    pg.Client.prototype.query = original
  }
}

interface Runner {
  // biome-ignore lint/suspicious/noExplicitAny: passed on as they came
  query(text: string, ...more: any[]): Promise<{ rows: unknown[] }>
}
interface Lite extends Runner {
  transaction<T>(work: (tx: Runner) => Promise<T>): Promise<T>
}

function onLite({ db }: Database, isChosen: IsChosen, logged: Logged): () => void {
  const { $client: lite } = db as unknown as { $client: Lite } // drizzle puts it there and leaves it out of PgDatabase
  const over = (runner: Runner): Runner['query'] => {
    const original = runner.query.bind(runner)
    return (text, ...more) => (isChosen(text) ? original(BAD) : original(text, ...more))
  }
  const [query, transaction] = [lite.query, lite.transaction]
  lite.query = over(lite)
  lite.transaction = (work) =>
    transaction.call(lite, async (tx: Runner) => {
      const plain = tx.query.bind(tx)
      tx.query = over(tx)
      const done = await work(tx)
      logged((await plain(LOGGED)).rows as { result: string }[]) // its select list
      if (isChosen('commit')) await plain(BAD)
      return done
    }) as Promise<never> // whatever the work answered
  return () => {
    Object.assign(lite, { query, transaction })
  }
}
