import type { OperationInput } from '@innkeeper/contract/agent'
import { places, shortName } from '../kit/host.ts'
import { siteFolder } from './nginx.ts'
import { socketOf } from './phpPoolFile.ts'

export type Site = OperationInput<'nginx-site.ensure'>
export type State = Site['state']

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
  server_name ${[site.domain, ...site.aliases].join(' ')};
  access_log ${logFile(site.domain, 'access')};
  error_log ${logFile(site.domain, 'error')};

  location = /.well-known/innkeeper {
    if ($remote_addr != 127.0.0.1) { return 404; }
    access_log off;
    default_type text/plain;
    return 200 "${mark(site)}";
  }
${site.state === 'active' ? serving(site) : closed(site.state)}}
`
}

/** The state that a site file was written for. */
export function stateIn(text: string): State | undefined {
  const [, state] = text.match(/^# state: (active|suspended|maintenance)$/m) ?? []
  return state as State | undefined // the pattern has only these
}

const serving = (site: Site) => `
  root ${site.root};
  index index.php index.html;
  disable_symlinks if_not_owner;
  client_max_body_size 64m;
  set $innkeeper_php unix:${socketOf(site)};

  location ~ /\\.(?!well-known/) { deny all; }
  include /etc/nginx/innkeeper/php.conf;
  location / { try_files $uri $uri/ /index.php?$args; }
`

const closed = (state: Exclude<State, 'active'>) => `
  error_page 503 /innkeeper-${state}.html;
  location = /innkeeper-${state}.html {
    internal;
    alias ${places.pages}/${state}.html;
    add_header Retry-After 3600 always;
    add_header Cache-Control no-store always;
  }
  location / { return 503; }
`
