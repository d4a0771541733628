import { places } from '../../kit/host.ts'
import { socketOf } from '../php/phpPoolFile.ts'
import {
  bodyMb,
  head,
  mark,
  markPath,
  movedTo,
  poolOf,
  retryAfter,
  type Site,
  type State,
} from '../webServer/siteFile.ts'
import { patternBelow, sentBelow } from '../webServer/siteRules.ts'
import { forgeable } from '../webServer/visitor.ts'
import { httpsFile, logFile, perhaps, tlsFile } from '../webServer/webPaths.ts'
import { hiddenFiles, rulesText } from './nginxRules.ts'

const here = { folder: '/etc/nginx/innkeeper', logs: '/var/log/nginx' }

/** The nginx file of a website. */
export function siteText(site: Site): string {
  return `${head(site.state)}server {
  include /etc/nginx/innkeeper/listen.conf;
  include ${perhaps(tlsFile(here, site.domain))};
  server_name ${[site.domain, ...site.aliases].join(' ')};
  access_log ${logFile(here, site.domain, 'access')};
  error_log ${logFile(here, site.domain, 'error')};

  location = ${markPath} {
    if ($remote_addr != 127.0.0.1) { return 404; }
    access_log off;
    default_type text/plain;
    return 200 "${mark(site)}";
  }
${body(site)}}
${sentOn(site)}`
}

function body(site: Site): string {
  if (site.state === 'active') return serving(site)
  return site.state === 'moved' ? forwarding(site) : closed(site.state)
}

/** Names that redirect (301) to the website's domain, with the path and query of the request. */
function sentOn(site: Site): string {
  const { domain, redirects = [] } = site
  const below = sentBelow(site).map(
    (name) => `    if ($host ~ "${patternBelow(name)}$") { return 301 $scheme://$1.${domain}$request_uri; }\n`,
  )
  return redirects.length
    ? `
server {
  include /etc/nginx/innkeeper/listen.conf;
  include ${perhaps(tlsFile(here, domain))};
  server_name ${redirects.join(' ')};
  access_log ${logFile(here, domain, 'access')};
  error_log ${logFile(here, domain, 'error')};
  location / {
${below.join('')}    return 301 $scheme://${domain}$request_uri;
  }
}
`
    : ''
}

const serving = (site: Site) => `
  include ${perhaps(httpsFile(here, site.domain))};
  root ${site.root};
  index index.php index.html;
  disable_symlinks if_not_owner;
  client_max_body_size ${bodyMb(site)}m;
  set $innkeeper_php unix:${socketOf(poolOf(site))};

${site.noindex ? hidden : ''}
  ${hiddenFiles}
${rulesText(site)}`

/** Keeps search engines away from a staging copy. A password page would keep testers away too. */
const hidden = `
  add_header X-Robots-Tag "noindex, nofollow" always;
  location = /robots.txt {
    add_header X-Robots-Tag "noindex, nofollow" always;
    default_type text/plain;
    return 200 "User-agent: *\\nDisallow: /\\n";
  }
`

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

/**
 * Forwards requests to the new server for visitors whose DNS still resolves to this one. Nothing is buffered, and the new
 * server alone limits bodies: its plan may change meanwhile.
 */
const forwarding = (site: Site) => `
  client_max_body_size 0;
  # an edge asks over http for who came to it over https
  set $innkeeper_sent_proto $scheme;
  if ($innkeeper_proto = https) { set $innkeeper_sent_proto https; }
  # WebSocket alone: Apache offers HTTP/2 by this header too
  set $innkeeper_sent_upgrade "";
  set $innkeeper_sent_connection "";
  if ($http_upgrade ~* ^websocket$) {
    set $innkeeper_sent_upgrade websocket;
    set $innkeeper_sent_connection upgrade;
  }
  location / {
    proxy_pass $scheme://${movedTo(site)};
    proxy_ssl_server_name on;
    proxy_ssl_name $host;
    proxy_http_version 1.1;
    proxy_request_buffering off;
    proxy_buffering off;
    proxy_set_header Host $host;
    proxy_set_header Upgrade $innkeeper_sent_upgrade;
    proxy_set_header Connection $innkeeper_sent_connection;
    proxy_set_header X-Forwarded-For $remote_addr;
    proxy_set_header X-Real-IP $remote_addr;
    proxy_set_header X-Forwarded-Proto $innkeeper_sent_proto;
${forgeable.map((name) => `    proxy_set_header ${name} "";\n`).join('')}    proxy_hide_header Upgrade; # HTTP/2 ends a connection over it
    add_header Upgrade $innkeeper_sent_upgrade always;
    proxy_read_timeout 300s;
  }
`
