import { isIP } from 'node:net'
import { archiveFields } from './archiveFields.ts'
import { dumpFields } from './dumpFields.ts'
import { edgeFields } from './edgeFields.ts'
import { digits, flag, lower, only, orNull, type Rule, rule, word } from './rule.ts'

const letters = `${lower}${lower.toUpperCase()}`
const hex = (length: number) =>
  rule('word', (text) => (only(text, `${digits}abcdef`) && text.length === length ? text : undefined))
const address = rule('word', (text) => (isIP(text) ? text : undefined))
const id: Rule = {
  kind: 'whole',
  read: (value) =>
    Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 2_147_483_647 ? `${value}` : undefined,
}
/** A time by the clock of a server, in ms. */
const clock: Rule = {
  kind: 'whole',
  read: (value) =>
    Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 9_999_999_999_999 ? `${value}` : undefined,
}

/** A text that becomes a value of a database, in hex, and never a command or a path. */
const oneLine = rule('word', (text) => (/^[^\p{Cc}\p{Cs}]{1,500}$/u.test(text) ? text : undefined))

const applications = [
  ...['front-controller', 'wordpress', 'wordpress-folders', 'wordpress-names', 'drupal', 'joomla'],
  ...['nextcloud', 'mediawiki', 'laravel', 'files'],
]
/** Whatever is short enough: the driver reads the words, and refuses those that it does not know. */
const ownRules = rule('word', (text) => (text.length <= 16_000 ? text : undefined))

/** Fields of proxies, monitoring, merges, signed zones and dumps. */
export const laterFields: Record<string, Rule> = {
  again: flag,
  edge: flag,
  'document-root.changes keep': flag,
  ...dumpFields,
  ...archiveFields,
  ...edgeFields,
  /** The primary of a copy; null for the primary itself. */
  'dns-zone.read from': orNull(address),
  'dns-zones.compare from': orNull(address),
  'transfer.close clear': flag,
  'transfer.pull untouchedSince': clock,
  'archive.again since': clock,
  'archive.again packed': clock,
  'transfer.verify since': clock,
  add: address,
  remove: address,
  only: address,
  cookies: rule('word', (text) => {
    const name = text.endsWith('*') ? text.slice(0, -1) : text
    return only(name, `${letters}${digits}_.-`) && name.length <= 64 ? text : undefined
  }),
  application: word(...applications),
  ownRules,
  beforeRules: {
    kind: 'word',
    read(value) {
      if (value === null) return 'null'
      if (typeof value !== 'object' || !value || !('application' in value) || !('ownRules' in value)) return undefined
      const isGood = word(...applications).read(value.application) && ownRules.read(value.ownRules) !== undefined
      return isGood ? JSON.stringify(value) : undefined
    },
  },
  fingerprint: hex(64),
  seen: hex(64),
  shape: orNull(hex(64)),
  /** Checksums of tables: an agent's own answer, sent back unchanged. */
  expected: {
    kind: 'word',
    read: (value) =>
      typeof value === 'object' &&
      value &&
      !Array.isArray(value) &&
      Object.values(value).every((sum) => sum === null || typeof sum === 'string')
        ? JSON.stringify(value)
        : undefined,
  },
  complete: flag,
  https: flag,
  merge: id,
  id,
  /** Path of a page in a request, unlike the other paths, which are files. */
  'websites.check path': rule('word', (typed) => {
    const text = typed.trim()
    const fits = only(text, `${letters}${digits}._~!$&'()*+,;=:@%/?-`) && text.startsWith('/') && text.length <= 501
    return fits ? text : undefined
  }),
  /** A word on a page, which no file and no command receives. */
  word: orNull(
    rule('word', (typed) => {
      const text = typed.trim()
      return text.length >= 2 && text.length <= 100 && !/\p{C}/u.test(text) ? text : undefined
    }),
  ),
  'database.search from': oneLine,
  'database.search to': oneLine,
  'database.search how': word('text', 'domain', 'network'),
  'database.replace from': oneLine,
  'database.replace to': oneLine,
  'database.replace how': word('text', 'domain', 'network'),
  'database.put-back values': {
    kind: 'whole',
    read: (value) => (Number.isSafeInteger(value) && Number(value) >= 0 ? `${value}` : undefined),
  },
  /** Sealed keys of a zone, opened by the agent. */
  keys: rule('word', (text) => (text.length <= 60_000 ? text : undefined)),
  dnskeys: rule('word', (text) => {
    const [flags = '', protocol, algorithm = '', key = '', ...more] = text.split(' ')
    const fits = only(algorithm, digits) && algorithm.length <= 3 && only(key, `${letters}${digits}+/=`)
    const isKey = ['256', '257'].includes(flags) && protocol === '3' && fits && more.length === 0
    return isKey && key.length >= 20 && key.length <= 2000 ? text : undefined
  }),
  reader: rule('word', (text) =>
    only(text.slice(0, -1), `${letters}${digits}+/`) && text.length === 44 && text.endsWith('=') ? text : undefined,
  ),
}
