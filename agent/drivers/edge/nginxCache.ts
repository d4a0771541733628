import { readdir } from 'node:fs/promises'
import type { Driver } from '../../kit/driver.ts'
import { absent, ensureDirectory, exclusive, notes, probe, until } from '../../kit/host.ts'
import { accountOf } from '../accounts/systemAccounts.ts'
import { siteFolder } from '../nginx/nginx.ts'
import { apply, isServed } from '../nginx/nginxConfig.ts'
import type { Changes } from '../webServer/webConfig.ts'
import { generationPort } from '../webServer/webConfig.ts'
import { answerFile, answerText, script, scriptFile } from './edgeAnswer.ts'
import { cacheFolder, cacheZone, edgeIn } from './edgeFile.ts'
import { has, needScript } from './edgeModules.ts'

const file = '/etc/nginx/conf.d/innkeeper-cache.conf'
const probePort = 4478

/** A cache for all websites of this edge. Checked by a page on loopback that the cache serves. */
export const nginxCache: Driver<'nginx-cache.ensure'> = {
  run: (c) =>
    exclusive('the cache of nginx', async () => {
      needScript()
      const owner = await accountOf('www-data')
      await ensureDirectory(cacheFolder, { mode: 0o700, ...(owner && { owner }) })
      if ((await notes.find('nginx', 'cache')) === undefined) await notes.keep('nginx', 'cache', c.actionId)
      const { generation } = await apply(c, cache(c.input.maxSizeMb), { check: answersFromCache })
      c.say(`nginx caches up to ${c.input.maxSizeMb} MB`)
      if (!has.brotli()) c.say('pages are compressed with gzip only: libnginx-mod-http-brotli-filter is not installed')
      return { generation }
    }),
  undo: (c) =>
    exclusive('the cache of nginx', async () => {
      if ((await notes.find('nginx', 'cache'))?.by !== c.actionId) return c.say('the cache was there before: it stays')
      const sites = await readdir(siteFolder).catch(absent)
      if (sites?.some((name) => edgeIn(name) !== undefined))
        return c.say('websites are behind this edge: the cache stays')
      await apply(c, { [file]: undefined, [answerFile]: undefined, [scriptFile]: undefined })
      await notes.drop('nginx', 'cache')
    }),
  async inspect({ input, task, actionId }) {
    if (task === 'undo') return (await notes.find('nginx', 'cache'))?.by === actionId ? 'no' : 'yes'
    return (await isServed(cache(input.maxSizeMb))) ? 'yes' : 'no'
  },
}

/** Requests the page twice: the second answer must come from the cache. */
const answersFromCache = (): Promise<void> =>
  until({
    what: 'the cache answers',
    unit: 'nginx',
    async look() {
      const { status, text, headers } = await probe('127.0.0.1', probePort, 'localhost')
      if (headers['x-cache'] === 'HIT') return
      const last = `${status ?? text}, cache ${headers['x-cache'] ?? 'unknown'}`
      throw new Error(`the cache stores nothing: its page answers ${last}`)
    },
  })

const cache = (maxSizeMb: number): Changes => ({
  [answerFile]: answerText({ brotli: has.brotli() }),
  [scriptFile]: script,
  [file]: `# Written by Innkeeper. Changes are overwritten.
proxy_cache_path ${cacheFolder} levels=1:2 keys_zone=${cacheZone}:32m max_size=${maxSizeMb}m inactive=7d use_temp_path=off;
# cookies of the request; the file of a website empties this where it has only cookies that change no page
map $http_cookie $innkeeper_cookie { default $http_cookie; }
# a request with a cookie, a sign-in, a body or an unusual header may be for one visitor only: the cache neither stores nor answers it
map "$innkeeper_cookie$http_authorization$innkeeper_personal$content_length$http_transfer_encoding" $innkeeper_private {
  default 1;
  "" 0;
}
# WebSocket alone: Apache offers HTTP/2 by this header too
map $http_upgrade $innkeeper_upgrade { default ""; "~*^websocket$" websocket; }
map $innkeeper_upgrade $innkeeper_connection { default ""; websocket upgrade; }
map $upstream_status $innkeeper_upgraded { default ""; 101 $upstream_http_upgrade; }
# how the cache answered, as it told the front
map $upstream_http_x_cache_status $innkeeper_cache_status { default $upstream_http_x_cache_status; "" -; }
js_import innkeeper from ${scriptFile};
# pages that vary by more than one header line are not kept: nginx regards only the last line
js_set $innkeeper_varies innkeeper.varies;
js_set $innkeeper_personal innkeeper.personal;
# whose request it was: each edge sets its own number
map "" $innkeeper_edge { default 0; }
log_format innkeeper_edge '$msec $innkeeper_edge $innkeeper_cache_status $bytes_sent';
server {
  listen 127.0.0.1:${probePort};
  access_log off;
  location / {
    proxy_pass http://127.0.0.1:${generationPort};
    proxy_cache ${cacheZone};
    proxy_cache_key innkeeper-probe;
    proxy_cache_valid 200 1m;
    add_header X-Cache $upstream_cache_status always;
  }
}
`,
})
