import type { RuleProblem } from './problems.ts'

/** A directive of nginx. `args` are without their quotes. `body`: where the block begins in the text. */
export interface Directive {
  name: string
  args: string[]
  line: number
  block?: Directive[]
  body?: number
}

const MOST_DEPTH = 4
/**
 * A strict subset of nginx's own grammar, in which nginx and this reader find the same words: a quoted word ends on its
 * line, and a word without quotes contains neither quotes, braces (except `${name}`) nor `#`.
 */
const token =
  /([ \t\n]+)|(#[^\n]*)|([;{}])|("(?:\\[^\n]|[^"\\\n])*"|'(?:\\[^\n]|[^'\\\n])*')(?=[ \t\n;{)])|((?:\\[^\s;{}"'#]|\$\{[a-z0-9_]+\}|[^\s;{}"'#\\])+)(?=[ \t\n;{}]|$)/gy

/** Reads directives of nginx. Stops at the first word that cannot be read. */
export function readNginx(text: string): { directives: Directive[]; problems: RuleProblem[] } {
  const root: Directive[] = []
  const open: Directive[] = []
  let words: string[] = []
  let line = 1
  let began = 1
  const fail = (said: string, at = line) => ({ directives: root, problems: [{ line: at, text: said }] })
  const into = () => open.at(-1)?.block ?? root
  token.lastIndex = 0
  while (token.lastIndex < text.length) {
    const found = token.exec(text)
    if (!found) return fail('cannot be read: put words with quotes, braces or # into quotes, on one line')
    const [all, , , mark, quoted, word] = found
    if (mark === undefined && quoted === undefined && word === undefined) {
      line += all.split('\n').length - 1
      continue
    }
    if (mark === '}') {
      if (words.length) return fail(`${words[0]} lacks its ;`, began)
      if (!open.pop()) return fail('has a } too many')
      continue
    }
    if (mark === undefined) {
      if (!words.length) began = line
      words.push(quoted === undefined ? (word ?? '') : unquoted(quoted))
      continue
    }
    const [name, ...args] = words
    if (name === undefined) return fail(`has a ${mark} without a directive`)
    const directive: Directive = { name, args, line: began }
    into().push(directive)
    words = []
    if (mark === '{') {
      if (open.length >= MOST_DEPTH) return fail(`has more than ${MOST_DEPTH} blocks in each other`)
      directive.block = []
      directive.body = token.lastIndex
      open.push(directive)
    }
  }
  if (words.length) return fail(`${words[0]} lacks its ;`, began)
  const last = open.at(-1)
  if (last) return fail(`${last.name} lacks its }`, last.line)
  return { directives: root, problems: [] }
}

const unquoted = (word: string) => word.slice(1, -1).replace(/\\(["'\\])/g, '$1')
