import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { noProxies, proxiesHead } from '../webServer/proxiesText.ts'
import { forgeable, inPhp } from '../webServer/visitor.ts'
import type { Changes } from '../webServer/webConfig.ts'
import { mailFile, perhaps, proxiesFile, sitesOf } from '../webServer/webPaths.ts'
import type { WebServer } from '../webServer/webServer.ts'
import { type Foreign, foreign } from './foreign.ts'
import { placesOf } from './listening.ts'
import { complaint, nginxConfig } from './nginxConfig.ts'
import { siteText } from './nginxSiteFile.ts'

const folder = '/etc/nginx/innkeeper'
const main = '/etc/nginx/conf.d/innkeeper.conf'
export const siteFolder = sitesOf({ folder })

/** Debian includes this folder outside `http`. */
const outsideHttp = '/etc/nginx/modules-enabled'
/** Modules have smaller numbers. */
const processes = `${outsideHttp}/99-innkeeper.conf`
/** Minutes after a reload in which the former processes may finish their transfers. */
const LEAVE_MIN = 30

/**
 * Without a limit, a WebSocket that is in use keeps a process of the former configuration for ever: the visitor of a suspended
 * website or a denied address goes on, and each reload leaves more processes. nginx refuses a second directive, so an
 * administrator's own counts.
 */
const processesText = () =>
  hasOwnLimit()
    ? undefined
    : `# Written by Innkeeper. Changes are overwritten.\nworker_shutdown_timeout ${LEAVE_MIN}m;\n`

function hasOwnLimit(): boolean {
  const beside = existsSync(outsideHttp) ? readdirSync(outsideHttp).map((name) => `${outsideHttp}/${name}`) : []
  return ['/etc/nginx/nginx.conf', ...beside].some(
    (file) =>
      file !== processes && existsSync(file) && /^[ \t]*worker_shutdown_timeout\s/m.test(readFileSync(file, 'utf8')),
  )
}

/** MIME types that are worth compressing, besides text/html. */
export const packedTypes = `text/plain text/css text/xml text/javascript application/javascript application/json application/ld+json
  application/manifest+json application/xml application/atom+xml application/rss+xml application/wasm image/svg+xml`

/** The main file includes it before its maps use the variable. */
const proxiesText = (
  addresses: readonly string[],
) => `${proxiesHead(addresses)}geo $realip_remote_addr $innkeeper_proxy {
  default 0;
${addresses.map((address) => `  ${address} 1;\n`).join('')}}
${addresses.map((address) => `set_real_ip_from ${address};\n`).join('')}`

const base = (): Changes => baseBeside(foreign())

const listenFile = `${folder}/listen.conf`
const tlsListenFile = `${folder}/tls.conf`
const textOf = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined)

const baseBeside = (found: Foreign): Changes => {
  const { defaults, settings } = found
  const plain = placesOf('80', found, textOf(listenFile))
  const tls = placesOf('443', found, textOf(tlsListenFile))
  return baseText({
    ...{ defaults, settings },
    listens: { plain: lines(plain.listens, ''), tls: lines(tls.listens, ' ssl http2') },
    refuses: {
      plain: lines(plain.refuses, ' default_server', '  '),
      tls: lines(tls.refuses, ' ssl http2 default_server', '  '),
    },
  })
}

interface Base extends Pick<Foreign, 'defaults' | 'settings'> {
  listens: { plain: string; tls: string }
  refuses: { plain: string; tls: string }
}

const baseText = ({ defaults, settings, listens, refuses }: Base): Changes => ({
  ...noProxies(proxiesFile({ folder }), proxiesText),
  [processes]: processesText(),
  [main]: `# Written by Innkeeper. Changes are overwritten.
${hashes.map(([name, size]) => (settings.has(name) ? '' : `${name} ${size};\n`)).join('')}include ${proxiesFile({ folder })};
# scheme and address of the visitor as a trusted proxy sends them; empty for requests of others
map $innkeeper_proxy $innkeeper_proto {
  default "";
  1 $http_x_forwarded_proto;
}
map $innkeeper_proxy $innkeeper_visitor {
  default "";
  1 $remote_addr;
}
# who is to be led to https: not this machine itself, nor whoever asks for a challenge, nor an edge that was asked over https
map "$innkeeper_proto $realip_remote_addr $scheme$uri" $innkeeper_to_https {
  default 0;
  "~^https " 0;
  "~^[a-z]* 127\\.0\\.0\\.1 " 0;
  "~ http/\\.well-known/acme-challenge/" 0;
  "~ http/" 1;
}
# the value of HTTPS for PHP behind an edge; a direct https request sets the value itself
map "$https $innkeeper_proto" $innkeeper_edge_https {
  default "";
  " https" on;
}
include /etc/nginx/innkeeper/generation.conf;
include ${sitesOf({ folder })}/*.conf;
include ${perhaps(mailFile({ folder }))};
${defaults.has('80') || !refuses.plain ? '' : refusing(refuses.plain)}${defaults.has('443') || !refuses.tls ? '' : refusingTls(refuses.tls)}`,
  [listenFile]: `${listens.plain}
server_tokens off;
real_ip_header X-Forwarded-For;
gzip on;
gzip_vary on;
gzip_comp_level 4;
gzip_min_length 1000;
gzip_types ${packedTypes};
include /etc/nginx/innkeeper/acme.con[f];
`,
  [tlsListenFile]: `${listens.tls}
ssl_protocols TLSv1.2 TLSv1.3;
ssl_session_cache shared:innkeeper:10m;
ssl_session_timeout 1d;
ssl_session_tickets off;
`,
  '/etc/nginx/innkeeper/php.conf': `location ~ [^/]\\.php(/|$) {
  fastcgi_split_path_info ^(.+?\\.php)(/.*)$;
  set $path_info $fastcgi_path_info; # try_files empties it
  try_files $fastcgi_script_name =404;
  include fastcgi_params;
  fastcgi_param SCRIPT_FILENAME $realpath_root$fastcgi_script_name;
  fastcgi_param DOCUMENT_ROOT $realpath_root;
  fastcgi_param PATH_INFO $path_info;
  fastcgi_param HTTP_PROXY "";
  fastcgi_param HTTP_X_FORWARDED_FOR $innkeeper_visitor if_not_empty;
  fastcgi_param HTTP_X_REAL_IP $innkeeper_visitor if_not_empty;
  fastcgi_param HTTP_X_FORWARDED_PROTO $innkeeper_proto if_not_empty;
${forgeable.map((name) => `  fastcgi_param ${inPhp(name)} "" if_not_empty;\n`).join('')}  fastcgi_param HTTPS $innkeeper_edge_https if_not_empty;
  fastcgi_read_timeout 120s;
  fastcgi_buffer_size 64k; # what PHP warns of comes before the header and has to fit in as well
  fastcgi_buffers 8 64k;
  fastcgi_pass $innkeeper_php;
}
`,
})

const hashes = [
  ['server_names_hash_bucket_size', 512],
  ['server_names_hash_max_size', 16_384],
] as const
const lines = (places: readonly string[], how: string, indent = '') =>
  places.map((one) => `${indent}listen ${one}${how};`).join('\n')

const refusing = (listens: string) => `server {
${listens}
  server_name _;
  access_log off;
  include /etc/nginx/innkeeper/acme.con[f];
  location / { return 444; }
}
`
const refusingTls = (listens: string) => `server {
${listens}
  server_name _;
  access_log off;
  ssl_protocols TLSv1.2 TLSv1.3;
  ssl_session_cache shared:innkeeper:10m;
  ssl_reject_handshake on;
}
`

/** nginx. Refuses unknown server names, and shows the generation of the configuration that it serves. */
export const nginx: WebServer = {
  ...nginxConfig,
  name: 'nginx',
  title: 'nginx',
  unit: 'nginx',
  program: '/usr/sbin/nginx',
  placeholder: '/etc/nginx/sites-enabled/default',
  folder,
  main,
  logs: '/var/log/nginx',
  base,
  proxiesText,
  refusal: undefined,
  refusesNames() {
    const found = foreign()
    return !found.defaults.has('80') && placesOf('80', found, textOf(listenFile)).listens.includes('80')
  },
  siteText,
  check: { command: ['nginx', '-t', '-q'], complaint },
  tlsText: (keys) => `# Written by Innkeeper. Changes are overwritten.
include ${folder}/tls.conf;
ssl_certificate ${keys}/chain.pem;
ssl_certificate_key ${keys}/key.pem;
`,
  httpsText({ redirect, hsts }) {
    const turn = [
      ...(redirect ? ['if ($innkeeper_to_https) { return 301 https://$host$request_uri; }'] : []),
      ...(hsts ? [`add_header Strict-Transport-Security "max-age=${hsts}" always;`] : []),
    ]
    return turn.length ? `${turn.join('\n')}\n` : undefined
  },
  acmeText: (thumbprint) => `# Written by Innkeeper. Changes are overwritten.
location ^~ /.well-known/acme-challenge/ {
  access_log off;
  location ~ "^/\\.well-known/acme-challenge/([A-Za-z0-9_-]{1,200})$" {
    default_type text/plain;
    return 200 "$1.${thumbprint}";
  }
  return 404;
}
`,
  isGateway: (status) => status === 502,
}
