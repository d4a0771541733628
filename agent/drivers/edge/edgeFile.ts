import type { OperationInput } from '@innkeeper/contract/agent'
import { siteFolder } from '../nginx/nginx.ts'
import { edgeTlsFile } from '../tls/tlsFiles.ts'
import { perhaps } from '../webServer/webPaths.ts'

/** What edges keep, all websites in one zone: what nobody asks for goes first. No other zone of nginx has its name. */
export const cacheZone = 'innkeeper_pages'
export const cacheFolder = '/var/cache/nginx-innkeeper'

export type Edge = OperationInput<'edge-site.ensure'>

/** By its number: a website that is renamed keeps its file, and what is kept of it. */
export const edgeFile = (vhostId: number) => `${siteFolder}/edge-${vhostId}.conf`
/** The number in the name of an edge's file; undefined for any other. */
export const edgeIn = (file: string): number | undefined => {
  const [, id] = file.match(/^edge-(\d{1,10})\.conf$/) ?? []
  return id === undefined ? undefined : Number(id)
}
/** What an edge answers to by its file; undefined where there is none. */
export const namesOf = (text: string | undefined): string[] | undefined =>
  text?.match(/^ {2}server_name ([^;]+);$/m)?.[1]?.split(' ')

/** What an edge answers to itself: proof that the right file is live. */
export const markPath = '/.well-known/innkeeper-edge'
export const mark = ({ vhostId, cache }: Pick<Edge, 'vhostId' | 'cache'>) =>
  `edge ${vhostId} ${cache ? 'keeps' : 'passes'}`

/** What the key of every page of a website begins with in the cache; then its whole address. */
export const keyOf = (vhostId: number) => `edge-${vhostId} `

/**
 * What a visitor may say and applications take for an address of theirs: a page that was made for one such word would be
 * kept, and shown to everybody.
 */
const unheard = [
  ...[
    'Forwarded',
    'X-Forwarded-Host',
    'X-Forwarded-Port',
    'X-Forwarded-Prefix',
    'X-Forwarded-Scheme',
    'X-Forwarded-Server',
  ],
  ...[
    'X-Forwarded-SSL',
    'X-Host',
    'X-Original-Host',
    'X-Original-URL',
    'X-Rewrite-URL',
    'X-HTTP-Method-Override',
    'Proxy',
  ],
]

/** The file of one website on an edge. Its values have passed the contract's allow-lists: none has a character of nginx's. */
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
${unheard.map((name) => `  proxy_set_header ${name} "";\n`).join('')}  proxy_connect_timeout 3s;
  proxy_hide_header Upgrade; # HTTP/2 ends a connection over it
  proxy_read_timeout 130s;
${cache ? packed : ''}
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
 * Pages are kept packed, and unpacked for whoever cannot do that: nginx heeds the last `Vary` of an answer alone, which of
 * a page that differs by language says nothing of packing.
 */
const packed = `  proxy_set_header Accept-Encoding gzip;
  gunzip on;
`

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
