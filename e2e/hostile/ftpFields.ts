import { digits, lower, only, type Rule, rule, word } from './rule.ts'

const letters = `${lower}${lower.toUpperCase()}`
const whole = (min: number, max: number): Rule => ({
  kind: 'whole',
  read: (value) => (Number.isInteger(value) && Number(value) >= min && Number(value) <= max ? `${value}` : undefined),
})
/** The account, an underscore and a name. Both may contain underscores too. */
const login = rule('word', (text) => {
  const good = (at: number) => {
    const [account, name] = [text.slice(0, at), text.slice(at + 1)]
    const isAccount = only(account, `${lower}${digits}_`) && lower.includes(account.slice(0, 1)) && account.length <= 31
    const isName = only(name, `${lower}${digits}_-`) && `${lower}${digits}`.includes(name.slice(0, 1))
    return isAccount && isName && name.length <= 31
  }
  return [...text].some((c, at) => c === '_' && good(at)) ? text : undefined
})
/** A folder of up to six names within a website, or the website itself. */
const folder = rule('word', (typed) => {
  const text = typed.trim()
  const parts = text === '' ? [] : text.split('/')
  const good = (part: string) =>
    only(part, `${letters}${digits}._-`) && part.length <= 128 && part !== '.' && part !== '..'
  return text.length <= 400 && parts.length <= 6 && parts.every(good) ? text : undefined
})
/** A hash of crypt(3): the number of its kind, a salt, and the hash itself; SHA may say its rounds, yescrypt its cost. */
const hash = rule('word', (text) => {
  const [empty, kind, ...parts] = text.split('$')
  const lengths: Record<string, number> = { 1: 22, 5: 43, 6: 86, y: 43 }
  const length = lengths[kind ?? '']
  if (empty !== '' || length === undefined) return undefined
  const [first = ''] = parts
  const rounds = first.startsWith('rounds=') && '56'.includes(kind ?? '-')
  const [salt = '', sum = '', ...more] = rounds || kind === 'y' ? parts.slice(1) : parts
  const good = (part: string, least: number, most: number) =>
    only(part, `${letters}${digits}./`) && part.length >= least && part.length <= most
  const number = first.slice('rounds='.length)
  if (rounds && !(only(number, digits) && number.length >= 4 && number.length <= 9)) return undefined
  if (kind === 'y' && !good(first, 1, 20)) return undefined
  const most = kind === '1' ? 8 : kind === 'y' ? 86 : 16
  return good(salt, 1, most) && good(sum, length, length) && !more.length ? text : undefined
})
const END = 253_402_300_799
const isSet = (value: unknown) => (typeof value === 'boolean' ? `${value}` : undefined)

/** Fields of FTP users and of the FTP service. */
export const ftpFields: Record<string, Rule> = {
  'ftp.ensure plain': { kind: 'word', read: isSet },
  'ftp.ensure before': { kind: 'word', read: (value) => (value === true ? 'true' : undefined) },
  'ftp-user.ensure name': login,
  'ftp-user.remove name': login,
  'ftp.sessions name': login,
  'ftp-session.end name': login,
  'ftp.transfers name': login,
  'ftp-user.ensure folder': folder,
  'ftp-user.ensure hash': hash,
  'ftp-user.ensure state': word('active', 'suspended', 'disabled'),
  'ftp-user.ensure quotaMb': whole(1, 16_777_216),
  'ftp-user.ensure uploadKbps': whole(1, 10_485_760),
  'ftp-user.ensure downloadKbps': whole(1, 10_485_760),
  'ftp-user.ensure sessions': whole(1, 100),
  'ftp-user.ensure expires': whole(0, END),
  'ftp-session.end session': whole(2, 4_194_304),
  'ftp.transfers limit': whole(1, 500),
  'ftp.activity since': whole(0, END),
}
