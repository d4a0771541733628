import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { type Directive, directivesIn, flat, serverIn } from './nginxText.ts'

/** What files of other people on this machine have already: nginx refuses the same a second time, or prefers the first. */
export interface Foreign {
  /** Ports that have a default server of theirs. */
  defaults: ReadonlySet<'80' | '443'>
  /** Names of directives that they set for all servers. */
  settings: ReadonlySet<string>
  /** Addresses such as `192.0.2.1:80`: nginx takes a server that listens on every address only where none has its own. */
  addresses: readonly string[]
  /** Ports on which they listen on every address. */
  everywhere: ReadonlySet<'80' | '443'>
  /** Whether PHP of somebody else serves websites. */
  hasPhp: boolean
}

const etc = '/etc/nginx'
const folders = [`${etc}/conf.d`, `${etc}/conf.d/domains`, `${etc}/sites-enabled`]
const MOST_BYTES = 2_097_152

export function foreign(): Foreign {
  const defaults = new Set<'80' | '443'>()
  const settings = new Set<string>()
  const addresses = new Set<string>()
  const everywhere = new Set<'80' | '443'>()
  let hasPhp = false
  for (const file of files()) {
    const text = textOf(file)
    if (text === undefined || (file === `${etc}/sites-enabled/default` && isWelcome(text))) continue
    const found = directivesIn(text)
    const top = [...found, ...found.flatMap(({ words, block }) => (words[0] === 'http' ? block : []))]
    for (const one of top) {
      settings.add(one.words[0] ?? '')
      if (one.words[0] !== 'server') continue
      for (const { words } of one.block) if (words[0] === 'listen') listens(words, { defaults, addresses, everywhere })
      hasPhp ||= flat(one.block).some(({ words }) => words[0] === 'fastcgi_pass' || words[1]?.includes('php'))
    }
  }
  return { defaults, settings, addresses: [...addresses].toSorted(), everywhere, hasPhp }
}

/** Debian's page for a server without websites, as the package brings it: a server without a name for /var/www/html. */
export function isWelcome(text: string): boolean {
  const servers = directivesIn(text).filter(({ words }) => words[0] === 'server')
  return servers.every((one) => {
    const { names, root, php, proxy } = serverIn(one)
    return names.length === 0 && root === '/var/www/html' && php === undefined && proxy === undefined
  })
}

interface Listening {
  defaults: Set<'80' | '443'>
  addresses: Set<string>
  everywhere: Set<'80' | '443'>
}

function listens([, at = '', ...more]: Directive['words'], { defaults, addresses, everywhere }: Listening): void {
  const [, address, port = '80'] =
    /^(\[[0-9a-f:.]{2,45}\]|\*|\d{1,3}(?:\.\d{1,3}){3})?:?(80|443)?$/i.exec(at) ?? ([] as string[])
  if (address === undefined && port !== at) return // another port, or a socket
  const isAny = address === undefined || ['*', '0.0.0.0', '[::]'].includes(address)
  const number = port === '443' ? '443' : '80'
  if (!isAny) return void addresses.add(`${address}:${number}`)
  if (address !== '[::]') everywhere.add(number)
  if (more.includes('default_server') || more.includes('default')) defaults.add(number)
}

const files = (): string[] => [
  `${etc}/nginx.conf`,
  ...folders.flatMap((folder) =>
    existsSync(folder)
      ? readdirSync(folder)
          .filter((name) => (folder.endsWith('sites-enabled') ? !name.startsWith('.') : name.endsWith('.conf')))
          .filter((name) => !name.startsWith('innkeeper'))
          .map((name) => `${folder}/${name}`)
      : [],
  ),
]

function textOf(file: string): string | undefined {
  if (!existsSync(file)) return undefined // a link to nowhere
  const found = statSync(realpathSync(file))
  return found.isFile() && found.size <= MOST_BYTES ? readFileSync(file, 'utf8') : undefined
}
