import { plainProblems, type RuleProblem } from './problems.ts'

/** Words of a line of Apache: in quotes, or without any special character. */
const word = /[ \t]*(?:"((?:\\["\\]|[^"\\]|\\(?!["\\]))*)"|([^\s"'`]+))(?=[ \t]|$)/gy

export interface ApacheLine {
  name: string
  args: string[]
  line: number
}

/** The words of a line; undefined if Apache could read the line in another way. */
function wordsOf(line: string): string[] | undefined {
  const words: string[] = []
  word.lastIndex = 0
  while (word.lastIndex < line.length) {
    const found = word.exec(line)
    if (!found) return undefined
    words.push(found[1] === undefined ? (found[2] ?? '') : found[1].replace(/\\(["\\])/g, '$1'))
  }
  return words
}

const sections: Readonly<Record<string, (args: string[]) => boolean>> = {
  Location: ([path = '', ...more]) => !more.length && path.startsWith('/') && !path.includes('..'),
  LocationMatch: ([pattern = '', ...more]) => !more.length && pattern !== '',
  Files: ([name = '', ...more]) => !more.length && name !== '~' && !name.includes('/'),
  FilesMatch: ([pattern = '', ...more]) => !more.length && pattern !== '',
  RequireAll: (args) => !args.length,
  RequireAny: (args) => !args.length,
  RequireNone: (args) => !args.length,
}

const variable =
  '%\\{(?:HTTP_(?:HOST|USER_AGENT|REFERER|COOKIE|ACCEPT)|HTTP:[A-Za-z0-9-]{1,60}|REQUEST_(?:URI|METHOD|SCHEME|FILENAME)|QUERY_STRING|REMOTE_ADDR|THE_REQUEST|HTTPS|SERVER_(?:NAME|PORT)|DOCUMENT_ROOT|TIME(?:_[A-Z]{3,4})?)\\}'
const tested = new RegExp(`^(?:${variable}|%[1-9]|\\$[1-9]|[^%$\\\\])+$`)
const written = /^(?:%\{(?:HTTP_HOST|REQUEST_URI|REQUEST_SCHEME|QUERY_STRING|SERVER_NAME)\}|%[1-9]|\$[1-9]|[^%$\\])+$/
const onFile = /^(?:%\{REQUEST_FILENAME\}|%\{DOCUMENT_ROOT\}%\{REQUEST_URI\})$/

function badCond([test = '', pattern, flags, ...more]: string[]): string | undefined {
  if (pattern === undefined || more.length) return 'takes a text, a pattern and flags'
  if (test === 'expr' || !tested.test(test)) return `${test} is not a text that own rules may test`
  if (/^!?-/.test(pattern)) {
    if (!/^!?-[fds]$/.test(pattern)) return `${pattern} is unknown: own rules have -f, -d and -s`
    if (!onFile.test(test)) return '-f, -d and -s test %{REQUEST_FILENAME} or %{DOCUMENT_ROOT}%{REQUEST_URI}'
  }
  return flags === undefined || /^\[(?:NC|OR)(?:,(?:NC|OR))?\]$/.test(flags) ? undefined : 'takes the flags NC and OR'
}

const flag = /^(?:R|R=(?:30[12378]|40[034]|410)|L|NE|QSA|QSD|NC|PT|F|G|END|B)$/
function badRule([pattern, to = '', flags, ...more]: string[]): string | undefined {
  if (pattern === undefined || !to || more.length) return 'takes a pattern, an address and flags'
  if (flags !== undefined && !/^\[.*\]$/.test(flags)) return 'takes flags in [ ]'
  const all = flags?.slice(1, -1).split(',') ?? []
  const strange = all.find((one) => !flag.test(one))
  if (strange !== undefined) return `the flag ${strange} is not one of own rules`
  if (to === '-') return undefined
  if (!written.test(to)) return `${to} contains what own rules may not`
  if (/^(?:https?|%\{REQUEST_SCHEME\}):\/\//.test(to)) return undefined
  if (!to.startsWith('/') || to.includes('..')) return `${to} has to begin with / or https://`
  // without PT, Apache takes the address for a path of the whole machine if its first folder exists there
  return all.some((one) => one === 'PT' || /^R(?:=|$)/.test(one)) ? undefined : 'needs the flag PT, or R'
}

const goes = (text = '') => /^(?:\/|https?:\/\/)/.test(text) && !/%\{|\.\./.test(text)
const status = /^(?:permanent|temp|seeother|gone|30[12378]|410|404)$/
function badRedirect(args: string[]): string | undefined {
  const [first = '', ...others] = args
  const [path, to, ...more] = status.test(first) ? others : args
  const isGone = /^(?:gone|410|404)$/.test(first)
  if (path === undefined || more.length || (isGone ? to !== undefined : !goes(to))) return 'takes a path and an address'
  return undefined
}

function badHeader(args: string[]): string | undefined {
  const [action = '', name = '', value, ...more] = /^(?:always|onsuccess)$/.test(args[0] ?? '') ? args.slice(1) : args
  if (!/^(?:set|add|append|merge|setifempty|unset)$/i.test(action))
    return 'knows set, add, append, merge, setifempty and unset'
  if (!/^[A-Za-z][A-Za-z0-9-]{0,100}$/.test(name)) return 'takes the name of a header'
  if (more.length || (action.toLowerCase() === 'unset' ? value !== undefined : value === undefined))
    return 'takes one value'
  return value?.includes('%{') || value?.startsWith('expr=') ? 'takes a plain value' : undefined
}

function badRequire(args: string[]): string | undefined {
  const [kind = '', ...of] = args[0] === 'not' ? args.slice(1) : args
  if (kind === 'all')
    return of.length === 1 && /^(?:granted|denied)$/.test(of[0] ?? '') ? undefined : 'all takes granted or denied'
  if (kind === 'ip')
    return of.length && of.every((one) => /^[0-9a-fA-F.:/]{2,45}$/.test(one))
      ? undefined
      : 'ip takes addresses and networks'
  if (kind === 'method')
    return of.length && of.every((one) => /^[A-Z]{3,10}$/.test(one)) ? undefined : 'method takes methods'
  return 'knows all, ip and method'
}

const directives: Readonly<Record<string, (args: string[]) => string | undefined>> = {
  RewriteCond: badCond,
  RewriteRule: badRule,
  Redirect: badRedirect,
  RedirectMatch: badRedirect,
  RedirectPermanent: (args) => (args.length === 2 && goes(args[1]) ? undefined : 'takes a path and an address'),
  RedirectTemp: (args) => (args.length === 2 && goes(args[1]) ? undefined : 'takes a path and an address'),
  Header: badHeader,
  Require: badRequire,
  ErrorDocument: ([code = '', text, ...more]) =>
    /^[45]\d\d$/.test(code) && text !== undefined && !more.length && !/%\{/.test(text) && !text.includes('..')
      ? undefined
      : 'takes a code, and a page or a text without %{',
  FallbackResource: ([path = '', ...more]) =>
    !more.length && (path === 'disabled' || (path.startsWith('/') && !path.includes('..')))
      ? undefined
      : 'takes a path',
  AddType: (args) =>
    args.length > 1 && args.every((one) => /^[A-Za-z0-9.+/-]{1,80}$/.test(one))
      ? undefined
      : 'takes a MIME type and endings',
  AddCharset: (args) =>
    args.length > 1 && args.every((one) => /^[A-Za-z0-9._-]{1,80}$/.test(one))
      ? undefined
      : 'takes a character set and endings',
  AddDefaultCharset: ([one = '', ...more]) =>
    !more.length && /^[A-Za-z0-9_-]{1,40}$/.test(one) ? undefined : 'takes a character set, or Off',
}
/** Rewrite rules in a section would be read with paths of the file system. */
const outsideOnly = new Set(['RewriteCond', 'RewriteRule'])

const instead: Readonly<Record<string, string>> = {
  include: 'Include reads other files: write the rules here',
  includeoptional: 'IncludeOptional reads other files: write the rules here',
  documentroot: 'DocumentRoot is the folder of the website',
  alias: 'Alias leads out of the folder of the website: move the files, or use RewriteRule',
  proxypass: 'own rules ask no other server: put the website behind an edge, or use Redirect',
  sethandler: 'PHP belongs to the website: its paths reach PHP by themselves',
  addhandler: 'PHP belongs to the website: its paths reach PHP by themselves',
  customlog: 'the log belongs to statistics and limits',
  errorlog: 'the log belongs to statistics and limits',
  serveralias: 'names are aliases of the website',
  loadmodule: 'modules are for a whole server',
  rewriteengine: 'RewriteEngine is on',
}

const named = <T>(table: Readonly<Record<string, T>>, name: string) =>
  Object.entries(table).find(([one]) => one.toLowerCase() === name.toLowerCase())

/** The directives and sections that own rules of Apache may have; everything else is refused with its line. */
export function apacheProblems(text: string): RuleProblem[] {
  const problems = plainProblems(text)
  if (problems.length) return problems
  const open: { name: string; line: number }[] = []
  for (const [i, whole] of text.split('\n').entries()) {
    const line = i + 1
    const say = (said: string) => problems.push({ line, text: said })
    const trimmed = whole.trim()
    if (!trimmed) continue
    if (/\\\s*$/.test(whole)) say('ends with \\: write the directive on one line')
    else if (trimmed.startsWith('#')) continue
    else if (/\$\{|`/.test(trimmed)) say('reads a variable of the server')
    else if (trimmed.startsWith('<')) section(trimmed, line, open, say)
    else {
      const [name = '', ...args] = wordsOf(trimmed) ?? []
      const known = named(directives, name)
      const why = known?.[1](args)
      if (!name) say('cannot be read: put words with quotes into quotes')
      else if (!known) say(instead[name.toLowerCase()] ?? `${name} is not one of the directives of own rules`)
      else if (open.length && outsideOnly.has(known[0])) say(`${known[0]} cannot stand in ${open.at(-1)?.name}`)
      else if (why) say(`${name}: ${why}`)
    }
  }
  for (const { name, line } of open) problems.push({ line, text: `<${name}> lacks its end` })
  return problems
}

function section(
  text: string,
  line: number,
  open: { name: string; line: number }[],
  say: (said: string) => void,
): void {
  const [, end] = /^<\/([A-Za-z]+)>$/.exec(text) ?? []
  if (end) {
    if (open.pop()?.name.toLowerCase() !== end.toLowerCase()) say(`</${end}> ends what did not begin`)
    return
  }
  const [, name = '', rest = ''] = /^<([A-Za-z]+)((?:[ \t][^<>]*)?)>$/.exec(text) ?? []
  const known = named(sections, name)
  const args = rest.trim() ? wordsOf(rest.trim()) : []
  if (!known) say(`<${name || text}> is not one of the sections of own rules`)
  else if (!args || !known[1](args)) say(`<${known[0]}> does not take ${rest.trim() || 'nothing'}`)
  open.push({ name: known?.[0] ?? name, line })
}
