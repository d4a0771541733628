import { createHash, X509Certificate } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import type { PlaceFacts } from '@innkeeper/contract/agent/inPlace'
import type { FoundWebsite } from '@innkeeper/contract/recovery/archiveImports/inventory'
import { run } from '../../../kit/host.ts'
import { accountOf, groupId, hasGroup } from '../../accounts/systemAccounts.ts'
import { type Directive, flat, serverIn } from '../../nginx/nginxText.ts'
import type { MachineAccount } from '../account.ts'
import { printedByNginx, smallText } from '../handMade.ts'
import { findAccounts } from '../machine.ts'
import { namesOf, type SiteBlocks, siteBlocks } from './siteBlocks.ts'

const MOST_LOST = 50
/** What Innkeeper's own configuration of a website says in its way, or what every website has. */
const usual =
  /^(?:listen|server_name|root|index|access_log|error_log|ssl|ssl_.+|http2|http3|include|fastcgi_.+|try_files|location|charset|client_.+|gzip.*|log_not_found|server_tokens|set|return|error_page|keepalive_.+|sendfile|default_type|types|internal|etag)$/
/** What a visitor would miss: the website is not taken over without it. */
const needed = {
  proxy_pass: 'hands requests on to a program',
  uwsgi_pass: 'hands requests on to a program',
  scgi_pass: 'hands requests on to a program',
  grpc_pass: 'hands requests on to a program',
  alias: 'shows a folder outside of its own',
  auth_basic: 'asks for a password',
  auth_basic_user_file: 'asks for a password',
  auth_request: 'asks a program who may see it',
  satisfy: 'limits who may see it',
  allow: 'limits who may see it',
} as const

/** Folders that a panel shows beside each website: its statistics, its error pages, and programs such as phpMyAdmin. */
const ofPanel =
  /^(?:\/home\/[^/]+\/web\/[^/]+\/(?:stats|document_errors)|\/usr\/share\/[^/]+|\/var\/lib\/roundcube)(?:\/|$)/

/** A website of this machine as it is, and what keeps it from being taken over where it lies. */
export interface Place {
  facts: PlaceFacts
  blocks: SiteBlocks
  /** Chain and key of the present certificate. */
  certificate: { chain: string; key: string } | undefined
  /** Addresses and ports at which visitors come. */
  ways: { addresses: string[]; ports: number[] }
  /** Folders with files beside its pages. */
  beside: string[]
}

export async function placeOf(username: string, website: string, phpVersion: string | undefined): Promise<Place> {
  const printed = existsSync('/usr/sbin/nginx') ? await printedByNginx() : { text: '', complaint: '' }
  if (printed.text === undefined) throw new Error(`nginx refuses its own configuration: ${printed.complaint}`)
  const { accounts } = await findAccounts({ account: username, nginx: printed.text, databases: false })
  const account = accounts.find(({ layout }) => layout.inventory.account.name === username)
  const site = account?.layout.inventory.websites.find(({ domain }) => domain === website)
  if (!account || !site) throw new Error(`this machine has no website ${website} of ${username}: look at it again`)
  const blocks = await siteBlocks(
    website,
    site.aliases.map((name) => name.toLowerCase()),
    printed.text,
  )
  const root = rootOf(account, website)
  const version = site.phpVersion ?? phpVersion
  const obstacles = [
    ...(await accountObstacles(username, root)),
    ...foldersOf(account, website, (to) => to === '').map(
      (folder) =>
        `Its application lies around its pages, in ${folder}, and backups, copies and moves would have the pages alone`,
    ),
    ...siteObstacles(site, blocks),
    ...(version && existsSync(`/usr/sbin/php-fpm${version}`)
      ? []
      : [`PHP ${version ?? ''} is not installed here: add it on the page of the server`]),
  ]
  const content = blocks.servers.filter((one) => hasContent(one))
  const key = account.layout.secrets.certificates[website]
  const chain = site.certificate?.chain
  obstacles.push(...(await tlsObstacles(blocks, site.ssl ? (chain && key ? chain : null) : undefined)))
  const facts: PlaceFacts = {
    ...{ root: root ?? '', phpVersion: version ?? null, obstacles },
    serves: blocks.names.filter((name) => name !== website && content.some((one) => namesOf(one).includes(name))),
    redirects: blocks.names.filter((name) => name !== website && !content.some((one) => namesOf(one).includes(name))),
    application: blocks.servers.some(leadsToIndex) ? 'front-controller' : 'files',
    lost: lostOf(blocks.servers),
    until: chain && key ? (site.certificate?.notAfter ?? null) : null,
    renews: site.certificate?.renews ?? false,
    seen: '',
  }
  const parts = blocks.files.map(({ file, parts: own }) => [file, own])
  facts.seen = createHash('sha256')
    .update(JSON.stringify([facts, parts]))
    .digest('hex')
  return {
    ...{ facts, blocks },
    certificate: chain && key ? { chain, key } : undefined,
    ways: { addresses: addressesOf(blocks), ports: site.ssl ? [80, 443] : [80] },
    beside: foldersOf(account, website, (to) => to !== '' && to !== 'public'),
  }
}

const rootOf = (account: MachineAccount, website: string): string | undefined =>
  sourcesOf(account, website, (to) => to === 'public')[0]

/** Folders of a website on this machine that become these folders in an import. */
function sourcesOf({ layout, sources }: MachineAccount, website: string, which: (to: string) => boolean): string[] {
  return layout.rules.flatMap(([path, rule]) => {
    const source = rule.kind === 'site' && rule.site === website && which(rule.to) ? sources.get(path) : undefined
    return source && 'folder' in source ? [source.folder] : []
  })
}

/** The same, without folders that are not there or empty. */
const foldersOf = (...asked: Parameters<typeof sourcesOf>): string[] =>
  sourcesOf(...asked).filter((folder) => existsSync(folder) && readdirSync(folder).length > 0)

async function accountObstacles(username: string, root: string | undefined): Promise<string[]> {
  const account = await accountOf(username)
  const home = `/home/${username}`
  if (!account || account.uid < 1000) return [`Its files belong to ${username}, which is no account of a customer`]
  if (account.home !== home) return [`The home of ${username} is ${account.home}, not ${home}`]
  if (!(await hasGroup(username)) || (await groupId(username)) !== account.gid)
    return [`The account ${username} has no group of its own`]
  if (!root?.startsWith(`${home}/`) || !existsSync(root)) return [`Its folder ${root ?? ''} is not below ${home}`]
  if (!/^\/home(?:\/[A-Za-z0-9._-]{1,128}){2,9}$/.test(root))
    return [`Its folder ${root} has a name with signs that Innkeeper does not take`]
  const { stdout } = await run(['find', root, '-xdev', '!', '-user', username, '-print', '-quit'])
  const strange = stdout.split('\n')[0]
  return strange ? [`${strange} does not belong to ${username}, and the website could not change it any more`] : []
}

function siteObstacles(site: FoundWebsite, { files, servers, strangers, hasNameless }: SiteBlocks): string[] {
  const directives = servers.flatMap(({ block }) => flat(block.filter((one) => !isPanels(one))))
  const found = Object.entries(needed).flatMap(([name, why]) => {
    const one = directives.find(({ words }) => words[0] === name && words[1] !== 'off')
    return one ? [`It ${why}: ${one.words.join(' ').slice(0, 200)}`] : []
  })
  return [
    ...(site.suspended ? ['It is suspended: side by side, it stays suspended'] : []),
    ...(files.length ? [] : ['No file of nginx serves it: Apache does, or another program']),
    ...(strangers.length ? [`Its configuration also serves ${strangers.slice(0, 5).join(', ')}`] : []),
    ...(hasNameless
      ? ['A website without a name answers for all unknown names here: declare it as default_server first']
      : []),
    ...new Set(found),
  ]
}

const hasContent = (one: Directive) => {
  const { root, php, redirect } = serverIn(one)
  const isSentOn = one.block.some(({ words }) => words[0] === 'return' && /^30[1278]$/.test(words[1] ?? ''))
  return !isSentOn && redirect === undefined && (root !== undefined || php !== undefined)
}

/** A location that leads to a folder of the panel alone: without it, the website itself is whole. */
const isPanels = ({ words, block }: Directive) =>
  words[0] === 'location' &&
  block.some((one) => (one.words[0] === 'alias' || one.words[0] === 'root') && ofPanel.test(one.words[1] ?? ''))

const leadsToIndex = ({ block }: Directive) =>
  flat(block).some(({ words }) => words[0] === 'try_files' && words.some((word) => word.startsWith('/index.php')))

/** A redirect to https under a condition, as certbot writes it: the redirect stays. */
const isToHttps = ({ words, block }: Directive) =>
  words[0] === 'if' &&
  block.length === 1 &&
  block[0]?.words[0] === 'return' &&
  /^https:\/\/\$(?:host|server_name)/.test(block[0].words.at(-1) ?? '')

/** Directives that Innkeeper's own configuration does not have. */
function lostOf(servers: readonly Directive[]): string[] {
  const found = servers.flatMap(({ block }) => [
    ...block.filter(isPanels).map(({ words }) => `${words.join(' ').slice(0, 200)} (of the panel)`),
    ...flat(block.filter((one) => !isPanels(one) && !isToHttps(one))).flatMap(({ words }) => {
      const name = words[0] ?? ''
      if (usual.test(name) || name in needed || (name === 'deny' && words[1] === 'all')) return []
      return [words.join(' ').slice(0, 300)]
    }),
  ])
  return [...new Set(found)].toSorted().slice(0, MOST_LOST)
}

/** What keeps its certificate from staying. `chain`: that of the website; null: it cannot be read; undefined: none. */
async function tlsObstacles({ servers }: SiteBlocks, chain: string | null | undefined): Promise<string[]> {
  const found: string[] = []
  if (chain === null)
    found.push('It answers over https with a certificate that cannot be read, or whose key asks for a passphrase')
  const own = chain ? new X509Certificate(chain).fingerprint256 : undefined
  for (const one of servers) {
    const { certificate, names } = serverIn(one)
    const text = await smallText(certificate) // certbot's are links
    const leaf = text === undefined ? undefined : fingerprintOf(text)
    if (own && leaf && leaf !== own)
      found.push(`Its name ${names[0] ?? ''} shows another certificate: order one for all its names first`)
  }
  if (servers.some(({ block }) => block.some(({ words }) => words[0] === 'listen' && words.includes('ipv6only=off'))))
    found.push(
      'It listens with ipv6only=off, beside which Innkeeper cannot listen: write “listen 80” and “listen [::]:80”',
    )
  return [...new Set(found)]
}

function fingerprintOf(chain: string): string | undefined {
  try {
    return new X509Certificate(chain).fingerprint256
  } catch {
    return undefined // no certificate: nginx refuses such a configuration itself
  }
}

const MOST_ADDRESSES = 4
/** Addresses at which visitors may come: those that its configuration names, and those of this machine, of both kinds. */
function addressesOf({ servers }: SiteBlocks): string[] {
  const named = servers.flatMap(({ block }) =>
    block.flatMap(({ words: [name, at = ''] }) => {
      const address = /^(?:\[([0-9a-f:.]{2,45})\]|(\d{1,3}(?:\.\d{1,3}){3}))(?::\d{1,5})?$/i.exec(at)
      const found = address?.[1] ?? address?.[2]
      return name === 'listen' && found && found !== '::' && found !== '0.0.0.0' ? [found] : []
    }),
  )
  const here = (wanted: 'IPv4' | 'IPv6') =>
    Object.values(networkInterfaces())
      .flatMap((all = []) =>
        all.flatMap(({ address, internal, family }) =>
          internal || family !== wanted || address.startsWith('fe80') ? [] : [address],
        ),
      )
      .toSorted()
      .slice(0, MOST_ADDRESSES)
  const found = [...new Set([...named.toSorted().slice(0, MOST_ADDRESSES), ...here('IPv4'), ...here('IPv6')])]
  return found.length ? found : ['127.0.0.1']
}
