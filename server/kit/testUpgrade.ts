import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import { openDatabase } from './db.ts'

/**
 * `node testUpgrade.ts <database> [<n> before|after]`: starts as far as the schema, and dies by kill -9 at its nth
 * statement, before it is sent or while it is at work. For tests.
 */
const [url = '', nth = '0', when] = process.argv.slice(2)
const chosen = Number(nth)
let count = 0

const die = () => process.kill(process.pid, 'SIGKILL')

/** `later`: by when it is under way. */
function around<T>(work: () => T, later: (then: () => void) => void): T {
  count += 1
  if (count !== chosen) return work()
  if (when === 'before') die()
  const working = work()
  later(die)
  return working
}

// biome-ignore lint/suspicious/noExplicitAny: pg's query has eleven signatures; this passes each on as it came
type Query = (this: pg.Client, ...args: any[]) => any
const query = pg.Client.prototype.query as Query
const patched: Query = function (...args) {
  return around(() => query.apply(this, args), setImmediate) // it is sent, and not answered
}
pg.Client.prototype.query = patched

const lite = PGlite.prototype
const exec = lite.execProtocolRawSync
lite.execProtocolRawSync = function (message, ...more) {
  const statement = message[0] === 'E'.charCodeAt(0) || message[0] === 'Q'.charCodeAt(0) // Execute, or a simple Query
  const work = () => exec.call(this, message, ...more)
  return statement ? around(work, (then) => then()) : work() // all of it has happened when it returns
}

await (await openDatabase(url)).close()
