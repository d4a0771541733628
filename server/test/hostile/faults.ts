import pg from 'pg'
import type { Database } from '../../kit/db/db.ts'

/** Replaces the chosen statement. Fails in PostgreSQL, which then refuses the rest of the transaction as in reality. */
const BAD = `do $$ begin raise exception 'this statement was chosen to fail' using errcode = 'XX000'; end $$`
/**
 * Reads the log rows that the running transaction has written, on its own connection. `>=`, because rows written within
 * a savepoint have a later transaction id.
 */
const LOGGED = `select result from action_logs where xmin::text::bigint >= pg_current_xact_id()::xid::text::bigint`

interface Course {
  /** What `look` found within the transaction, at its commit. */
  looked: unknown[]
  /** The sent statements in order, including `begin` and `commit`. */
  statements: string[]
  /** Whether the chosen statement was reached. */
  failed: boolean
  /** Number of log rows with success that the transaction had written at its commit. */
  logged: number
  /**
   * Statements on other connections during the transaction. On the embedded database, which has one connection, they
   * would deadlock: they wait for the end of the transaction, which waits for them.
   */
  outside: string[]
}
type Chosen = number | 'commit'

export interface Faults {
  /** Runs `work` while the chosen statement (from 1) or every commit fails. `look` is a statement for the commit. */
  during<T>(chosen: Chosen, work: () => Promise<T>, look?: string): Promise<[T, Course]>
  stop(): void
}

/**
 * Intercepts the driver below Drizzle, for one request at a time. `isLeftOut`: statements to ignore, because a request
 * sends them only sometimes.
 */
export function faultsOf(database: Database, isLeftOut: (statement: string) => boolean = () => false): Faults {
  let at: Chosen = 0
  const newCourse = (): Course => ({ looked: [], statements: [], failed: false, logged: 0, outside: [] })
  let course = newCourse()
  let failedRead = ''
  let look: string | undefined
  const isChosen = (statement: string) => {
    if (at === 0 || isLeftOut(statement)) return false
    if (statement === failedRead) return true // a failed read is retried once, see Readers
    course.statements.push(statement)
    const chosen = at === 'commit' ? statement === 'commit' : course.statements.length === at
    if (chosen) course.failed = true
    if (chosen && /^\s*(select|with)\b/.test(statement)) failedRead = statement
    return chosen
  }
  const stop =
    database.kind === 'postgresql'
      ? onPostgres(isChosen, logged, outside, looked)
      : onLite(database, isChosen, logged, looked)
  async function looked(ask: Ask) {
    if (look) course.looked = (await ask(look)).rows
  }
  function logged(rows: { result: string }[]) {
    course.logged = rows.filter(({ result }) => result === 'success').length
  }
  function outside(statement: string) {
    if (at !== 0 && !isLeftOut(statement)) course.outside.push(statement)
  }
  return {
    async during(chosen, work, asked) {
      at = chosen
      look = asked
      failedRead = ''
      course = newCourse()
      const mine = course
      try {
        return [await work(), mine]
      } finally {
        at = 0
        look = undefined
      }
    },
    stop,
  }
}
type IsChosen = (statement: string) => boolean
type Logged = (rows: { result: string }[]) => void
type Ask = (statement: string) => Promise<{ rows: unknown[] }>
type Looked = (ask: Ask) => Promise<void>

// biome-ignore lint/suspicious/noExplicitAny: pg's query has eleven signatures; this passes the arguments on unchanged
type Query = (this: pg.Client, ...args: any[]) => any

function onPostgres(
  isChosen: IsChosen,
  logged: Logged,
  outside: (statement: string) => void,
  looked: Looked,
): () => void {
  /** The connection of the open transaction. */
  let open: pg.Client | undefined
  const original = pg.Client.prototype.query as Query
  const patched: Query = function (...args) {
    // a connection that listens for notifications sends its own statements, which are no part of the request
    if (this.listenerCount('notification')) return original.apply(this, args)
    const [what] = args as [string | { text: string }]
    const text = typeof what === 'string' ? what : what.text
    if (open && open !== this) outside(text)
    if (text.startsWith('begin')) open = this
    if (open === this && (text === 'commit' || text === 'rollback')) open = undefined
    const done = args.findLast((arg): arg is () => void => typeof arg === 'function')
    const go = () => (isChosen(text) ? original.apply(this, done ? [BAD, done] : [BAD]) : original.apply(this, args))
    if (text !== 'commit') return go()
    return (original.call(this, LOGGED) as Promise<{ rows: { result: string }[] }>).then(async ({ rows }) => {
      logged(rows)
      await looked((statement) => original.call(this, statement) as ReturnType<Ask>)
      return go()
    })
  }
  pg.Client.prototype.query = patched
  return () => {
    pg.Client.prototype.query = original
  }
}

interface Runner {
  // biome-ignore lint/suspicious/noExplicitAny: passed on unchanged
  query(text: string, ...more: any[]): Promise<{ rows: unknown[] }>
}
interface Lite extends Runner {
  transaction<T>(work: (tx: Runner) => Promise<T>): Promise<T>
}

function onLite({ db }: Database, isChosen: IsChosen, logged: Logged, looked: Looked): () => void {
  // Drizzle sets this property, which is missing in the type
  const { $client: lite } = db as unknown as { $client: Lite }
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
      logged((await plain(LOGGED)).rows as { result: string }[]) // the columns of its select list
      await looked((statement) => plain(statement))
      if (isChosen('commit')) await plain(BAD)
      return done
    }) as Promise<never> // the result of `work`
  return () => {
    Object.assign(lite, { query, transaction })
  }
}
