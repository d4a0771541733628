import type { Application } from '@innkeeper/contract/net/originVhosts/applications'
import type { Site } from '../webServer/siteFile.ts'
import { applicationOf, ownText } from '../webServer/siteRules.ts'

/** What answers where no file is. */
export const fallbackOf = (site: Site): string => (applicationOf(site) === 'files' ? 'disabled' : '/index.php')

/** Own rules, then those of the application. Of equal sections Apache takes the last: nobody opens what an application closes. */
export const rulesText = (site: Site): string =>
  `${ownText(site.rules?.ownRules ?? '')}${(applications[applicationOf(site)] ?? []).map((line) => `  ${line}\n`).join('')}`

const closed = (pattern: string) => [`<LocationMatch "${pattern}">`, '  Require all denied', '</LocationMatch>']
const wordpress = [
  ...closed('(?i)^(?:/[^/]+)?/wp-content/(?:uploads|blogs\\.dir)/.*\\.php(?:/|$)'),
  ...closed('(?i)^/(?:wp-config(?:-sample)?\\.php|wp-content/debug\\.log)$'),
]
const noFile = [
  'RewriteCond "%{DOCUMENT_ROOT}%{REQUEST_URI}" "!-f"',
  'RewriteCond "%{DOCUMENT_ROOT}%{REQUEST_URI}" "!-d"',
]

/** The same as nginx has, see nginxRules.ts. */
const applications: Readonly<Partial<Record<Application, readonly string[]>>> = {
  wordpress,
  'wordpress-names': wordpress,
  'wordpress-folders': [
    ...wordpress,
    ...noFile,
    'RewriteRule "/wp-admin$" "%{REQUEST_URI}/" "[R=301,L]"',
    ...noFile,
    'RewriteRule "^/[^/]+(/wp-(?:admin|content|includes)/.*)" "$1" "[PT,L]"',
    ...noFile,
    'RewriteRule "^/[^/]+(/[^/]+\\.php)$" "$1" "[PT,L]"',
  ],
  drupal: [
    ...closed('(?i)\\.(?:engine|inc|install|module|profile|po|sh|sql|theme|twig|yml)(?:~|\\.bak|\\.orig|\\.save)?$'),
    ...closed('(?i)^/(?:composer\\.(?:json|lock)|web\\.config)$|/private/|/vendor/.*\\.php(?:/|$)'),
    ...closed('(?i)^/sites/[^/]+/files/.*\\.php(?:/|$)'),
  ],
  joomla: [
    ...closed('(?i)^/(?:images|cache|media|logs|tmp)/.*\\.php(?:/|$)'),
    ...closed('(?i)^/(?:configuration\\.php-dist|htaccess\\.txt|web\\.config\\.txt)$'),
    '<Location "/api">',
    '  FallbackResource /api/index.php',
    '</Location>',
  ],
  nextcloud: [
    'RewriteRule "^/\\.well-known/(?:carddav|caldav)$" "/remote.php/dav/" "[R=301,L]"',
    'RewriteRule "^/\\.well-known/(?:webfinger|nodeinfo)$" "/index.php%{REQUEST_URI}" "[R=301,L]"',
    'RewriteRule "^/(?:build|tests|config|lib|3rdparty|templates|data)(?:$|/)" "-" "[R=404,L]"',
    'RewriteRule "^/(?:autotest|occ|issue|indie|db_|console)" "-" "[R=404,L]"',
    'RewriteRule "^/remote(?:/|$)" "/remote.php%{REQUEST_URI}" "[R=301,L]"',
    'AddType text/javascript .mjs',
  ],
  mediawiki: [
    ...closed('^(?:/w)?/(?:cache|includes|languages|maintenance|serialized|tests|vendor)/'),
    ...closed('^(?:/w)?/images/(?:deleted/|.*\\.php(?:/|$))'),
    'RewriteRule "^/wiki/" "/index.php" "[PT,L]"',
  ],
  laravel: closed('^/storage/.*\\.php(?:/|$)'),
}
