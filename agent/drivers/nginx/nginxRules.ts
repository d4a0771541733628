import type { Application } from '@innkeeper/contract/net/originVhosts/applications'
import { ends } from '@innkeeper/contract/net/ownRules/nginxRules'
import { type Directive, readNginx } from '@innkeeper/contract/net/ownRules/nginxText'
import type { Site } from '../webServer/siteFile.ts'
import { applicationOf, ownText } from '../webServer/siteRules.ts'

/** Nobody sees files that begin with a dot, nor a path with dots that a rewrite has made. */
export const hiddenFiles = 'location ~ /\\.(?!well-known/) { deny all; }'
const php = 'include /etc/nginx/innkeeper/php.conf;'

/** How nginx finds a page: own rules first, then those of the application, then PHP. */
export function rulesText(site: Site): string {
  const own = site.rules?.ownRules ?? ''
  const { directives } = readNginx(own)
  const { before, front } = applications[applicationOf(site)]
  const hasFront = directives.some(({ name, args }) => name === 'location' && args.length === 1 && args[0] === '/')
  return `${ownText(guarded(own, directives))}${before.map((line) => `  ${line}\n`).join('')}  ${php}
${hasFront ? '' : `  location / { ${front} }\n`}`
}

/**
 * Own locations that nginx takes before the patterns of PHP would show PHP as text, and hidden files too: they get both
 * patterns within themselves, in their first line.
 */
function guarded(text: string, directives: readonly Directive[]): string {
  const places = all(directives).flatMap(({ name, args, block, body }) => {
    const isTaken = name === 'location' && args.length === 2 && args[0] !== '='
    const isOpen = block && !ends(block) && !block.some((one) => one.name === 'internal')
    return isTaken && isOpen && body !== undefined ? body : []
  })
  return [0, ...places].map((from, i) => text.slice(from, places[i])).join(` ${hiddenFiles} ${php} `)
}

const all = (directives: readonly Directive[]): Directive[] =>
  directives.flatMap((one) => [one, ...all(one.block ?? [])])

const controller = 'try_files $uri $uri/ /index.php?$args;'
const wordpress = [
  'location ~* ^(?:/[^/]+)?/wp-content/(?:uploads|blogs\\.dir)/.*\\.php(?:/|$) { deny all; }',
  'location ~* ^/(?:wp-config(?:-sample)?\\.php|wp-content/debug\\.log)$ { deny all; }',
]

/** `before`: in front of PHP, so that they may close paths of PHP. `front`: where the path is no other. */
const applications: Readonly<Record<Application, { before: readonly string[]; front: string }>> = {
  'front-controller': { before: [], front: controller },
  files: { before: [], front: 'try_files $uri $uri/ =404;' },
  wordpress: { before: wordpress, front: controller },
  'wordpress-names': { before: wordpress, front: controller },
  'wordpress-folders': {
    before: [
      ...wordpress,
      'if (!-e $request_filename) {',
      '  rewrite /wp-admin$ $scheme://$host$request_uri/ permanent;',
      '  rewrite ^/[^/]+(/wp-(?:admin|content|includes)/.*) $1 last;',
      '  rewrite ^/[^/]+(/[^/]+\\.php)$ $1 last;',
      '}',
    ],
    front: controller,
  },
  drupal: {
    before: [
      'location ~* \\.(?:engine|inc|install|module|profile|po|sh|sql|theme|twig|yml)(?:~|\\.bak|\\.orig|\\.save)?$ { deny all; }',
      'location ~* ^/(?:composer\\.(?:json|lock)|web\\.config)$|/private/|/vendor/.*\\.php(?:/|$) { deny all; }',
      'location ~* ^/sites/[^/]+/files/.*\\.php(?:/|$) { deny all; }',
      'location ~ ^(?:/[a-z-]+)?/system/files/|^/sites/[^/]+/files/(?:styles|css|js)/ { try_files $uri /index.php?$query_string; }',
    ],
    front: 'try_files $uri $uri/ /index.php?$query_string;',
  },
  joomla: {
    before: [
      'location ~* ^/(?:images|cache|media|logs|tmp)/.*\\.php(?:/|$) { deny all; }',
      'location ~* ^/(?:configuration\\.php-dist|htaccess\\.txt|web\\.config\\.txt)$ { deny all; }',
      'location ~ ^/api/(?!index\\.php) { try_files $uri /api/index.php?$args; }',
    ],
    front: controller,
  },
  nextcloud: {
    before: [
      'location ~ ^/\\.well-known/(?:carddav|caldav)$ { return 301 /remote.php/dav/; }',
      'location ~ ^/\\.well-known/(?:webfinger|nodeinfo)$ { return 301 /index.php$request_uri; }',
      'location ~ ^/(?:build|tests|config|lib|3rdparty|templates|data)(?:$|/) { return 404; }',
      'location ~ ^/(?:autotest|occ|issue|indie|db_|console) { return 404; }',
      'location ~ ^/remote(?:/|$) { return 301 /remote.php$request_uri; }',
      'location ~ \\.mjs$ { types { text/javascript mjs; } try_files $uri /index.php$request_uri; }',
    ],
    // `/apps/files/` is a page, and also a folder without an index
    front: 'index index.php index.html /index.php$request_uri; try_files $uri $uri/ /index.php$request_uri;',
  },
  mediawiki: {
    before: [
      'location ~ ^(?:/w)?/(?:cache|includes|languages|maintenance|serialized|tests|vendor)/ { deny all; }',
      'location ~ ^(?:/w)?/images/(?:deleted/|.*\\.php(?:/|$)) { deny all; }',
      'location ~ ^/wiki/ { rewrite ^ /index.php last; }',
    ],
    front: controller,
  },
  laravel: {
    before: ['location ~ ^/storage/.*\\.php(?:/|$) { deny all; }'],
    front: 'try_files $uri $uri/ /index.php?$query_string;',
  },
}
