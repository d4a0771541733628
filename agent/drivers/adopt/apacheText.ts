import type { FoundServer } from '../nginx/nginxText.ts'

/** The virtual hosts of a file of Apache. Nested sections, such as `<Directory>`, belong to their host. */
export function hostsIn(text: string): FoundServer[] {
  const found: FoundServer[] = []
  let now: FoundServer | undefined
  for (const raw of text.split('\n').slice(0, 100_000)) {
    const line = raw.trim().slice(0, 4000)
    if (/^<VirtualHost[\s>]/i.test(line))
      now = {
        ...{ names: [], root: undefined, php: undefined, proxy: undefined, redirect: undefined },
        ...{ certificate: undefined, key: undefined, guarded: false, own: [] },
      }
    else if (/^<\/VirtualHost>/i.test(line)) {
      if (now) found.push(now)
      now = undefined
    } else if (now) note(now, line)
  }
  return found
}

const MOST_OWN = 50
/** What a server of Innkeeper would lack: folders from elsewhere, programs, rules, and files that are not read here. */
const isOwn =
  /^(?:alias|aliasmatch|scriptalias|scriptaliasmatch|proxypass|proxypassmatch|rewriterule|redirectmatch|header|requestheader|errordocument|include|includeoptional|use|php_value|php_flag|php_admin_value|php_admin_flag|setenv|substitute|limitrequestbody|wsgiscriptalias|fastcgiexternalserver)$/

function note(host: FoundServer, line: string): void {
  const [name = '', ...rest] = line.split(/\s+/)
  const [first = '', second = ''] = rest.map((word) => word.replace(/^"(.*)"$/, '$1'))
  const key = name.toLowerCase()
  if (key === 'servername') host.names.unshift(first.replace(/^https?:\/\//, '').replace(/:\d+$/, ''))
  else if (key === 'serveralias') host.names.push(...rest)
  else if (key === 'documentroot') host.root ??= first
  else if (key === 'proxypass' && first === '/') host.proxy ??= second
  else if (key === 'redirect' || key === 'redirectpermanent') {
    const to = rest.at(-1) ?? ''
    if (/^https?:\/\//.test(to) && !host.names.some((one) => to.includes(`//${one}`))) host.redirect ??= to
  } else if (key === 'sslcertificatefile') host.certificate ??= first
  else if (key === 'sslcertificatekeyfile') host.key ??= first
  else if (key === 'authuserfile') host.guarded = true
  else if (isOwn.test(key) && host.own.length < MOST_OWN) host.own.push(line.slice(0, 300))
  else if (key === 'sethandler') host.php ??= /proxy:unix:([^|]{1,200})\|/.exec(line)?.[1]
}
