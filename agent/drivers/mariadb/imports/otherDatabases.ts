const NAME = '(?:`(?:[^`]|``){1,64}`|[A-Za-z_$][\\w$]{0,63})'
/** Texts and comments, also such without an end, so that reading goes on behind them; then a name before a dot. */
const outside = new RegExp(
  `'(?:[^'\\\\]|\\\\(?:[^]|$)|'')*(?:'|$)|"(?:[^"\\\\]|\\\\(?:[^]|$))*(?:"|$)|--[ \\t][^\\n]*|/\\*(?!M?!)[^]*?(?:\\*/|$)|(${NAME})\\s*\\.(?=\\s*[\`\\w$*])`,
  'g',
)
const plain = (name: string) => name.replace(/^`|`$/g, '').replaceAll('``', '`')

/** A statement with empty texts. A text without an end is empty, too. A pattern would need memory for each escape of a long text. */
export function withoutTexts(statement: string): string {
  const quote = /['"]/g
  const parts: string[] = []
  let from = 0
  for (let found = quote.exec(statement); found; found = quote.exec(statement)) {
    parts.push(statement.slice(from, found.index), "''")
    from = endOfText(statement, found.index, found[0])
    quote.lastIndex = from
  }
  return parts.join('') + statement.slice(from)
}

/** Where the text that begins here has ended; a doubled quote and an escape belong to it. */
function endOfText(statement: string, begin: number, quote: string): number {
  for (let at = begin + 1; at < statement.length; at++) {
    const char = statement[at]
    if (char === '\\') at++
    else if (char === quote && statement[at + 1] === quote) at++
    else if (char === quote) return at + 1
  }
  return statement.length
}

/** A definition or the head of a statement without these databases before names; texts and comments stay. */
export const withoutDatabases = (text: string, names: ReadonlySet<string>): string =>
  names.size
    ? text.replace(outside, (all, name?: string) => (name !== undefined && names.has(plain(name)) ? '' : all))
    : text

const named = new RegExp(
  `\\b(?:from|join|into|update|call)\\b[\\s(]{0,100}(${NAME})\\s*\\.\\s*${NAME}|(${NAME})\\s*\\.\\s*${NAME}\\s*\\.\\s*${NAME}`,
  'gi',
)
/** `extract(year from posts.created)` reads no table. */
const ofFunction = /\b(?:extract|trim|substr|substring|position|overlay)\s{0,9}\((?:[^()]|\([^()]*\)){0,200}$/i
const isNoDatabase = /^information_schema$/i
const isRow = /^(?:new|old)$/i

/** The databases that a view, a trigger or a routine names before tables. */
export function databasesIn(definition: string): string[] {
  const text = definition.replace(outside, (all, name?: string) => (name === undefined ? "''" : all))
  const isTrigger = /\bTRIGGER\b/i.test(text.slice(0, 400))
  const found = new Set<string>()
  for (const { 1: first, 2: second, index } of text.matchAll(named)) {
    const name = plain(first ?? second ?? '')
    if (isNoDatabase.test(name) || (isTrigger && isRow.test(name))) continue
    if (first !== undefined && ofFunction.test(text.slice(Math.max(0, index - 250), index))) continue
    found.add(name.slice(0, 100))
  }
  return [...found]
}
