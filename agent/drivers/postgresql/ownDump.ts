import { Transform } from 'node:stream'
import type { DumpFinding } from '@innkeeper/contract/hosting/databases/dumps'
import { script } from './script.ts'

type Effect = DumpFinding['effect']
type Topic = DumpFinding['topic']
type Judged = { effect: Effect; topic: Topic; what: string } | 'silent' | undefined

export interface DumpFacts {
  bytes: number
  statements: number
  tables: number
  findings: DumpFinding[]
  /** Rows of each table, if the dump uses COPY. */
  rows: Record<string, number>
  /** The last line of pg_dump was read. */
  complete: boolean
}

const COMPLETE = '-- PostgreSQL database dump complete'
const BEGINS = Buffer.from('-- PostgreSQL database dump\n')

const isTriggerSwitch = /^alter\s+table\s[^;']*\s(?:disable|enable)\s+trigger\s+all\s*;?$/i

/** Judges a statement of a dump; undefined: the statement is loaded as written. */
function judged(text: string): Judged {
  const head = text.slice(0, 4000).replace(/\s+/g, ' ').toLowerCase()
  const what = text.slice(0, 120).replace(/\s+/g, ' ')
  const out = (topic: Topic): Judged => ({ effect: 'left out', topic, what })
  if (/^(?:begin|commit|end|rollback|start transaction|abort)\b[^(]*;?$/.test(head)) return 'silent'
  const owner = /^alter [\s\S]* owner to ("(?:[^"]|"")+"|[^\s;]+) ?;?$/i.exec(text.slice(-4000).replace(/\s+/g, ' '))
  if (head.startsWith('alter ') && owner) return { effect: 'rewritten', topic: 'definer', what: owner[1] ?? '' }
  if (/^(?:create|alter|drop) (?:role|user|group)\b/.test(head)) return out('accounts')
  if (
    /^(?:grant|revoke|reassign|alter default privileges|set role|reset role|set (?:local |session )?session authorization|set session authorization|reset session authorization)\b/.test(
      head,
    )
  )
    return out('accounts')
  if (/^(?:create|alter|drop) database\b/.test(head)) return out('database')
  if (/^(?:(?:create|drop|alter) schema|comment on schema) (?:if (?:not )?exists )?"?public"?(?: |;|$)/.test(head))
    return out('database')
  if (/^create extension (?:if not exists )?"?plpgsql\b|^comment on extension\b/.test(head)) return 'silent'
  if (/^alter system\b/.test(head)) return { effect: 'refused', topic: 'server commands', what }
  if (
    /^(?:create|alter|drop) (?:subscription|publication|event trigger|tablespace|server|foreign data wrapper|user mapping|language)\b/.test(
      head,
    )
  )
    return out('server settings')
  if (/^set (?:session )?(?:transaction_timeout|default_with_oids|default_tablespace)\b/.test(head))
    return /default_tablespace = ''/.test(head) ? 'silent' : out('server settings')
  if (/^(?:vacuum|analyze|cluster)\b/.test(head)) return 'silent'
  if (/^copy\b/.test(head) && !/\bfrom stdin\b/.test(head))
    return { effect: 'refused', topic: 'files of the server', what }
  if (/^(?:load|checkpoint|listen|notify)\b/.test(head)) return out('server commands')
  if (/^(?:create table|insert into|drop table if exists|lock tables) `/.test(head))
    return { effect: 'refused', topic: 'format', what: 'a dump of MariaDB or MySQL' }
  return undefined
}

/**
 * Passes on the SQL of a dump that concerns one database only: leaves out owners, accounts and settings of another
 * server, and commands of psql. Reports statements that cannot be left out as refused.
 */
export function ownDump(): { through: Transform; facts: () => DumpFacts } {
  const findings = new Map<string, DumpFinding>()
  const facts = { bytes: 0, statements: 0, tables: 0, rows: {} as Record<string, number>, complete: false }
  const databases = new Set<string>()
  let begin = true
  let tail = ''
  /** pg_dump's first comment was read, and its last comment was not. A handwritten dump has neither comment. */
  let unfinished = false
  let marks = Buffer.alloc(0)
  const find = (effect: Effect, topic: Topic, what: string, line: number) => {
    const key = `${effect} ${topic} ${what}`
    const known = findings.get(key)
    if (known) known.count++
    else if (findings.size < 200) findings.set(key, { effect, topic, what: what.slice(0, 200), count: 1, line })
  }
  const through = new Transform({
    transform(chunk: Buffer, _, done) {
      try {
        facts.bytes += chunk.length
        if (begin && chunk.subarray(0, 5).toString('latin1') === 'PGDMP') {
          find('refused', 'format', 'pg_dump’s own format: write a dump with --format=plain', 1)
          begin = false
        }
        begin = false
        marks = Buffer.concat([marks, chunk])
        const [begins, completes] = [marks.lastIndexOf(BEGINS), marks.lastIndexOf(COMPLETE)]
        if (begins !== completes) unfinished = begins > completes
        marks = marks.subarray(-COMPLETE.length) // a comment may be split between chunks
        tail = (tail + chunk.subarray(-400).toString('latin1')).slice(-400)
        reading.write(chunk)
        done()
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)))
      }
    },
    flush(done) {
      try {
        facts.complete = tail.includes(COMPLETE)
        if (!reading.end() || unfinished) find('refused', 'incomplete', 'the dump breaks off', 0)
        done()
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)))
      }
    },
  })
  const blank = (bytes: Buffer) => {
    // keeps the line breaks, so that PostgreSQL names the right line in an error
    const lines = bytes.reduce((sum, byte) => sum + (byte === 10 ? 1 : 0), 0)
    if (lines) through.push(Buffer.alloc(lines, 10))
  }
  const reading = script({
    statement(bytes, text, line) {
      facts.statements++
      if (/^create (?:unlogged |temp(?:orary)? |foreign )?table\b/i.test(text)) facts.tables++
      const copied = /^copy\s+(\S+)/i.exec(text)?.[1]
      if (copied && /\bfrom\s+stdin\b/i.test(text)) facts.rows[plain(copied)] ??= 0
      if (isTriggerSwitch.test(text.slice(0, 400))) {
        // pg_dump --disable-triggers needs a superuser, who alone may switch off the triggers of foreign keys
        find(
          'rewritten',
          'server settings',
          'TRIGGER ALL becomes TRIGGER USER: foreign keys are checked row by row',
          line,
        )
        return void through.push(Buffer.from(bytes.toString('latin1').replace(/\bALL(\s*;\s*)$/i, 'USER$1'), 'latin1'))
      }
      const verdict = judged(text)
      if (!verdict) return void through.push(bytes)
      if (verdict !== 'silent') find(verdict.effect, verdict.topic, verdict.what, line)
      blank(bytes)
    },
    command(text, line) {
      if (/^(?:un)?restrict\b/.test(text)) return
      const to = /^c(?:onnect)?\s+(?:-reuse-previous=on\s+)?(\S+)/.exec(text)?.[1]
      if (to) {
        databases.add(to)
        if (databases.size > 1) find('refused', 'other database', to, line)
        else find('left out', 'database', `\\connect ${to}`, line)
      } else if (/^(?:encoding|set|pset|timing|echo|qecho)\b/.test(text))
        find('left out', 'client commands', `\\${text}`, line)
      else find('refused', 'client commands', `\\${text}`, line)
    },
    data: (bytes) => void through.push(bytes),
    row(table) {
      facts.rows[table] = (facts.rows[table] ?? 0) + 1
    },
  })
  return { through, facts: () => ({ ...facts, findings: [...findings.values()] }) }
}

const plain = (name: string) =>
  name
    .replaceAll('"', '')
    .replace(/^public\./, '')
    .replace(/\($/, '')
