import { digits, lower, only, type Rule, rule, word } from './rule.ts'

const whole: Rule = {
  kind: 'whole',
  read: (value) => (Number.isSafeInteger(value) && Number(value) >= 1 ? `${value}` : undefined),
}
/** A dump from outside in the spool folder: `import-12.dump`. */
const file = rule('word', (text) => {
  const [, number = ''] = /^import-([^.]*)\.dump$/s.exec(text) ?? []
  return number && number.length <= 12 && only(number, digits) && text === `import-${number}.dump` ? text : undefined
})
const key = rule('word', (text) => (only(text, `${digits}abcdef`) && text.length === 32 ? text : undefined))
const database = rule('word', (text) => {
  const fits = only(text, `${lower}${digits}_`) && lower.includes(text[0] ?? '_') && text.length >= 2
  const own = ['mysql', 'sys', 'information_schema', 'performance_schema', 'test']
  return fits && text.length <= 64 && !own.includes(text) ? text : undefined
})
/** A path in a home folder. */
const path = rule('word', (text) => {
  const parts = text.split('/')
  const hidden = [...text].some((c) => /[\p{C}\p{Zl}\p{Zp}]/u.test(c) || c === '\ufffd')
  return !hidden && text.length <= 1000 && parts.every((part) => !['', '.', '..'].includes(part)) ? text : undefined
})

const upTo = (most: number) => rule('word', (text) => (text.length <= most ? text : undefined))
const columnName = rule('word', (text) =>
  text.length >= 1 && [...text].length <= 64 && ![...text].some((c) => /\p{C}/u.test(c)) ? text : undefined,
)

const collation = rule('word', (text) => {
  const fits = only(text, `${lower}${digits}_`) && lower.includes(text.slice(0, 1))
  return text === 'C.UTF-8' || (fits && text.length >= 3 && text.length <= 64) ? text : undefined
})

/** Fields of operations on databases, dumps and tables. */
export const dumpFields: Record<string, Rule> = {
  engine: word('mariadb', 'postgresql'),
  charset: word('utf8mb4', 'utf8mb3', 'latin1', 'ascii', 'UTF8'),
  collation,
  ...Object.fromEntries(
    ['dump.fetch', 'dump.look', 'dump.drop', 'database-import.load'].map((operation) => [`${operation} file`, file]),
  ),
  'dump.fetch key': key,
  'dump.send key': key,
  'dump.fetch size': whole,
  'dump.fetch path': path,
  mostBytes: whole,
  readAs: rule('word', (text) =>
    only(text, `${lower}${lower.toUpperCase()}${digits}_$-`) && text.length <= 64 ? text : undefined,
  ),
  'database.browse table': rule('word', (text) => {
    const fits = only(text, `${lower}${lower.toUpperCase()}${digits}_$.-`) && !'.-'.includes(text.slice(0, 1))
    return fits && text.length <= 64 ? text : undefined
  }),
  'database.browse after': upTo(3100),
  'database.browse text': upTo(1000),
  'database.browse how': word('is', 'contains', 'begins', 'less', 'more', 'null', 'not null'),
  column: columnName,
  aside: database,
  'database-import.swap before': database,
}
