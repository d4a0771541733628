import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'

/**
 * `node --import kill.ts …`: kills the process by KILL_SIGNAL (SIGKILL) at the KILL_NTH statement that contains
 * KILL_TEXT, `before` it is sent or `after` (KILL_WHEN), when its result is unknown. For tests.
 */
const { KILL_NTH, KILL_TEXT = '', KILL_WHEN = 'before', KILL_SIGNAL = 'SIGKILL' } = process.env
let left = Number(KILL_NTH ?? Number.POSITIVE_INFINITY)
const die = () => process.kill(process.pid, KILL_SIGNAL)

/**
 * Runs `work` for a statement, and kills the process before or after if it is the chosen one. `later` delays the kill.
 */
function around<T>(text: string, work: () => T, later: (then: () => void) => void): T {
  if (!text.includes(KILL_TEXT) || --left !== 0) return work()
  if (KILL_WHEN === 'before') die()
  const working = work()
  later(die)
  return working
}

// biome-ignore lint/suspicious/noExplicitAny: pg's query has eleven signatures; this passes the arguments on unchanged
type Query = (this: pg.Client, ...args: any[]) => any
const query = pg.Client.prototype.query as Query
const patched: Query = function (...args) {
  const [what] = args as [string | { text: string }]
  return around(typeof what === 'string' ? what : what.text, () => query.apply(this, args), setImmediate) // the statement has been sent by then
}
pg.Client.prototype.query = patched

const lite = PGlite.prototype
const exec = lite.execProtocolRawSync
lite.execProtocolRawSync = function (message, ...more) {
  const work = () => exec.call(this, message, ...more)
  const statement = message[0] === 'P'.charCodeAt(0) || message[0] === 'Q'.charCodeAt(0) // Parse, or a simple Query
  return statement ? around(new TextDecoder().decode(message), work, (then) => then()) : work()
}
