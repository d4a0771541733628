import type { DumpFinding } from '@innkeeper/contract/hosting/databases/dumps'
import { databasesIn, withoutDatabases, withoutTexts } from './otherDatabases.ts'

type Effect = DumpFinding['effect']
type Topic = DumpFinding['topic']
/** The result of a statement: its changed text, and remarks about the change. */
export interface Ruling {
  text: string
  findings: { effect: Effect; topic: Topic; what: string }[]
}

const name = '(?:`(?:[^`]|``)+`|"[^"]+"|[\\w$]+)'
const user = '(?:`[^`]*`|\'[^\']*\'|"[^"]*"|[\\w$%.-]+)'
const definer = new RegExp(
  `^([^'"\`]*?)\\bDEFINER\\s*=\\s*(CURRENT_USER(?:\\s*\\(\\s*\\))?|CURRENT_ROLE|${user}(?:\\s*@\\s*${user})?)`,
  'i',
)
const database = new RegExp(
  `^(?:CREATE|DROP|ALTER|USE)\\s*(?:DATABASE|SCHEMA)?\\s*(?:\\/\\*!\\d*)?\\s*(?:IF\\s+(?:NOT\\s+)?EXISTS\\s*(?:\\*\\/)?)?\\s*(${name})`,
  'i',
)
/** Statements whose table may be named with its database. */
const qualified = new RegExp(
  `^(?:INSERT|REPLACE|CREATE|DROP|ALTER|LOCK|TRUNCATE|UPDATE|DELETE|RENAME)\\b[^\`('"]*?\\b(?:INTO|TABLES?|VIEW|UPDATE|FROM|TRUNCATE)\\s+(?:IF\\s+(?:NOT\\s+)?EXISTS\\s+)?(${name})\\s*\\.\\s*${name}`,
  'i',
)
const collation = /\b(COLLATE(?:\s*=\s*|\s+)?|collation_connection\s*=\s*)(['"`]?)([a-z0-9]+_[a-z0-9_]+)\2/gi
const unknownModes = /\b(?:TIME_TRUNCATE_FRACTIONAL)\b,?/gi

/** Patterns read a statement without the content of its texts: what people have written there is no statement. */
const leftOut: readonly [RegExp, Topic][] = [
  [/^(?:GRANT|REVOKE)\b/i, 'accounts'],
  [/^(?:CREATE|ALTER|DROP|RENAME)\s+(?:OR\s+REPLACE\s+)?(?:USER|ROLE)\b/i, 'accounts'],
  [/^SET\s+(?:PASSWORD|ROLE|DEFAULT\s+ROLE)\b/i, 'accounts'],
  [/^FLUSH\b/i, 'accounts'],
  // the load has transactions of its own
  [/^SET\s+(?:(?:LOCAL|SESSION)\s+)?TRANSACTION\b/i, 'server settings'],
  [
    /^SET\b(?:.*,)?\s*(?:GLOBAL\s|PERSIST\s|@@GLOBAL\.|@@PERSIST\w*\.|(?:SESSION\s+|@@SESSION\.)?SQL_LOG_BIN\s*=)/is,
    'server settings',
  ],
]
const refused: readonly [RegExp, Topic][] = [
  [/^LOAD\s+(?:DATA|XML|INDEX)\b/i, 'files of the server'],
  [/\bINTO\s+(?:OUTFILE|DUMPFILE)\b/i, 'files of the server'],
  [/^(?:INSTALL|UNINSTALL)\b|\bSONAME\s*['"]/i, 'server commands'],
  [
    /^(?:CHANGE\s+(?:MASTER|REPLICATION)|SHUTDOWN|KILL|PURGE|RESET|START\s+(?:SLAVE|REPLICA)|STOP\s+(?:SLAVE|REPLICA))\b/i,
    'server commands',
  ],
  [/^CREATE\s+(?:SERVER|TABLESPACE|LOGFILE)\b/i, 'server commands'],
  [/^(?:\\|(?:system|source|tee|pager|edit|connect)\s)/i, 'client commands'],
]

const hasRows = /^(?:insert|replace)\b/i
/** Bytes of a statement with rows that tell what it does. */
const HEAD_OF_ROWS = 1024
const isDefinition = /^(?:\s|\/\*M?!\d*)*CREATE\b/i

const isView = /\bVIEW\b/i
const isProgram = /\b(?:TRIGGER|PROCEDURE|FUNCTION|EVENT)\b/i

export interface Server {
  /** Collations that the server knows. */
  collations: ReadonlySet<string>
}

/**
 * Judges one statement, or the beginning of one with rows. `databases` collects the databases that the dump names;
 * `own` is the one that was dumped, as its head says, and `readAs` those that people read as the database of the import.
 */
export function rule(
  given: string,
  { collations }: Server,
  databases: Set<string>,
  own?: string,
  readAs: ReadonlySet<string> = none,
): Ruling {
  const findings: Ruling['findings'] = []
  const defines = isDefinition.test(given)
  const bare = own && defines ? given.replaceAll(`\`${own}\`.`, '') : given
  if (bare !== given) findings.push({ effect: 'rewritten', topic: 'database', what: `without ${own} before names` })
  const whole = defines || qualified.test(bare.trimStart()) ? withoutDatabases(bare, readAs) : bare
  if (whole !== bare)
    findings.push({ effect: 'rewritten', topic: 'database', what: `without ${[...readAs].join(', ')} before names` })
  const begin = /^(?:\s|\/\*M?!\d*)*/.exec(whole)?.[0].length ?? 0
  const text = whole.slice(begin)
  const gone = (effect: Effect, topic: Topic, what = short(text)): Ruling => ({
    text: '\n'.repeat(whole.split('\n').length - 1),
    findings: [{ effect, topic, what }],
  })
  if (/^USE\b|^(?:CREATE|DROP|ALTER)\s*(?:\/\*!\d*\s*)?(?:DATABASE|SCHEMA)\b/i.test(text)) {
    const of = plain(database.exec(narrow(text))?.[1] ?? text)
    // ALTER DATABASE without a name means the current one
    if (!/^(?:CHARACTER|CHARSET|COLLATE|DEFAULT)$/i.test(of)) databases.add(of)
    return gone('left out', 'database', short(text))
  }
  const bones = withoutTexts(hasRows.test(text) ? text.slice(0, HEAD_OF_ROWS) : text)
  const out = leftOut.find(([pattern]) => pattern.test(bones))
  if (out) return gone('left out', out[1])
  const bad = refused.find(([pattern]) => pattern.test(bones))
  if (bad) return gone('refused', bad[1])
  const other = qualified.exec(text)
  if (other) return gone('refused', 'other database', plain(other[1]!))
  if (defines) findings.push(...strangersIn(text))
  let now = whole
  if (/^(?:CREATE|ALTER)\b/i.test(text)) {
    const found = definer.exec(text)
    if (found) {
      findings.push({ effect: 'rewritten', topic: 'definer', what: who(found[2]!) })
      now = whole.slice(0, begin) + found[1] + text.slice(found[0].length)
    }
  }
  if (/^(?:CREATE|ALTER|SET)\b/i.test(text))
    now = now.replace(collation, (all, before: string, quote: string, is: string) => {
      const to = fitting(is.toLowerCase(), collations)
      if (to === is.toLowerCase()) return all
      findings.push({ effect: 'rewritten', topic: 'collation', what: `${is} becomes ${to}` })
      return `${before}${quote}${to}${quote}`
    })
  if (/^SET\b[^;]*\bSQL_MODE\b/i.test(text)) {
    const modes = /SQL_MODE\s*=\s*['"]([^'"]*)['"]/i.exec(now)?.[1]
    if (modes) findings.push({ effect: 'noted', topic: 'sql mode', what: modes })
    now = now.replace(unknownModes, (mode) => {
      findings.push({ effect: 'rewritten', topic: 'sql mode', what: `without ${mode.replace(',', '')}` })
      return ''
    })
  }
  return { text: now, findings }
}

const none: ReadonlySet<string> = new Set()

/** Other databases in a definition: MariaDB creates no such view, and a program with one fails when it runs. */
function strangersIn(text: string): Ruling['findings'] {
  const begin = text.slice(0, 400)
  const effect = isView.test(begin) ? 'refused' : isProgram.test(begin) ? 'noted' : undefined
  return effect ? databasesIn(text).map((what) => ({ effect, topic: 'other database', what })) : []
}

/** A collation that the server lacks, such as MySQL's utf8mb4_0900_ai_ci, becomes the common one of its character set. */
function fitting(is: string, known: ReadonlySet<string>): string {
  if (known.has(is)) return is
  const charset = is.split('_')[0]!
  const binary = /_bin$/.test(is) ? [`${charset}_bin`] : []
  const found = [...binary, `${charset}_unicode_520_ci`, `${charset}_unicode_ci`, `${charset}_general_ci`].find((one) =>
    known.has(one),
  )
  return found ?? is
}

/** The beginning of a statement with single spaces, so that patterns of several optional words stay quick. */
const narrow = (text: string) => text.slice(0, 2000).replaceAll(/\s+/g, ' ')
const plain = (text: string) =>
  text
    .replace(/^[`"]|[`"]$/g, '')
    .replaceAll('``', '`')
    .slice(0, 100)
const who = (text: string) => text.replaceAll(/[`'"]/g, '').replaceAll(/\s/g, '').slice(0, 200)
/** The beginning of a statement for people: one line, without what may be a password. */
const short = (text: string) =>
  narrow(text)
    .replace(/\b(?:IDENTIFIED|PASSWORD)\b.*$/is, '...')
    .trim()
    .slice(0, 100)
