/** A directive of nginx with its block, if it has one. */
export interface Directive {
  words: string[]
  block: Directive[]
  /** Where it begins and ends in the text of its file. */
  from: number
  to: number
}
const MOST = 400_000

const MOST_INCLUDES = 5000

/** Innkeeper's own websites are nothing that somebody else has set up. */
const own = '/etc/nginx/innkeeper/'

/** Reads what `nginx -T` prints: each file after a line with its name. Files that include others stay as they are there. */
export function configurationIn(text: string): Directive[] {
  const parts = text.split(/^# configuration file (\/[^\n]{1,500}):$/m)
  const files = new Map<string, Directive[]>()
  for (let at = 1; at < parts.length; at += 2)
    if (!parts[at]?.startsWith(own)) files.set(parts[at] ?? '', directivesIn(parts[at + 1] ?? ''))
  const [first] = files.values()
  if (!first) return directivesIn(text)
  const main = structuredClone(first)
  const open = [main]
  let count = 0
  for (let block = open.pop(); block; block = open.pop())
    for (let at = 0; at < block.length; at++) {
      const one = block[at]
      if (one?.words[0] === 'include') {
        if (++count > MOST_INCLUDES) throw new Error('the configuration of nginx includes too many files')
        const wanted = one.words[1] ?? ''
        block.splice(
          at--,
          1,
          ...[...files].flatMap(([name, inner]) => (isNamed(name, wanted) ? structuredClone(inner) : [])),
        )
      } else if (one?.block.length) open.push(one.block)
    }
  return main
}

/** Whether a file has this name or pattern, such as `sites-enabled/*.conf`. */
function isNamed(file: string, wanted: string): boolean {
  const [names, patterns] = [file, wanted.startsWith('/') ? wanted : `/etc/nginx/${wanted}`].map((path) =>
    path.split('/'),
  )
  return names?.length === patterns?.length && (patterns ?? []).every((pattern, i) => fits(names?.[i] ?? '', pattern))
}
/** One `*` in a part of a path, as people write it. */
function fits(name: string, pattern: string): boolean {
  const star = pattern.indexOf('*')
  if (star < 0) return name === pattern
  const [before, after] = [pattern.slice(0, star), pattern.slice(star + 1)]
  return name.length >= before.length + after.length && name.startsWith(before) && name.endsWith(after)
}

/** The directives of one file. Linear in its length. */
export function directivesIn(text: string): Directive[] {
  const root: Directive = { words: [], block: [], from: 0, to: text.length }
  const open: Directive[] = [root]
  let words: string[] = []
  let [from, count] = [0, 0]
  const inner = () => open.at(-1) ?? root
  for (let at = 0; at < text.length; ) {
    const c = text[at] ?? ''
    if (!words.length) from = at
    if (/\s/.test(c)) at++
    else if (c === '#') at = end(text, '\n', at)
    else if (c === ';' || c === '{' || c === '}') {
      if (++count > MOST) throw new Error('the configuration of nginx is too long')
      at++
      if (c === '}') {
        const ended = open.length > 1 ? open.pop() : undefined
        if (ended) ended.to = at
      } else if (words.length) {
        const made: Directive = { words, block: [], from, to: at }
        inner().block.push(made)
        if (c === '{') open.push(made)
      }
      words = []
    } else if (c === '"' || c === "'") {
      const parts: string[] = []
      let start = ++at
      while (at < text.length && text[at] !== c) {
        if (text[at] === '\\') {
          parts.push(text.slice(start, at))
          start = ++at
        }
        at++
      }
      words.push(parts.join('') + text.slice(start, at))
      at++
    } else {
      const start = at
      while (at < text.length && !/[\s;{}]/.test(text[at] ?? ''))
        at += text[at] === '$' && text[at + 1] === '{' ? closing(text, at) : 1
      words.push(text.slice(start, at))
    }
  }
  return root.block
}
const end = (text: string, what: string, from: number) => {
  const at = text.indexOf(what, from)
  return at < 0 ? text.length : at + 1
}
/** Length of `${name}`. */
const closing = (text: string, from: number) => end(text, '}', from) - from

export interface FoundServer {
  names: string[]
  root: string | undefined
  /** Socket or address of PHP. */
  php: string | undefined
  /** Where requests are handed on to. */
  proxy: string | undefined
  redirect: string | undefined
  certificate: string | undefined
  key: string | undefined
  guarded: boolean
  /** Settings beyond those that every website has: folders from elsewhere, programs, rules. */
  own: string[]
}
const MOST_OWN = 50
const isOwn =
  /^(?:alias|proxy_pass|uwsgi_pass|scgi_pass|grpc_pass|rewrite|add_header|expires|allow|auth_request|satisfy|limit_req|limit_conn|limit_rate|sub_filter|fastcgi_cache|fastcgi_param|proxy_cache)$/
/** Parameters of PHP that distributions write. */
const usualParameter =
  /^(?:SCRIPT_FILENAME|SCRIPT_NAME|PATH_INFO|PATH_TRANSLATED|DOCUMENT_ROOT|HTTPS|HTTP_PROXY|QUERY_STRING|REQUEST_\w+|CONTENT_\w+|DOCUMENT_URI|SERVER_\w+|GATEWAY_INTERFACE|REMOTE_\w+|REDIRECT_STATUS)$/

/** Such settings, each with the location in which it stands. */
function ownOf(block: readonly Directive[], root: string | undefined): string[] {
  const found: string[] = []
  const open = block.map((one) => ({ one, at: '' })).toReversed()
  for (let next = open.pop(); next && found.length < MOST_OWN; next = open.pop()) {
    const { one, at } = next
    const [name = '', first = ''] = one.words
    const isFolder = name === 'root' && at !== '' && first !== root
    if (isFolder || (isOwn.test(name) && !(name === 'fastcgi_param' && usualParameter.test(first))))
      found.push(`${at}${one.words.join(' ')}`.slice(0, 300))
    const within = name === 'location' ? `${one.words.join(' ').slice(0, 150)}: ` : at
    open.push(...one.block.map((inner) => ({ one: inner, at: within })).toReversed())
  }
  return found
}

/** The servers of the configuration. Those without a name of their own are left out. */
export function serversIn(directives: readonly Directive[]): FoundServer[] {
  const http = directives.flatMap(({ words, block }) => (words[0] === 'http' ? block : []))
  return http.flatMap((one) => (one.words[0] === 'server' ? [serverIn(one)] : []))
}

/** The server of a `server` block. */
export function serverIn({ block }: Directive): FoundServer {
  const all = flat(block)
  const first = (name: string, of: readonly Directive[] = all) => of.find((one) => one.words[0] === name)?.words
  const root = first('root', block)?.[1] ?? first('root')?.[1]
  const found: FoundServer = {
    names: block.flatMap((one) => (one.words[0] === 'server_name' ? one.words.slice(1) : [])),
    root,
    php: first('fastcgi_pass')?.[1],
    proxy: first('proxy_pass', block)?.[1] ?? whole(block),
    redirect: redirectOf(block),
    certificate: first('ssl_certificate', block)?.[1],
    key: first('ssl_certificate_key', block)?.[1],
    guarded: first('auth_basic_user_file') !== undefined,
    own: ownOf(block, root),
  }
  return { ...found, names: found.names.filter((name) => name !== '_' && name !== '' && !name.startsWith('~')) }
}

/** All directives of a block and of the blocks in it. */
export function flat(block: readonly Directive[]): Directive[] {
  const found: Directive[] = []
  const open = [...block]
  for (let one = open.pop(); one; one = open.pop()) {
    found.push(one)
    open.push(...one.block)
  }
  return found
}

/** The program to which all requests go. */
const whole = (block: readonly Directive[]) =>
  block
    .find(({ words }) => words[0] === 'location' && words.at(-1) === '/')
    ?.block.find(({ words }) => words[0] === 'proxy_pass')?.words[1]

function redirectOf(block: readonly Directive[]): string | undefined {
  const found = block.find(({ words }) => words[0] === 'return' && /^30[1278]$/.test(words[1] ?? ''))?.words[2]
  return found && /^https?:\/\/\$(?:host|server_name)(?:\$|\/|$)/.test(found) ? undefined : found
}
