import { existsSync } from 'node:fs'
import { readdir, readlink, symlink } from 'node:fs/promises'
import type { Driver } from '../kit/driver.ts'
import { absent, ensureDirectory, notes, probe, read, remove, service } from '../kit/host.ts'
import { apply, type Changes, isServed } from './nginxConfig.ts'
import { writePages } from './sitePages.ts'

export const siteFolder = '/etc/nginx/innkeeper/sites'
const main = '/etc/nginx/conf.d/innkeeper.conf'
const placeholder = '/etc/nginx/sites-enabled/default'

/** nginx with what all websites share: unknown names are refused, and a generation number shows what is served. */
export const nginx: Driver<'nginx.ensure'> = {
  async run(c) {
    if (!existsSync('/usr/sbin/nginx')) throw new Error('nginx is not installed: its package comes first')
    await ensureDirectory(siteFolder)
    await writePages()
    if ((await read(main)) === undefined) await notes.keep('nginx', 'base', c.actionId)
    const welcome = await takeWelcome()
    try {
      const { generation, changed } = await apply(c, base(), { check: refusesUnknown })
      await service('nginx').enable()
      if (!changed) c.say('nginx is set up already')
      return { generation }
    } catch (error) {
      if (welcome) await symlink(welcome, placeholder)
      throw error
    }
  },
  /** nginx itself stays: what else it serves is not ours to stop. */
  async undo(c) {
    if ((await notes.find('nginx', 'base'))?.by !== c.actionId) return c.say('nginx was set up before: it stays')
    const sites = await readdir(siteFolder).catch(absent)
    if (sites?.some((name) => name.endsWith('.conf'))) return c.say('nginx serves websites: it stays')
    await apply(c, { [main]: undefined })
    await notes.forget('nginx', 'base')
  },
  async inspect({ task, actionId }) {
    if (task === 'undo') return (await notes.find('nginx', 'base'))?.by === actionId ? 'no' : 'yes'
    return (await isServed(base())) ? 'yes' : 'no'
  },
}

async function refusesUnknown(): Promise<void> {
  const { status } = await probe('127.0.0.1', 80, 'unknown.invalid')
  if (status !== undefined)
    throw new Error(`nginx answers ${status} for a name that it does not know, instead of nothing`)
}

/** Debian's page "Welcome to nginx" claims to be the default server; only that very link is taken away. */
async function takeWelcome(): Promise<string | undefined> {
  const target = await readlink(placeholder).catch(absent)
  if (!target?.endsWith('/sites-available/default')) return undefined
  await remove(placeholder)
  return target
}

/** What every website of this machine shares. An older agent wrote less of it: who needs it brings it along. */
export const base = (): Changes => ({
  [main]: `# Written by Innkeeper; what is changed here is written over.
server_names_hash_bucket_size 512;
server_names_hash_max_size 16384;
# who is to be led to https: not this machine itself, nor whoever asks for a challenge, nor an edge that was asked over https
map "$http_x_forwarded_proto $remote_addr $scheme$uri" $innkeeper_to_https {
  default 0;
  "~^https " 0;
  "~^[a-z]* 127\\.0\\.0\\.1 " 0;
  "~ http/\\.well-known/acme-challenge/" 0;
  "~ http/" 1;
}
include /etc/nginx/innkeeper/generation.conf;
include ${siteFolder}/*.conf;
server {
  listen 80 default_server;${v6('\n  listen [::]:80 default_server;')}
  server_name _;
  access_log off;
  include /etc/nginx/innkeeper/acme.con[f];
  location / { return 444; }
}
server {
  listen 443 ssl http2 default_server;${v6('\n  listen [::]:443 ssl http2 default_server;')}
  server_name _;
  access_log off;
  ssl_protocols TLSv1.2 TLSv1.3;
  ssl_session_cache shared:innkeeper:10m;
  ssl_reject_handshake on;
}
`,
  '/etc/nginx/innkeeper/listen.conf': `listen 80;${v6('\nlisten [::]:80;')}
server_tokens off;
include /etc/nginx/innkeeper/acme.con[f];
`,
  '/etc/nginx/innkeeper/tls.conf': `listen 443 ssl http2;${v6('\nlisten [::]:443 ssl http2;')}
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
  fastcgi_read_timeout 120s;
  fastcgi_buffer_size 64k; # what PHP warns of comes before the header and has to fit in as well
  fastcgi_buffers 8 64k;
  fastcgi_pass $innkeeper_php;
}
`,
})

const v6 = (text: string) => (existsSync('/proc/net/if_inet6') ? text : '')
