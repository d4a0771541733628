import { siteFolder } from '../nginx/nginx.ts'
import { edgeTlsFile } from '../tls/tlsFiles.ts'
import { forgeable } from '../webServer/visitor.ts'
import type { Changes } from '../webServer/webConfig.ts'
import { perhaps } from '../webServer/webPaths.ts'
import { answerFile } from './edgeAnswer.ts'
import {
  type Edge,
  errorFiles,
  errorPages,
  type Place,
  passwordFile,
  placesOf,
  protection,
  redirects,
  saying,
} from './edgeRules.ts'

/**
 * All websites of an edge share one cache zone, and nginx evicts the pages that were not requested for longest. No
 * other cache zone has this name.
 */
export const cacheZone = 'innkeeper_pages'
export const cacheFolder = '/var/cache/nginx-innkeeper'
/** Loopback port of the cache: visitors reach the front, which reaches this. */
const cachePort = 4477

/** Named by the number of the vhost, so that a renamed website keeps its file and its cached pages. */
export const edgeFile = (vhostId: number) => `${siteFolder}/edge-${vhostId}.conf`
/** The number of the vhost in a file name; undefined for other files. */
export const edgeIn = (file: string): number | undefined => {
  const [, id] = file.match(/^edge-(\d{1,10})\.conf$/) ?? []
  return id === undefined ? undefined : Number(id)
}
/** The server names in the file of an edge; undefined without a file. */
export const namesOf = (text: string | undefined): string[] | undefined =>
  text?.match(/^ {2}server_name (.+);$/m)?.[1]?.split(' ')

/** The edge answers this path itself, which proves that nginx serves the right file. */
export const markPath = '/.well-known/innkeeper-edge'
export const mark = ({ vhostId, cache }: Pick<Edge, 'vhostId' | 'cache'>) =>
  `edge ${vhostId} ${cache ? 'keeps' : 'passes'}`

/** The prefix of the cache keys of a website; the full URL follows. */
export const keyOf = (vhostId: number) => `edge-${vhostId} `

/**
 * Request headers that the edge drops: otherwise the cache would serve a page made for one visitor's value to everybody
 * (cache poisoning).
 */
const dropped = [...forgeable, 'X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override', 'Proxy']
  .map((name) => `  proxy_set_header ${name} "";\n`)
  .join('')

/** All files of a website on an edge beside its certificate; undefined: there must be none. */
export const edgeFiles = (edge: Edge): Changes => ({
  [edgeFile(edge.vhostId)]: edgeText(edge),
  ...errorFiles(edge),
  [passwordFile(edge.vhostId)]: edge.passwords || undefined,
})
export const noEdgeFiles = (vhostId: number): Changes =>
  Object.fromEntries(
    [edgeFile(vhostId), ...Object.keys(errorFiles({ vhostId })), passwordFile(vhostId)].map((file) => [
      file,
      undefined,
    ]),
  )

/**
 * The nginx file of a website on an edge: a front for visitors, which compresses for each visitor, and behind the front
 * the cache, which stores one uncompressed copy for all. The contract's allow-lists have checked the values: none
 * contains a special character of nginx.
 */
function edgeText(edge: Edge): string {
  const { vhostId, names, cache } = edge
  const places = placesOf(edge)
  return `# Written by Innkeeper. Changes are overwritten.
server {
  include /etc/nginx/innkeeper/listen.conf;
  include ${perhaps(edgeTlsFile(vhostId))};
  server_name ${names.join(' ')};
  access_log /var/log/nginx/innkeeper-edge.log innkeeper_edge;
  error_log /var/log/nginx/innkeeper-edge.error.log;
  set $innkeeper_edge ${vhostId};
  set $innkeeper_authorization $http_authorization;
  client_max_body_size 2048m;
  proxy_http_version 1.1;
  proxy_set_header Host $host;
  proxy_set_header Upgrade $innkeeper_upgrade;
  proxy_set_header Connection $innkeeper_connection;
  proxy_set_header Authorization $innkeeper_authorization;
  proxy_set_header X-Forwarded-For $remote_addr;
  proxy_set_header X-Real-IP $remote_addr;
  proxy_set_header X-Forwarded-Proto $scheme;
${dropped}${cache ? cookies(edge) : ''}${cache ? toCache : toOrigin(edge)}
  location = ${markPath} {
    if ($remote_addr != 127.0.0.1) { return 404; }
    access_log off;
    default_type text/plain;
    return 200 "${mark(edge)}";
  }
${errorPages(edge)}${redirects(edge)}${places.map((place) => front(edge, place)).join('')}}
${cache ? behind(edge, places) : ''}`
}

/** The front does not buffer requests: nginx may repeat a failed request only if it has read nothing of its body. */
const toCache = `  proxy_set_header Accept-Encoding "";
  proxy_connect_timeout 3s;
  proxy_read_timeout 140s;
  proxy_request_buffering off;
  proxy_max_temp_file_size 0;
`

const toOrigin = ({ names, rules = {} }: Edge) => `  proxy_connect_timeout 3s;
  proxy_read_timeout 130s;
${
  rules.fetch === 'https'
    ? `  proxy_ssl_verify on;
  proxy_ssl_verify_depth 4;
  proxy_ssl_trusted_certificate ${authorities};
  proxy_ssl_protocols TLSv1.2 TLSv1.3;
  proxy_ssl_server_name on;
  proxy_ssl_name ${certificateName({ names, rules })};
`
    : ''
}`
export const authorities = '/etc/ssl/certs/ca-certificates.crt'
export const certificateName = ({ names, rules = {} }: Pick<Edge, 'names' | 'rules'>) =>
  rules.certificateName ?? names[0] ?? ''

/** A location of the front. Repeats these directives: nginx inherits them only into a location without its own. */
const front = (edge: Edge, place: Place) => `  location ${place.path === '/' ? '' : '^~ '}${place.path} {
    include ${perhaps(answerFile)};
${protection(edge, place)}    proxy_pass ${edge.cache ? `http://127.0.0.1:${cachePort}` : originUrl(edge)};
    proxy_pass_header Date;
    proxy_hide_header Upgrade; # HTTP/2 ends a connection over it
    add_header Upgrade $innkeeper_upgraded always;
${edge.cache ? '' : '    proxy_hide_header X-Cache-Status;\n'}${saying(edge)}  }
`

const originUrl = ({ origin, rules = {} }: Edge) =>
  `${rules.fetch === 'https' ? 'https' : 'http'}://${origin.includes(':') ? `[${origin}]` : origin}`

/** The cache. It requests uncompressed pages, so that all values of Accept-Encoding share one copy, which can answer ranges. */
const behind = (edge: Edge, places: readonly Place[]) => `server {
  listen 127.0.0.1:${cachePort};
  server_name ${edge.names.join(' ')};
  access_log off;
  error_log /var/log/nginx/innkeeper-edge.error.log;
  client_max_body_size 0;
  gzip off;
  proxy_http_version 1.1;
  proxy_set_header Host $host;
  proxy_set_header Upgrade $innkeeper_upgrade;
  proxy_set_header Connection $innkeeper_connection;
  proxy_set_header Accept-Encoding ""; # nobody but the front should ask, which says none
${dropped}${toOrigin(edge)}${places
  .filter(({ path, minutes }) => path === '/' || minutes !== undefined)
  .map(
    ({ path, minutes = edge.keepMinutes }) => `  location ${path === '/' ? '' : '^~ '}${path} {
    proxy_pass ${originUrl(edge)};
    proxy_pass_header Date;
    proxy_hide_header X-Cache-Status;
${minutes ? keeping(edge, minutes) : ''}  }
`,
  )
  .join('')}}
`

/**
 * Cookies that change no page, as named by the website. A request with only such cookies counts as one without cookies;
 * the origin does not receive them, so its answer cannot depend on them.
 */
function cookies({ rules = {} }: Edge): string {
  const names = (rules.cookies ?? []).map(
    (name) => name.replace('*', '').replaceAll('.', '\\.') + (name.endsWith('*') ? '[^=;]*+' : ''),
  )
  if (!names.length) return ''
  return `  set $innkeeper_cookie $http_cookie;
  if ($http_cookie ~ "^(?:(?:${names.join('|')})=[^;]*+(?:; *+|$))*+$") { set $innkeeper_cookie ""; }
  proxy_set_header Cookie $innkeeper_cookie;
`
}

const keeping = ({ vhostId, stale }: Edge, minutes: number) => `    proxy_cache ${cacheZone};
    proxy_cache_key "${keyOf(vhostId)}$http_x_forwarded_proto://$host$request_uri";
    proxy_cache_valid 200 301 308 ${minutes}m;
    proxy_cache_valid 404 1m;
    proxy_cache_lock on;
    proxy_cache_use_stale ${stale ? 'error timeout invalid_header updating http_500 http_502 http_503 http_504' : 'off'};
    proxy_cache_background_update ${stale ? 'on' : 'off'};
    proxy_cache_bypass $innkeeper_private $innkeeper_upgrade;
    proxy_no_cache $innkeeper_private $innkeeper_varies;
    add_header X-Cache-Status $upstream_cache_status always;
`
