import { domainToASCII } from 'node:url'
import { privateTarget } from './backupFields.ts'
import { digits, flag, ip, lower, only, type Rule, rule, word } from './rule.ts'

const letters = `${lower}${lower.toUpperCase()}`
const id: Rule = {
  kind: 'whole',
  read: (value) =>
    Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 2_147_483_647 ? `${value}` : undefined,
}
const whole = (min: number, max: number): Rule => ({
  kind: 'whole',
  read: (value) => (Number.isInteger(value) && Number(value) >= min && Number(value) <= max ? `${value}` : undefined),
})
const isLocal = (text: string, more: string) => {
  const fits = only(text, `${lower}${digits}._'-${more}`) && text.length <= 64 && !text.includes('..')
  return fits && `${lower}${digits}`.includes(text[0] ?? '.') && !'.-'.includes(text.at(-1) ?? '.')
}
const localPart = rule('word', (typed) => {
  const text = typed.trim().toLowerCase()
  return isLocal(text, '') ? text : undefined
})
const isDomain = (text: string) => {
  const labels = text.split('.')
  const good = (label: string) =>
    only(label, `${lower}${digits}-`) && label.length <= 63 && !label.startsWith('-') && !label.endsWith('-')
  return (
    labels.length > 1 &&
    text.length >= 4 &&
    text.length <= 253 &&
    labels.every(good) &&
    !only(labels.at(-1) ?? '', digits)
  )
}
const mailAddress = rule('word', (typed) => {
  const text = typed.trim().toLowerCase()
  const [local = '', name = '', ...more] = text.split('@')
  return !more.length && text.length <= 254 && isLocal(local, '+=') && isDomain(name) ? text : undefined
})
function domainRule(typed: string): string | undefined {
  const text = typed.trim().toLowerCase().replace(/\.$/, '')
  const plain = [...text].filter((c) => c <= '\x7f').join('') || '.'
  const ascii = only(plain, `${lower}${digits}-.`) ? domainToASCII(text) || text : text
  return isDomain(ascii) ? ascii : undefined
}
const isPlainLine = (text: string, most: number) =>
  text.length >= 1 && text.length <= most && ![...text].some((c) => /\p{Cc}/u.test(c))
const date = rule('word', (text) => {
  const fits = /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00:00Z`).toString() !== 'Invalid Date'
  return fits && new Date(`${text}T00:00:00Z`).toISOString().startsWith(text) ? text : undefined
})
const lines = (most: number, allowed: string) =>
  rule('word', (typed) => {
    const text = typed.trim()
    const hidden = [...text].some((c) => /\p{Cc}/u.test(c) && !allowed.includes(c))
    return text && text.length <= most && !hidden ? text : undefined
  })
const state = word('active', 'disabled', 'receive-only')
const seconds = whole(0, 4_102_444_800)

const selector = rule('word', (text) => {
  const fits = only(text, `${lower}${digits}-`) && text.length <= 32
  return fits && !text.startsWith('-') && !text.endsWith('-') ? text : undefined
})

/** Fields of mail. */
export const mailFields: Record<string, Rule> = {
  mailboxId: id,
  userId: id,
  localPart,
  targets: mailAddress,
  forwards: mailAddress,
  catchAll: mailAddress,
  quotaMb: whole(1, 1_048_576),
  hourlyLimit: whole(1, 100_000),
  accountId: id,
  ownerId: id,
  accountLimit: whole(1, 100_000),
  spamScore: whole(1, 15),
  keepCopy: flag,
  subject: lines(200, ''),
  text: lines(4000, '\n\r\t'),
  'mail-domain.ensure state': state,
  'mail-domain.ensure from': date,
  'mail-domain.ensure until': date,
  /** JSON that the driver reads with a schema of its own. */
  passwords: rule('word', (text) => (text.length <= 4_000_000 ? text : undefined)),
  mail: id,
  phase: word('held', 'moved'),
  'mail-domain.ensure to': ip,
  relays: ip,
  selector,
  selectors: selector,
  /** An address, or a domain in any script. */
  about: rule('word', (typed) => mailAddress.read(typed) ?? domainRule(typed)),
  messageId: rule('word', (text) =>
    text.length >= 3 && text.length <= 250 && [...text].every((c) => c >= '!' && c <= '~') ? text : undefined,
  ),
  'mail-trace.read from': seconds,
  'mail-trace.read until': seconds,
  'mail-trace.read most': whole(1, 200),
  'mail-queue.read most': whole(1, 500),
  'mail-guesses.read since': whole(0, 253_402_300_799),
  queueId: rule('word', (text) =>
    only(text, `${letters}${digits}`) && text.length >= 6 && text.length <= 20 ? text : undefined,
  ),
  act: word('retry', 'hold', 'release', 'delete'),
  'mail-sender.act act': word('hold', 'send', 'delete'),
  sender: rule(
    'word',
    (typed) => mailAddress.read(typed) ?? (/^[a-z][a-z0-9_]{0,30}$/.test(typed) ? typed : undefined),
  ),
  'mail-import.run privateTargets': privateTarget,
  'mail-import.run host': rule('word', (typed) => ip.read(typed) ?? domainRule(typed)),
  'mail-import.run port': whole(1, 65_535),
  'mail-import.run login': rule('word', (text) => (isPlainLine(text, 254) ? text : undefined)),
  'mail-import.run key': rule('word', (text) => (isPlainLine(text, 200) ? text : undefined)),
  'mail-import.run since': whole(0, 253_402_300_799),
  'mail-reports.read taken': rule('word', (text) => (/^\d{1,12}-\d{1,12}$/.test(text) ? text : undefined)),
  own: whole(1, 100_000),
  together: whole(1, 100_000),
}
