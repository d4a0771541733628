import type { OperationInput } from '@innkeeper/contract/agent'
import { places, shortName } from '../kit/host.ts'
import { siteFolder } from './nginx.ts'
import { type PoolKey, socketOf } from './phpPoolFile.ts'
import { httpsFile, perhaps, tlsFile } from './tlsFiles.ts'

export type Site = OperationInput<'nginx-site.ensure'>
export type State = Site['state']

/** The pool of PHP that a website is run by: its account's, or its own. */
export const poolOf = ({ username, phpVersion, own }: Pick<Site, 'username' | 'phpVersion' | 'own'>): PoolKey => ({
  username,
  phpVersion,
  website: own?.pool,
})

export const siteFile = (domain: string) => `${siteFolder}/${shortName(domain)}.conf`
export const logFile = (domain: string, kind: 'access' | 'error') => `/var/log/nginx/${shortName(domain)}.${kind}.log`

/** What this server answers to itself about a website: proof that the right server block is live. */
export const mark = ({ domain, state }: Pick<Site, 'domain' | 'state'>) => `${domain} ${state}`

/** The nginx file of one website. Its values have passed the contract's allow-lists: none has a character of nginx's. */
export function siteText(site: Site): string {
  return `# Written by Innkeeper; what is changed here is written over.
# state: ${site.state}
server {
  include /etc/nginx/innkeeper/listen.conf;
  include ${perhaps(tlsFile(site.domain))};
  server_name ${[site.domain, ...site.aliases].join(' ')};
  access_log ${logFile(site.domain, 'access')};
  error_log ${logFile(site.domain, 'error')};

  location = /.well-known/innkeeper {
    if ($remote_addr != 127.0.0.1) { return 404; }
    access_log off;
    default_type text/plain;
    return 200 "${mark(site)}";
  }
${body(site)}}
${sentOn(site)}`
}

/** The state that a site file was written for. */
export function stateIn(text: string): State | undefined {
  const [, state] = text.match(/^# state: (active|suspended|maintenance|moving|moved)$/m) ?? []
  return state as State | undefined // the pattern has only these
}

function body(site: Site): string {
  if (site.state === 'active') return serving(site)
  return site.state === 'moved' ? forwarding(site) : closed(site.state)
}

/** Names that answer 301 to the website's own, path and query as they came. */
const sentOn = ({ domain, redirects = [] }: Site) =>
  redirects.length
    ? `
server {
  include /etc/nginx/innkeeper/listen.conf;
  include ${perhaps(tlsFile(domain))};
  server_name ${redirects.join(' ')};
  access_log ${logFile(domain, 'access')};
  error_log ${logFile(domain, 'error')};
  location / { return 301 $scheme://${domain}$request_uri; }
}
`
    : ''

const serving = (site: Site) => `
  include ${perhaps(httpsFile(site.domain))};
  root ${site.root};
  index index.php index.html;
  disable_symlinks if_not_owner;
  client_max_body_size ${site.own?.bodyMb ?? 64}m;
  set $innkeeper_php unix:${socketOf(poolOf(site))};

${site.noindex ? hidden : ''}
  location ~ /\\.(?!well-known/) { deny all; }
  include /etc/nginx/innkeeper/php.conf;
  location / { try_files $uri $uri/ /index.php?$args; }
`

/** A copy is nobody's to find; a login page of its own would be in the way of whoever tries it. */
const hidden = `
  add_header X-Robots-Tag "noindex, nofollow" always;
  location = /robots.txt {
    add_header X-Robots-Tag "noindex, nofollow" always;
    default_type text/plain;
    return 200 "User-agent: *\\nDisallow: /\\n";
  }
`

/** Seconds after which a visitor may ask again. */
const retryAfter = { suspended: 3600, maintenance: 3600, moving: 5 }

const closed = (state: Exclude<State, 'active' | 'moved'>) => `
  error_page 503 /innkeeper-${state}.html;
  location = /innkeeper-${state}.html {
    internal;
    alias ${places.pages}/${state}.html;
    add_header Retry-After ${retryAfter[state]} always;
    add_header Cache-Control no-store always;
  }
  location / { return 503; }
`

/** For whoever still comes here by an old answer of DNS: asked of the new server, and handed on as it answers. */
function forwarding({ domain, movedTo }: Site): string {
  if (!movedTo) throw new Error(`${domain} has moved, and nobody says where to`)
  return `
  client_max_body_size 64m;
  location / {
    proxy_pass $scheme://${movedTo.includes(':') ? `[${movedTo}]` : movedTo};
    proxy_ssl_server_name on;
    proxy_ssl_name $host;
    proxy_http_version 1.1;
    proxy_set_header Host $host;
    proxy_set_header Connection "";
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    proxy_set_header X-Forwarded-Proto $scheme;
    proxy_read_timeout 300s;
  }
`
}
