import { mailHash } from '@innkeeper/contract/agent/mailboxes'
import { readCsv as rowsOf } from '@innkeeper/contract/kit/csvText'
import { password as passwordSchema, weakness } from '@innkeeper/contract/kit/passwords'
import { localPart, MOST_QUOTA_MB } from '@innkeeper/contract/net/mailboxes/mail'
import { MOST_CSV_MAILBOXES } from '@innkeeper/contract/net/mailboxes/mailCsv'

export interface CsvMailbox {
  line: number
  localPart: string
  address: string
  name: string
  quotaMb: number
  /** A password in clear, or its hash in the notation of Dovecot. Both absent: Innkeeper chooses one. */
  password?: string
  hash?: string
}
export interface CsvProblem {
  line: number
  text: string
}

const columns = ['address', 'password', 'name', 'quota'] as const
type Column = (typeof columns)[number]
const USUAL_QUOTA_MB = 1024

/** The mailboxes of a CSV for a domain, and what is wrong in it. Columns: address, password, name, quota in MB. */
export function readCsv(text: string, domain: string): { mailboxes: CsvMailbox[]; errors: CsvProblem[] } {
  const { rows, unclosed } = rowsOf(text)
  if (unclosed !== undefined)
    return { mailboxes: [], errors: [{ line: unclosed, text: 'A quote of this line is not closed' }] }
  const [head = { line: 1, cells: [] }, ...rest] = rows.filter(({ cells }) => cells.some((cell) => cell.trim()))
  const names = head.cells.map((cell) => cell.trim().toLowerCase())
  const wrong = wrongHead(names, rest.length)
  if (wrong) return { mailboxes: [], errors: [{ line: head.line, text: wrong }] }
  const mailboxes: CsvMailbox[] = []
  const errors: CsvProblem[] = []
  const lines = new Map<string, number>()
  for (const { line, cells } of rest) {
    if (cells.length > names.length) {
      errors.push({ line, text: `${cells.length} cells, and ${names.length} columns have a name` })
      continue
    }
    const cell = (name: Column) => cells[names.indexOf(name)] ?? ''
    const found = readLine(line, cell, domain)
    if ('text' in found) {
      errors.push(found)
      continue
    }
    const twin = lines.get(found.address)
    if (twin !== undefined) errors.push({ line, text: `${found.address} is in line ${twin} already` })
    lines.set(found.address, twin ?? line)
    mailboxes.push(found)
  }
  return { mailboxes, errors }
}

/** Why the first line, or the number of lines, is refused. */
function wrongHead(names: readonly string[], lines: number): string | undefined {
  const unknown = names.find((name) => !(columns as readonly string[]).includes(name))
  const rule = `The first line names the columns: address is required, ${columns.slice(1).join(', ')} are optional`
  if (unknown !== undefined) return `${rule}. “${unknown.slice(0, 40)}” is none of them`
  if (!names.includes('address') || new Set(names).size < names.length) return `${rule}, each once`
  if (!lines) return 'No line follows the names of the columns'
  return lines > MOST_CSV_MAILBOXES ? `At most ${MOST_CSV_MAILBOXES} mailboxes in one act` : undefined
}

function readLine(line: number, cell: (name: Column) => string, domain: string): CsvMailbox | CsvProblem {
  const [address, name, quota] = [cell('address').trim(), cell('name').trim(), cell('quota').trim()]
  const [local = '', of, ...more] = address.split('@')
  if (more.length || (of !== undefined && of.toLowerCase() !== domain))
    return { line, text: `${address.slice(0, 100)} is no address of ${domain}` }
  const read = localPart.safeParse(local)
  if (!read.success) return { line, text: `${local.slice(0, 80) || 'No address'}: ${read.error.issues[0]?.message}` }
  if (name.length > 120 || /\p{Cc}/u.test(name))
    return { line, text: 'The name has more than 120 characters, or control characters' }
  const quotaMb = quota === '' ? USUAL_QUOTA_MB : /^\d{1,7}$/.test(quota) ? Number(quota) : 0
  if (quotaMb < 1 || quotaMb > MOST_QUOTA_MB)
    return { line, text: `The quota ${quota.slice(0, 20)} is no number of MB from 1 to ${MOST_QUOTA_MB}` }
  const mailbox = { line, localPart: read.data, address: `${read.data}@${domain}`, name, quotaMb }
  return withPassword(mailbox, cell('password'))
}

function withPassword(mailbox: CsvMailbox, typed: string): CsvMailbox | CsvProblem {
  const { line, address, name } = mailbox
  if (typed === '') return mailbox
  if (looksHashed(typed)) {
    const hash = mailHash.safeParse(inDovecot(typed.trim()))
    if (hash.success) return { ...mailbox, hash: hash.data }
    return {
      line,
      text: 'The hash of the password is of a kind that is not read here: SHA512-CRYPT, BLF-CRYPT, MD5-CRYPT, SSHA512, PBKDF2 and ARGON2ID are',
    }
  }
  const plain = passwordSchema.safeParse(typed)
  const why = plain.success ? weakness(typed, [address, name]) : plain.error.issues[0]?.message
  return why ? { line, text: `Password: ${why}` } : { ...mailbox, password: typed }
}

const looksHashed = (text: string) => /^\s*(?:\{[A-Z0-9.-]{2,20}\}|\$(?:1|5|6|y|2[aby])\$)/.test(text)
/** Panels write crypt(3) with or without its name; Dovecot reads all kinds as `{CRYPT}`. */
const inDovecot = (text: string) =>
  text.startsWith('$') ? `{CRYPT}${text}` : text.replace(/^\{(?:SHA512|SHA256|BLF|MD5)-CRYPT\}/, '{CRYPT}')
