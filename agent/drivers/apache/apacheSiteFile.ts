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
import { httpsFile, logFile, perhaps, tlsFile } from '../webServer/webPaths.ts'
import { fallbackOf, rulesText } from './apacheRules.ts'

const here = { folder: '/etc/apache2/innkeeper', logs: '/var/log/apache2' }

/**
 * Apache takes the first virtual host that matches. Exact names must come before wildcards, and longer wildcards before
 * shorter ones: Apache includes the site files once per round, in this order.
 */
export const rounds = ['exact', 'wild6', 'wild5', 'wild4', 'wild3', 'wild2'] as const
const roundOf = (name: string): (typeof rounds)[number] =>
  name.startsWith('*.') ? (rounds[Math.max(1, 8 - name.split('.').length)] ?? 'wild2') : 'exact'

/** The Apache file of one website. */
export function siteText(site: Site): string {
  const { domain, aliases, redirects = [] } = site
  const hosts = (names: string[], body: (scheme: Scheme) => string) =>
    rounds.map((round) => {
      const its = names.filter((name) => roundOf(name) === round)
      return its.length ? `<IfDefine innkeeper_${round}>\n${both(domain, its, body)}</IfDefine>\n` : ''
    })
  return [
    head(site.state),
    ...hosts([domain, ...aliases], (scheme) => marked(site) + bodyOf(site, scheme)),
    ...hosts(redirects, (scheme) => sentOn(site, scheme)),
  ].join('')
}

type Scheme = 'http' | 'https'

/** The virtual host for http and, if the website has a certificate, for https. */
const both = (domain: string, names: string[], body: (scheme: Scheme) => string) =>
  `${host(80, domain, names, body('http'))}<IfFile "${tlsFile(here, domain)}">
${host(443, domain, names, `  Protocols h2 http/1.1\n  Include ${tlsFile(here, domain)}\n${body('https')}`)}</IfFile>
`

const host = (port: number, domain: string, [first = domain, ...others]: string[], body: string) =>
  `<VirtualHost *:${port}>
  ServerName ${first.startsWith('*') ? 'any-name.invalid' : first}
${[...(first.startsWith('*') ? [first] : []), ...others].map((name) => `  ServerAlias ${name}\n`).join('')}\
  CustomLog ${logFile(here, domain, 'access')} innkeeper env=!innkeeper_answer
  ErrorLog ${logFile(here, domain, 'error')}
  AllowEncodedSlashes NoDecode
  RewriteEngine On
  IncludeOptional ${perhaps(`${here.folder}/acme.conf`)}
${body}</VirtualHost>
`

const marked = (site: Site) => `  RewriteCond "%{REMOTE_ADDR}" "=127.0.0.1"
  RewriteRule "^${markPath.replaceAll('.', '\\.')}$" "-" "[R=200,E=innkeeper_answer:${mark(site)}]"
  RewriteRule "^${markPath.replaceAll('.', '\\.')}$" "-" "[R=404]"
`

function bodyOf(site: Site, scheme: Scheme): string {
  if (site.state === 'active') return serving(site)
  return site.state === 'moved' ? forwarding(site, scheme) : closed(site.state)
}

/** Names that redirect (301) to the website's domain, with the path and query of the request. */
const sentOn = (site: Site, scheme: Scheme) =>
  `${sentBelow(site)
    .map(
      (name) => `  RewriteCond "%{HTTP_HOST} %{THE_REQUEST}" "${patternBelow(name)}(?::\\d+)? ${asAsked.slice(1)}" [NC]
  RewriteRule "^" "${scheme}://%1.${site.domain}%2" "[R=301,L,NE]"
`,
    )
    .join('')}  RewriteCond "%{THE_REQUEST}" "${asAsked}"
  RewriteRule "^" "${scheme}://${site.domain}%1" "[R=301,L,NE]"
`
/** The undecoded path in the request line; Apache appends the query by itself. */
export const asAsked = '^\\S+ (?:https?://[^/ ]*)?(/[^? ]*)'

/** Apache does not read `.htaccess`: a handler or an expression there could reach other accounts, see decision 0027. */
const serving = (site: Site) => `
  IncludeOptional ${perhaps(httpsFile(here, site.domain))}
  DocumentRoot ${site.root}
  LimitRequestBody ${bodyMb(site) * 1_048_576}
  ProxyTimeout 120
${site.noindex ? hidden : ''}  <Directory "${site.root}">
    Require all granted
    CGIPassAuth On
    DirectoryIndex index.php index.html
    FallbackResource ${fallbackOf(site)}
  </Directory>
${rulesText(site)}  <LocationMatch "/\\.(?!well-known/)">
    Require all denied
  </LocationMatch>
  <FilesMatch "\\.php$">
    SetHandler "proxy:unix:${socketOf(poolOf(site))}|fcgi://localhost"
  </FilesMatch>
`

/** Keeps search engines away from a staging copy. A password page would keep testers away too. */
const hidden = `  Header always set X-Robots-Tag "noindex, nofollow"
  Alias "/robots.txt" "${places.pages}/robots.txt"
`

const closed = (state: Exclude<State, 'active' | 'moved'>) => `
  Alias "/innkeeper-${state}.html" "${places.pages}/${state}.html"
  ErrorDocument 503 /innkeeper-${state}.html
  Header always set Retry-After ${retryAfter[state]}
  Header always set Cache-Control no-store
  RewriteCond "%{ENV:REDIRECT_STATUS}" "!=503"
  RewriteRule "^" "-" "[R=503]"
`

/**
 * Forwards requests to the new server for visitors whose DNS still resolves to this one. The new server alone limits
 * bodies: its plan may change meanwhile.
 */
const forwarding = (site: Site, scheme: Scheme) => `
  LimitRequestBody 0
  MergeSlashes Off
  SSLProxyEngine On
  SSLProxyVerify none
  SSLProxyCheckPeerName off
  SSLProxyCheckPeerExpire off
  ProxyPreserveHost On
  ProxyTimeout 300
  # an edge asks over http for who came to it over https
  RequestHeader set X-Forwarded-Proto ${scheme} "expr=%{HTTP:X-Forwarded-Proto} != 'https'"
  ProxyPass "/" "${scheme}://${movedTo(site)}/" nocanon retry=0 upgrade=websocket
`
