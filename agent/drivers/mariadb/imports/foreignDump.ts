import { Transform } from 'node:stream'
import type { DumpFinding } from '@innkeeper/contract/hosting/databases/dumps'
import type { ForeignFacts } from '../../dumps/reading.ts'
import { rule, type Server } from './rules.ts'
import { type Piece, statements } from './statements.ts'

const MOST_FINDINGS = 200
/** Bytes that are judged while the client waits for the server. */
const AHEAD = 1024 * 1024

/** Bytes of statements with one commit. A load that fails undoes no more than these before its database can be dropped. */
const COMMIT_AFTER = 64 * 1024 * 1024

/**
 * Reads a dump of another server: omits and rewrites statements as `rule` decides, and collects remarks. Lines
 * keep their numbers, so that an error of MariaDB names the line of the dump. Adds a commit after `commitAfter` bytes and at the end.
 */
export function foreignDump(
  server: Server,
  readAs: readonly string[] = [],
  commitAfter = COMMIT_AFTER,
): { through: Transform; facts: () => ForeignFacts } {
  const findings = new Map<string, DumpFinding>()
  const databases = new Set<string>()
  const former = new Set(readAs)
  let [bytes, count, tables] = [0, 0, 0]
  /**
   * A dump has begun, and its last line, which says that it is complete, was not read yet. A file may contain several
   * dumps.
   */
  let unfinished = false
  let unlisted = 0
  /** The end of the text between two statements: a comment may be split between chunks. */
  let comment = ''
  let own: string | undefined
  let first = true
  let uncommitted = 0
  const note = (found: Omit<DumpFinding, 'count'>) => {
    const key = `${found.effect} ${found.topic} ${found.what}`
    const known = findings.get(key)
    if (known) known.count++
    else if (findings.size < MOST_FINDINGS || found.effect === 'refused') {
      if (findings.size < 2 * MOST_FINDINGS) findings.set(key, { ...found, count: 1 })
    } else unlisted++
  }
  const piece = ({ kind, bytes: text, line }: Piece) => {
    const before = uncommitted
    uncommitted += text.length
    if (kind === 'rows') return through.push(text)
    if (kind === 'text') {
      comment = (comment + text.toString('latin1')).slice(-4096)
      const begins = Math.max(comment.lastIndexOf('-- MySQL dump '), comment.lastIndexOf('-- MariaDB dump '))
      const completes = comment.lastIndexOf('-- Dump completed')
      if (begins !== completes) unfinished = begins > completes
      own ??= /^-- Host: .*\bDatabase: (\w+)[ \t]*\r?$/m.exec(comment)?.[1]
      if (/-- PostgreSQL database dump/.test(comment))
        note({ effect: 'refused', topic: 'format', what: 'a dump of PostgreSQL', line })
      return through.push(text)
    }
    comment = ''
    count++
    if (before > commitAfter) {
      through.push(`commit${reader.delimiter()} `)
      uncommitted = text.length
    }
    const words = text.toString('latin1')
    if (/^(?:\s|\/\*M?!\d*)*CREATE\s+(?:OR\s+REPLACE\s+)?TABLE\b/i.test(words)) tables++
    const ruled = rule(words, server, databases, own, former)
    for (const one of ruled.findings) note({ ...one, what: asText(one.what), line })
    through.push(ruled.text === words ? text : Buffer.from(ruled.text, 'latin1'))
  }
  const readsFile = (line: number) => note({ effect: 'refused', topic: 'files of the server', what: 'LOAD_FILE', line })
  const reader = statements({ piece, readsFile })
  const through: Transform = new Transform({
    readableHighWaterMark: AHEAD,
    transform(part: Buffer, _, done) {
      bytes += part.length
      try {
        reader.take(first ? opening(part) : part)
        first = false
        done()
      } catch (error) {
        done(error as Error) // thrown by the reader, always an Error
      }
    },
    flush(done) {
      const end = reader.end()
      if (end === 'open' || unfinished)
        note({ effect: 'refused', topic: 'incomplete', what: 'The dump breaks off before its end', line: 0 })
      else if (end === 'without delimiter')
        note({ effect: 'noted', topic: 'incomplete', what: 'The last statement has no semicolon', line: 0 })
      if (databases.size > 1)
        note({
          effect: 'refused',
          topic: 'other database',
          what: `${databases.size} databases: ${[...databases].slice(0, 5).map(asText).join(', ')}. Import one at a time`,
          line: 0,
        })
      if (unlisted) note({ effect: 'noted', topic: 'format', what: `${unlisted} more are not listed`, line: 0 })
      const delimiter = reader.delimiter()
      through.push(`${end === 'without delimiter' ? delimiter : ''}\ncommit${delimiter}\n`)
      done()
    },
  })
  return { through, facts: () => ({ bytes, statements: count, tables, findings: [...findings.values()] }) }
}

/** The first bytes without a byte order mark. */
function opening(part: Buffer): Buffer {
  if ((part[0] === 0xff && part[1] === 0xfe) || (part[0] === 0xfe && part[1] === 0xff))
    throw new Error('The dump is in UTF-16: save it as UTF-8')
  return part[0] === 0xef && part[1] === 0xbb && part[2] === 0xbf ? part.subarray(3) : part
}

const asText = (latin1: string) => Buffer.from(latin1, 'latin1').toString()
