import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parseAst } from 'rolldown/parseAst'

/**
 * Compares the table names in statements with those in the migrations, because the compiler does not look into `sql` templates.
 * Prints each unknown name, and ends with 1 if there is one.
 */
interface Node {
  type: string
  start: number
  [key: string]: unknown
}
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

const listed = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'server'], {
  encoding: 'utf8',
  maxBuffer: 2 ** 26,
}).stdout.split('\n')
const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // deleted and not yet committed
  }
}

/** Each `sql` template of a file as text, with `$` for its values, without quoted words, and where it begins. */
function statementsIn(text: string): [at: number, statement: string][] {
  const found: [number, string][] = []
  const visit = (node: unknown): void => {
    for (const one of Array.isArray(node) ? node : []) visit(one)
    if (!isNode(node)) return
    const { tag, quasi } = node as { tag?: Node & { end: number }; quasi?: { quasis: { value: { raw: string } }[] } }
    if (tag && quasi && /^sql\b/.test(text.slice(tag.start, tag.end)))
      found.push([
        node.start,
        quasi.quasis
          .map(({ value }) => value.raw)
          .join('$')
          .replace(/'[^']*'/g, "''"),
      ])
    for (const value of Object.values(node)) visit(value)
  }
  visit(parseAst(text, { lang: 'ts' }))
  return found
}

const migrations = listed.filter((file) => /^server\/migrations\/.*\.sql$/.test(file)).map(textOf)
const known = new Set(
  migrations.flatMap((text) =>
    [...text.matchAll(/create (?:unlogged )?(?:table|view)(?: if not exists)? "?(\w+)/gi)].map(([, name]) => name),
  ),
)
const statements = listed
  .filter((file) => /\.ts$/.test(file) && !/\.test\.ts$|\/test\//.test(file))
  .flatMap((file) => {
    const text = textOf(file)
    if (!text.includes('sql`')) return []
    return statementsIn(text).map(([at, statement]) => ({
      at: `${file}:${text.slice(0, at).split('\n').length}`,
      statement,
    }))
  })
/** Names that statements give themselves: cursors and common tables. */
for (const { statement } of statements)
  for (const [, cursor, table] of statement.matchAll(
    /\bdeclare (\w+)|\b(\w+) *(?:\([^()]*\))? +as +(?:not )?(?:materialized +)?\(/g,
  ))
    known.add(cursor ?? table)

/** `from` that names no table: `is distinct from`, `extract(day from at)`, `trim(both from name)`, `rows from (…)`. */
const named =
  /(?<!\b(?:distinct|epoch|hour|minute|day|dow|isodow|week|month|year|isoyear|both|leading|trailing) )\b(?:from|join|insert into|update) +(?:only +)?(?!(?:lateral|set|of|skip|only|nowait|rows|pg_\w+)\b)([a-z]\w*)\b(?! *[(.])/g
const problems = statements.flatMap(({ at, statement }) =>
  [...statement.matchAll(named)].flatMap(([, name]) => (known.has(name) ? [] : [`${at} names the table ${name}`])),
)
for (const problem of problems) console.error(problem)
if (problems.length) process.exit(1)
