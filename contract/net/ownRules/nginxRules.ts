import { type Directive, readNginx } from './nginxText.ts'
import { plainProblems, type RuleProblem } from './problems.ts'

type Place = 'server' | 'location' | 'if' | 'limit_except' | 'types'
interface Rule {
  in: readonly Place[]
  /** Why the arguments are refused. */
  refuse: (args: string[]) => string | undefined
}

const anywhere: readonly Place[] = ['server', 'location', 'if']
const outside: readonly Place[] = ['server', 'location']
const from =
  (least: number, most: number, such: RegExp, what: string): Rule['refuse'] =>
  (args) =>
    args.length < least || args.length > most || args.some((one) => !such.test(one)) ? `takes ${what}` : undefined
const onOff = { in: outside, refuse: from(1, 1, /^(?:on|off)$/, 'on or off') }
const time = /^(?:-?\d{1,9}(?:ms|s|m|h|d|w|M|y)?|epoch|max|off|modified|@\d{1,2}h(?:\d{1,2}m)?)$/
const host = {
  in: [...outside, 'limit_except'] as Place[],
  refuse: from(1, 1, /^(?:all|[0-9a-fA-F.:/]{2,45})$/, 'all, an address or a network'),
}

/** Variables of a path on this server: none whose text a visitor chooses. */
const safeVariable = /^(?:uri|document_uri|host|scheme)$/
const anyVariable = /\$(?:\{([a-z0-9_]+)\}|([a-z0-9_]+))/gi
const variablesOf = (text: string) => [...text.matchAll(anyVariable)].map(([, braced, plain]) => braced ?? plain ?? '')

/** Why a path is refused that nginx looks for below the folder of the website. */
function badPath(text: string, { captures = false } = {}): string | undefined {
  const [path = ''] = text.split('?')
  if (/(?:^|\/)\.\.(?:\/|$)/.test(path)) return `${text} leads out of the website`
  const strange = variablesOf(path).find((name) => !safeVariable.test(name) && !(captures && /^[1-9]$/.test(name)))
  return strange ? `a path may not contain $${strange}` : undefined
}

function badTryFiles(args: string[]): string | undefined {
  if (args.length < 2) return 'takes files and, last, where to go otherwise'
  for (const [i, one] of args.entries()) {
    const isLast = i === args.length - 1
    if (isLast && /^=[1-5]\d\d$/.test(one)) continue
    if (!/^(?:\/|\$uri|\$document_uri)/.test(one)) return `${one} has to begin with / or $uri`
    if (!isLast && one.toLowerCase().includes('.php')) return `${one} would be shown as text: PHP may only come last`
    const why = badPath(one)
    if (why) return why
  }
  return undefined
}

function badRewrite([pattern, to, flag, ...more]: string[]): string | undefined {
  if (!pattern || !to || more.length) return 'takes a pattern, an address and a flag'
  if (flag === 'break') return 'break would show PHP as text: take last'
  if (flag !== undefined && !['last', 'redirect', 'permanent'].includes(flag))
    return 'takes last, redirect or permanent'
  if (/^(?:https?:|\$scheme:)\/\//.test(to)) return undefined
  return to.startsWith('/') || /^\$[1-9]/.test(to)
    ? badPath(to, { captures: true })
    : `${to} has to begin with / or https://`
}

function badErrorPage(args: string[]): string | undefined {
  const [page = '', ...codes] = [...args].reverse()
  const bad = codes.find((code) => !/^(?:[345]\d\d|=(?:[2-5]\d\d)?)$/.test(code))
  if (!codes.length || bad) return 'takes codes and a page'
  if (/^https?:\/\//.test(page)) return undefined
  return page.startsWith('/') ? badPath(page) : 'takes a page that begins with /'
}

const ownVariable = /^\$[a-z][a-z0-9_]{0,60}$/
/** Variables that Innkeeper's own directives, or nginx itself, use for paths and programs. */
const taken =
  /^\$(?:path_info|document_root|realpath_root|request_filename|uri|document_uri|fastcgi_\w+|host|https|server_\w+|remote_\w+)$/
const badSet = ([name = '', value, ...more]: string[]) =>
  value === undefined || more.length || !ownVariable.test(name)
    ? 'takes a variable in small letters and a value'
    : taken.test(name)
      ? `${name} belongs to nginx or Innkeeper`
      : undefined

function badReturn(args: string[]): string | undefined {
  const [code = '', text] = args
  const isAddress = args.length === 1 && /^(?:https?|\$scheme):\/\//.test(code)
  if (!isAddress && !/^[1-5]\d\d$/.test(code)) return 'takes a code, and an address or a text'
  return args.length > 2 ? `takes one text: put “${text} …” into quotes` : undefined
}

const headerName = /^[A-Za-z][A-Za-z0-9-]{0,100}$/
const mime = /^[a-z0-9.+-]{1,60}\/[a-z0-9.+*-]{1,60}$/i

/** The allow-list. Whatever reads other files, starts programs, asks other servers or writes logs is missing on purpose. */
const rules: Readonly<Record<string, Rule>> = {
  return: { in: anywhere, refuse: badReturn },
  rewrite: { in: anywhere, refuse: badRewrite },
  set: { in: anywhere, refuse: badSet },
  break: { in: anywhere, refuse: (args) => (args.length ? 'takes nothing' : undefined) },
  try_files: { in: ['location'], refuse: badTryFiles },
  error_page: { in: anywhere.filter((place) => place !== 'if'), refuse: badErrorPage },
  internal: { in: ['location'], refuse: (args) => (args.length ? 'takes nothing' : undefined) },
  index: { in: outside, refuse: from(1, 10, /^[A-Za-z0-9_][A-Za-z0-9._-]{0,100}$/, 'names of files') },
  autoindex: onOff,
  etag: onOff,
  gzip: { ...onOff, in: anywhere },
  gzip_vary: onOff,
  log_not_found: onOff,
  absolute_redirect: onOff,
  port_in_redirect: onOff,
  sub_filter_once: onOff,
  sub_filter_last_modified: onOff,
  gzip_types: { in: outside, refuse: from(1, 50, /^(?:\*|[a-z0-9.+-]+\/[a-z0-9.+-]+)$/i, 'MIME types') },
  sub_filter_types: { in: outside, refuse: from(1, 20, /^(?:\*|[a-z0-9.+-]+\/[a-z0-9.+-]+)$/i, 'MIME types') },
  sub_filter: { in: outside, refuse: from(2, 2, /^/, 'a text and its replacement') },
  if_modified_since: { in: outside, refuse: from(1, 1, /^(?:off|exact|before)$/, 'off, exact or before') },
  limit_rate: { in: anywhere, refuse: from(1, 1, /^\d{1,9}[kKmM]?$/, 'bytes per second') },
  limit_rate_after: { in: anywhere, refuse: from(1, 1, /^\d{1,9}[kKmM]?$/, 'bytes') },
  add_header: {
    in: anywhere,
    refuse: ([name = '', value, always, ...more]) =>
      !headerName.test(name) || value === undefined || more.length || (always !== undefined && always !== 'always')
        ? 'takes a name, a value and perhaps always'
        : undefined,
  },
  expires: { in: anywhere, refuse: from(1, 2, time, 'a time such as 30d, or off') },
  charset: { in: anywhere, refuse: from(1, 1, /^[A-Za-z0-9_-]{1,40}$/, 'a character set, or off') },
  default_type: { in: outside, refuse: from(1, 1, mime, 'a MIME type') },
  allow: host,
  deny: host,
  satisfy: { in: outside, refuse: from(1, 1, /^(?:all|any)$/, 'all or any') },
  valid_referers: { in: outside, refuse: from(1, 30, /^[^$]{1,200}$/, 'names') },
}

/** Directives that people miss, with what to take instead. */
const instead: Readonly<Record<string, string>> = {
  include: 'include reads other files: write the rules here',
  root: 'root is the folder of the website',
  alias: 'alias leads out of the folder of the website: move the files, or use rewrite',
  access_log: 'the log belongs to statistics and limits',
  error_log: 'the log belongs to statistics and limits',
  proxy_pass: 'own rules ask no other server: put the website behind an edge, or use return',
  fastcgi_pass: 'PHP belongs to the website: its paths reach PHP by themselves',
  server_name: 'names are aliases of the website',
  listen: 'ports belong to Innkeeper',
  ssl_certificate: 'certificates belong to Innkeeper',
  auth_basic: 'passwords are rules of an edge',
  client_max_body_size: 'the limit follows the PHP parameters post_max_size and upload_max_filesize',
  load_module: 'modules are for a whole server',
}

/** The places and blocks that own rules of nginx may have; everything else is refused with its line. */
export function nginxProblems(text: string): RuleProblem[] {
  const plain = plainProblems(text)
  if (plain.length) return plain
  const { directives, problems } = readNginx(text)
  return problems.length ? problems : within(directives, 'server')
}

const within = (directives: readonly Directive[], place: Place): RuleProblem[] =>
  directives.flatMap((one): RuleProblem[] => {
    const say = (said: string): RuleProblem[] => [{ line: one.line, text: said }]
    if (place === 'types')
      return one.block || !mime.test(one.name) || one.args.some((end) => !/^[a-z0-9]{1,20}$/i.test(end))
        ? say('types has lines such as text/javascript mjs;')
        : []
    if (one.block) return ofBlock(one, one.block, place, say)
    const rule = Object.hasOwn(rules, one.name) ? rules[one.name] : undefined
    if (!rule) return say(instead[one.name] ?? `${one.name} is not one of the directives of own rules`)
    if (!rule.in.includes(place)) return say(`${one.name} cannot stand in ${place === 'server' ? 'no block' : place}`)
    const why = rule.refuse(one.args)
    return why ? say(`${one.name}: ${why}`) : []
  })

function ofBlock(
  one: Directive,
  block: Directive[],
  place: Place,
  say: (said: string) => RuleProblem[],
): RuleProblem[] {
  const { name, args } = one
  if (name === 'location') {
    if (place !== 'server' && place !== 'location') return say(`location cannot stand in ${place}`)
    const why = badLocation(args, block)
    return why ? say(why) : within(block, 'location')
  }
  if (name === 'if') {
    if (place !== 'server' && place !== 'location') return say(`if cannot stand in ${place}`)
    const why = badCondition(args)
    return why ? say(`if: ${why}`) : within(block, 'if')
  }
  if (name === 'limit_except' && place === 'location')
    return args.length && args.every((method) => /^[A-Z]{3,10}$/.test(method))
      ? within(block, 'limit_except')
      : say('limit_except takes methods')
  if (name === 'types' && (place === 'location' || place === 'server') && !args.length) return within(block, 'types')
  return say(`${name} is not one of the blocks of own rules`)
}

export const ends = (block: readonly Directive[]): boolean =>
  block.some(({ name, args }) => name === 'return' || (name === 'deny' && args[0] === 'all'))

function badLocation(args: string[], block: readonly Directive[]): string | undefined {
  const [first = '', second, ...more] = args
  if (more.length) return 'location takes a path, or ~ and a pattern'
  if (second === undefined)
    return first.startsWith('/') ? undefined : 'location takes a path that begins with /, or ~ and a pattern'
  if (first === '~' || first === '~*') return second ? undefined : 'location ~ takes a pattern'
  if (first !== '=' && first !== '^~') return `location takes =, ^~, ~ or ~*, and not ${first}`
  if (!second.startsWith('/')) return 'location takes a path that begins with /'
  if (first === '=' && /\.php$/i.test(second) && !ends(block))
    return `location = ${second} would show PHP as text: give it return or deny all`
  return undefined
}

/** A condition as nginx's words of it: `($host`, `=`, `shop.example)`. */
function badCondition(args: string[]): string | undefined {
  const words = [...args]
  if (!words[0]?.startsWith('(') || !words.at(-1)?.endsWith(')')) return 'takes a condition in ( )'
  words[0] = words[0].slice(1)
  words[words.length - 1] = words.at(-1)?.slice(0, -1) ?? ''
  const [first = '', second = '', ...more] = words.filter(Boolean)
  if (/^!?-[fde]$/.test(first))
    return second &&
      !more.length &&
      /^(?:\$request_filename|\$document_root\$uri[A-Za-z0-9._/-]*)$/.test(second) &&
      !second.includes('..')
      ? undefined
      : `${first} takes $request_filename or $document_root$uri`
  if (!/^\$[a-z0-9_]{1,60}$/.test(first)) return 'begins with a variable'
  if (!second) return undefined
  if (!/^(?:=|!=|~|~\*|!~|!~\*)$/.test(second)) return `knows =, !=, ~, ~*, !~ and !~*, and not ${second}`
  return more.length <= 1 ? undefined : 'compares with one text: put the text into quotes'
}
