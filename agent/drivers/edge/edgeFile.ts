import type { OperationInput } from '@innkeeper/contract/agent'
import { siteFolder } from '../nginx/nginx.ts'
import { edgeTlsFile } from '../tls/tlsFiles.ts'
import { forgeable } from '../webServer/visitor.ts'
import { perhaps } from '../webServer/webPaths.ts'

/**
 * All websites of an edge share one cache zone, and nginx evicts the pages that were not requested for longest. No
 * other cache zone has this name.
 */
export const cacheZone = 'innkeeper_pages'
export const cacheFolder = '/var/cache/nginx-innkeeper'

export type Edge = OperationInput<'edge-site.ensure'>

/** Named by the number of the vhost, so that a renamed website keeps its file and its cached pages. */
export const edgeFile = (vhostId: number) => `${siteFolder}/edge-${vhostId}.conf`
/** The number of the vhost in a file name; undefined for other files. */
export const edgeIn = (file: string): number | undefined => {
  const [, id] = file.match(/^edge-(\d{1,10})\.conf$/) ?? []
  return id === undefined ? undefined : Number(id)
}
/** The server names in the file of an edge; undefined without a file. */
export const namesOf = (text: string | undefined): string[] | undefined =>
  text?.match(/^ {2}server_name ([^;]+);$/m)?.[1]?.split(' ')

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
const dropped = [...forgeable, 'X-HTTP-Method-Override', 'Proxy']

/**
 * The nginx file of a website on an edge. The contract's allow-lists have checked the values: none contains a special
 * character of nginx.
 */
export function edgeText(edge: Edge): string {
  const { vhostId, names, origin, cache } = edge
  const pass = `proxy_pass http://${origin.includes(':') ? `[${origin}]` : origin};`
  return `# Written by Innkeeper; what is changed here is written over.
server {
  include /etc/nginx/innkeeper/listen.conf;
  include ${perhaps(edgeTlsFile(vhostId))};
  server_name ${names.join(' ')};
  access_log /var/log/nginx/innkeeper-edge.log innkeeper_edge;
  error_log /var/log/nginx/innkeeper-edge.error.log;
  set $innkeeper_edge ${vhostId};
  client_max_body_size 2048m;
  proxy_http_version 1.1;
  proxy_set_header Host $host;
  proxy_set_header Connection "";
  proxy_set_header X-Forwarded-For $remote_addr;
  proxy_set_header X-Real-IP $remote_addr;
  proxy_set_header X-Forwarded-Proto $scheme;
${dropped.map((name) => `  proxy_set_header ${name} "";\n`).join('')}  proxy_connect_timeout 3s;
  proxy_hide_header Upgrade; # HTTP/2 ends a connection over it
  proxy_read_timeout 130s;
${cache ? packed + cookies(edge) : ''}
  location = ${markPath} {
    if ($remote_addr != 127.0.0.1) { return 404; }
    access_log off;
    default_type text/plain;
    return 200 "${mark(edge)}";
  }
  location ^~ /.well-known/ { ${pass} }
  location / {
    ${pass}
${cache ? keeping(edge) : ''}  }
}
`
}

/**
 * Caches pages compressed and decompresses them for clients without gzip. nginx regards only the last `Vary` header; on
 * a page that varies by language, that header does not name the encoding.
 */
const packed = `  proxy_set_header Accept-Encoding gzip;
  gunzip on;
`

/**
 * Cookies that change no page, as the website says: a request without others counts as one without any, and reaches the
 * origin so. What the origin answers cannot depend on them then.
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

const keeping = ({ vhostId, keepMinutes, stale }: Edge) => `    proxy_cache ${cacheZone};
    proxy_cache_key "${keyOf(vhostId)}$scheme://$host$request_uri";
    proxy_cache_valid 200 301 308 ${keepMinutes}m;
    proxy_cache_valid 404 1m;
    proxy_cache_lock on;
    proxy_cache_use_stale ${stale ? 'error timeout invalid_header updating http_500 http_502 http_503 http_504' : 'off'};
    proxy_cache_background_update ${stale ? 'on' : 'off'};
    proxy_cache_bypass $innkeeper_private;
    proxy_no_cache $innkeeper_private;
    add_header X-Cache-Status $upstream_cache_status always;
`
