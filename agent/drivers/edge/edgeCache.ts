import { type FileHandle, open, readdir, rm } from 'node:fs/promises'
import type { Driver } from '../../kit/driver.ts'
import { absent } from '../../kit/host.ts'
import { cacheFolder, cachePort, cacheZone, dropped, type Edge, keyOf, originUrl, toOrigin } from './edgeFile.ts'
import type { Place } from './edgeRules.ts'

/** Files that are read at once. */
const AT_ONCE = 64
/** nginx writes a header of about 340 bytes before the key; a URL has at most 2,000. */
const HEAD_BYTES = 4096
const MOST_HEAD_BYTES = 16_384

/**
 * Deletes cached pages by deleting their files: nginx cannot purge, and treats a missing file as a miss. Reads every
 * file, because each variant of a page (`Vary`: language, encoding) has its own file name.
 */
export const clearEdgeCache: Driver<'edge-cache.clear'> = {
  async run({ input: { vhostId, urls, prefixes }, say, fence }) {
    const own = keyOf(vhostId)
    const whole = new Set(urls?.map((url) => own + url))
    const beginnings = urls || prefixes ? (prefixes ?? []).map((prefix) => own + prefix) : [own]
    const isMeant = (key: string) => whole.has(key) || beginnings.some((beginning) => key.startsWith(beginning))
    let looked = 0
    let cleared = 0
    fence()
    for await (const files of batches(cacheFolder)) {
      const found = await Promise.all(files.map(async (file) => ({ file, key: await keyIn(file) })))
      for (const { file, key } of found)
        if (key !== undefined && isMeant(key)) {
          await rm(file, { force: true })
          cleared++
        }
      looked += files.length
    }
    say(`${cleared} of ${looked} cached pages are deleted`)
    return { cleared, looked }
  },
  /** nginx fetches deleted pages again. */
  undo: async ({ say }) => say('nothing to restore: pages are fetched again when visitors request them'),
  // a retry of a run also deletes pages that were cached since
  inspect: async ({ task }) => (task === 'undo' ? 'yes' : 'no'),
}

/** The files of a cache with two levels of folders, in batches, without the temporary files of nginx. */
async function* batches(folder: string): AsyncGenerator<string[]> {
  let batch: string[] = []
  for (const first of (await readdir(folder).catch(absent)) ?? [])
    for (const second of (await readdir(`${folder}/${first}`).catch(absent)) ?? [])
      for (const name of (await readdir(`${folder}/${first}/${second}`).catch(absent)) ?? []) {
        if (!/^[0-9a-f]{32}$/.test(name)) continue
        batch.push(`${folder}/${first}/${second}/${name}`)
        if (batch.length < AT_ONCE) continue
        yield batch
        batch = []
      }
  if (batch.length) yield batch
}

/** The cache key of a file; undefined if the file is gone or is no cache file. */
async function keyIn(file: string): Promise<string | undefined> {
  const handle = await open(file).catch(absent)
  try {
    return handle && ((await keyWithin(handle, HEAD_BYTES)) ?? (await keyWithin(handle, MOST_HEAD_BYTES)))
  } finally {
    await handle?.close()
  }
}

async function keyWithin(handle: FileHandle, bytes: number): Promise<string | undefined> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0)
  const head = buffer.subarray(0, bytesRead)
  const from = head.indexOf('\nKEY: ')
  const end = from < 0 ? -1 : head.indexOf('\n', from + 1)
  return end < 0 ? undefined : head.toString('latin1', from + '\nKEY: '.length, end)
}
/** The cache. It requests uncompressed pages, so that all values of Accept-Encoding share one copy, which can answer ranges. */
export const behind = (edge: Edge, places: readonly Place[]) => `server {
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
export function cookies({ rules = {} }: Edge): string {
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
