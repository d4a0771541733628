import { digits, flag, lower, only, type Rule, rule, word } from './rule.ts'

const letters = `${lower}${lower.toUpperCase()}`
const hex = rule('word', (text) => (only(text, `${digits}abcdef`) && text.length === 64 ? text : undefined))
const whole = (min: number, max: number): Rule => ({
  kind: 'whole',
  read: (value) => (Number.isInteger(value) && Number(value) >= min && Number(value) <= max ? `${value}` : undefined),
})
const id = whole(1, 2_147_483_647)
const count = whole(0, Number.MAX_SAFE_INTEGER)
/** Passwords of accounts. */
const password = rule('word', (text) =>
  only(text, `${letters}${digits}_-`) && text.length >= 16 && text.length <= 128 ? text : undefined,
)

/** Passwords of repositories: printable ASCII. */
const repositoryPassword = rule('word', (text) =>
  [...text].every((one) => one >= ' ' && one <= '~') && text.length >= 8 && text.length <= 200 ? text : undefined,
)

/** Password of an account on a backup server, or the secret of a bucket. */
const storeKey = rule('word', (text) =>
  only(text, `${letters}${digits}_+/=.-`) && text.length >= 6 && text.length <= 200 ? text : undefined,
)

/** A database of MariaDB. */
const database = rule('word', (text) => {
  const fits = only(text, `${lower}${digits}_`) && lower.includes(text[0] ?? '_') && text.length >= 2
  const own = ['mysql', 'sys', 'information_schema', 'performance_schema', 'test']
  return fits && text.length <= 64 && !own.includes(text) ? text : undefined
})
/** A folder of a website. */
const sitePath = rule('path', (text) => {
  const [root, home, user = '', ...below] = text.split('/')
  const good = (part: string) =>
    only(part, `${letters}${digits}._-`) && part.length <= 128 && part !== '.' && part !== '..'
  const named = only(user, `${lower}${digits}_`) && lower.includes(user.slice(0, 1)) && user.length <= 31
  return root === '' && home === 'home' && named && below.length <= 8 && below.every(good) ? text : undefined
})
/** A path from the root of a snapshot. */
const snapshotPath = rule('word', (text) => {
  const parts = (text.length > 1 && text.endsWith('/') ? text.slice(0, -1) : text).split('/').slice(1)
  const hidden = [...text].some((c) => /[\p{C}\p{Zl}\p{Zp}]/u.test(c) || c === '\ufffd')
  const good = (part: string) => part !== '' && part !== '.' && part !== '..' && part.length <= 255
  const fits = text === '/' || (text.startsWith('/') && !hidden && parts.every(good))
  return fits && text.length <= 1000 ? text : undefined
})
/** Part of a file name that people look for. */
const searched = rule('word', (typed) => {
  const text = typed.trim()
  const hidden = [...text].some((c) => /[\p{C}\p{Zl}\p{Zp}]/u.test(c) || c === '\ufffd')
  return text && text.length <= 200 && !hidden && !text.includes('/') ? text : undefined
})
/** A path within a website's folder. */
const within = rule('word', (text) => {
  const parts = text.split('/')
  const hidden = [...text].some((c) => /[\p{C}\p{Zl}\p{Zp}]/u.test(c) || c === '\ufffd')
  const good = parts.every((part) => part !== '' && part !== '.' && part !== '..')
  return text && !hidden && good && [...text].length <= 1000 ? text : undefined
})
const session = rule('word', (text) =>
  only(text, `${lower}${digits}-`) && text[0] !== '-' && text.length >= 1 && text.length <= 40 ? text : undefined,
)
/** Account and folder of a machine on a backup server. */
const account = rule('word', (text) => {
  const ends = `${lower}${digits}`
  const fits = only(text, `${ends}-`) && lower.includes(text[0] ?? '-') && ends.includes(text.at(-1) ?? '-')
  return fits && text.length >= 3 && text.length <= 40 ? text : undefined
})
const blobKey = rule('word', (text) => (only(text, `${digits}abcdef`) && text.length === 32 ? text : undefined))
/** An address or a network that may be reached although it is private. */
export const privateTarget = rule('word', (text) => {
  const [address = '', prefix, ...more] = text.split('/')
  const isPrefix = prefix === undefined || (only(prefix, digits) && prefix.length >= 1 && prefix.length <= 3)
  const fits = only(address, `${digits}abcdefABCDEF:.`) && address.length >= 2 && address.length <= 45
  return fits && isPrefix && !more.length ? text : undefined
})
const fields: Record<string, Rule> = {
  run: id,
  sha256: hex,
  size: count,
  account,
  from: account,
  password: repositoryPassword,
  fromPassword: repositoryPassword,
  server: flag,
  key: storeKey,
  endpoint: rule('word', (typed) => {
    const text = typed.trim()
    const [scheme, empty, host = '', ...rest] = text.split('/')
    const [name = '', port, ...more] = host.split(':')
    const digitsOnly = port === undefined || (only(port, digits) && port.length <= 5)
    const fits = ['http:', 'https:'].includes(scheme ?? '') && empty === '' && !rest.length && !more.length
    return fits && digitsOnly && name.length <= 253 && only(name, `${lower}${digits}.-`) && URL.canParse(text)
      ? text
      : undefined
  }),
  bucket: rule('word', (typed) => {
    const text = typed.trim()
    const ends = `${lower}${digits}`
    const fits = only(text, `${ends}.-`) && ends.includes(text[0] ?? '-') && ends.includes(text.at(-1) ?? '-')
    return fits && text.length >= 3 && text.length <= 63 && !text.slice(0, -1).includes('..') ? text : undefined
  }),
  prefix: rule('word', (typed) => {
    const text = typed.trim()
    const parts = text.split('/')
    const good = (part: string) => only(part, `${letters}${digits}._-`) && part[0] !== '.' && part.length <= 64
    return text === '' || (parts.pop() === '' && parts.length <= 5 && parts.every(good)) ? text : undefined
  }),
  region: rule('word', (typed) => {
    const text = typed.trim()
    return only(text, `${lower}${digits}-`) && text.length <= 40 ? text : undefined
  }),
  keyId: rule('word', (typed) => {
    const text = typed.trim()
    return only(text, `${letters}${digits}_.-`) && text.length <= 128 ? text : undefined
  }),
  pathStyle: flag,
  privateTargets: privateTarget,
  port: whole(1024, 65_535),
  snapshot: hex,
  snapshots: hex,
  backup: id,
  restore: id,
  website: id,
  share: whole(0, 100),
  files: count,
  bytes: count,
  dump: database,
  limit: whole(64, 10_000_000),
  excludes: rule('word', (typed) => {
    const text = typed.trim()
    const fits = only(text, `${letters}${digits}._*?/ -`) && text[0] !== '!'
    return fits && text.length <= 200 ? text : undefined
  }),
}
const operations = [
  ...['backup-program.ensure', 'backup-server.ensure', 'backup-server.remove', 'backup-account.ensure'],
  ...['ensure', 'remove', 'forget', 'prune', 'check', 'unlock', 'look', 'open'].map(
    (one) => `backup-repository.${one}`,
  ),
  ...['backup-tree.list', 'backup-files.run', 'backup-database.run', 'restore-files.prepare', 'restore-files.swap'],
  ...['restore-files.keep', 'restore-dump.fetch', 'backup-drill.run', 'backup-drill.serve', 'backup-tree.find'],
  ...['backup-tree.versions', 'backup-archive.read', 'backup-archive.end', 'backup-copy.prepare', 'backup-copy.run'],
  ...['own-backup.store', 'own-backup.fetch', 'backup-settings.run', 'backup-settings.read', 'crontab.restore'],
  ...['backup-store.check', 'backup-mail.run', 'restore-mail.prepare', 'restore-mail.merge'],
]

/** Fields of operations on backups. Some have the names of other fields elsewhere. */
export const backupFields: Record<string, Rule> = {
  ...Object.fromEntries(
    operations.flatMap((operation) => Object.entries(fields).map(([name, one]) => [`${operation} ${name}`, one])),
  ),
  'backup-account.ensure key': password,
  'restore-mail.prepare from': id,
  'restore-mail.merge from': id,
  'own-backup.fetch sent.key': blobKey,
  'own-backup.store blob.key': blobKey,
  'own-backup.store size': whole(1, Number.MAX_SAFE_INTEGER),
  'backup-settings.run text': rule('word', (text) => (text.length <= 8_000_000 ? text : undefined)),
  'crontab.restore former': sitePath,
  'backup-tree.list path': snapshotPath,
  'backup-tree.versions path': snapshotPath,
  'backup-archive.read path': snapshotPath,
  'backup-tree.find text': searched,
  'backup-archive.read session': session,
  'backup-archive.end session': session,
  'backup-archive.read archive': word('tar', 'zip'),
  'backup-archive.read piece': count,
  'backup-tree.list from': count,
  'restore-files.prepare foreign': { kind: 'word', read: (value) => (value === true ? 'true' : undefined) },
  // empty: the snapshot itself
  'backup-drill.serve documentRoot': { kind: 'word', read: (value) => (value === '' ? '' : within.read(value)) },
}
