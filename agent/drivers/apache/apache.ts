import { places } from '../../kit/host.ts'
import { noProxies, proxiesHead } from '../webServer/proxiesText.ts'
import { forgeable, forwarded } from '../webServer/visitor.ts'
import type { Changes } from '../webServer/webConfig.ts'
import { generationFile, mailFile, perhaps, proxiesFile, sitesOf } from '../webServer/webPaths.ts'
import type { WebServer } from '../webServer/webServer.ts'
import { apacheConfig, complaint } from './apacheConfig.ts'
import { asAsked, rounds, siteText } from './apacheSiteFile.ts'

const folder = '/etc/apache2/innkeeper'
const main = '/etc/apache2/conf-enabled/innkeeper.conf'
/** Apache reads this file after Debian's security.conf, whose values it overrides. */
const late = '/etc/apache2/conf-enabled/zz-innkeeper.conf'
const modules = [
  'ssl',
  'socache_shmcb',
  'http2',
  'proxy',
  'proxy_fcgi',
  'proxy_http',
  'rewrite',
  'headers',
  'setenvif',
  'remoteip',
]

/** The page of Apache's own 503 when the backend cannot be reached; an application's 503 has another text. */
const unreached = 'What serves this website does not answer at the moment.'
const written = '# Written by Innkeeper. Changes are overwritten.\n'

/** Without an address, mod_remoteip would trust everybody: then the directive is left out. */
const proxiesText = (addresses: readonly string[]) =>
  [
    proxiesHead(addresses),
    ...(addresses.length ? ['RemoteIPHeader X-Forwarded-For\n'] : []),
    ...addresses.map(
      (address) => `RemoteIPInternalProxy ${address}
SetEnvIfExpr "%{CONN_REMOTE_ADDR} -ipmatch '${address}'" innkeeper_proxy=1
`,
    ),
  ].join('')

const base = (): Changes => ({
  ...noProxies(proxiesFile({ folder }), proxiesText),
  [main]: `${written}${modules.map(loaded).join('')}
ServerName localhost
UseCanonicalName Off
# h2 where there is a certificate; here it would be offered in each answer, and what asks for a visitor over HTTP/2 may not pass that on
Protocols http/1.1
SSLProtocol -all +TLSv1.2 +TLSv1.3
SSLSessionTickets Off
RequestHeader unset Proxy early
IncludeOptional ${perhaps(proxiesFile({ folder }))}
# headers about the visitor count from trusted proxies alone
SetEnvIfExpr "reqenv('innkeeper_proxy') == '1' && req_novary('X-Forwarded-Proto') == 'https'" HTTPS=on
${forwarded.map((name) => `RequestHeader unset ${name} env=!innkeeper_proxy\n`).join('')}RequestHeader set X-Forwarded-For "expr=%{REMOTE_ADDR}" env=innkeeper_proxy
RequestHeader set X-Real-IP "expr=%{REMOTE_ADDR}" env=innkeeper_proxy
${forgeable.map((name) => `RequestHeader unset ${name}\n`).join('')}# as nginx writes it
LogFormat "%a - %u %t \\"%r\\" %>s %B \\"%{Referer}i\\" \\"%{User-Agent}i\\"" innkeeper
# a rule with R=200 answers this text
ErrorDocument 200 "%{reqenv:innkeeper_answer}"
ErrorDocument 421 " "
ErrorDocument 503 "${unreached}"
<Directory "/home">
  AllowOverride None
  Options SymLinksIfOwnerMatch
</Directory>
<Directory "${places.pages}">
  Require all granted
</Directory>
IncludeOptional ${perhaps(generationFile({ folder }))}
<VirtualHost *:80>
  ServerName unknown.invalid
  CustomLog /dev/null innkeeper
  RewriteEngine On
  IncludeOptional ${folder}/acme.con[f]
  RewriteRule "^" "-" "[R=421]"
</VirtualHost>
# whom no website is shown to: Apache wants a certificate here, and no client has the cipher to see it with
<VirtualHost *:443>
  ServerName unknown.invalid
  CustomLog /dev/null innkeeper
  SSLEngine On
  SSLCertificateFile /etc/ssl/certs/ssl-cert-snakeoil.pem
  SSLCertificateKeyFile /etc/ssl/private/ssl-cert-snakeoil.key
  SSLProtocol TLSv1.2
  SSLCipherSuite PSK-AES128-GCM-SHA256
</VirtualHost>
${rounds.map(round).join('')}IncludeOptional ${perhaps(mailFile({ folder }))}
`,
  [late]: `${written}ServerTokens Prod
ServerSignature Off
TraceEnable Off
`,
})

/** Debian loads a module by its own symlink if there is one; ports.conf then listens for ssl. */
const loaded = (name: string) => `<IfModule !${name}_module>
  LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so
${name === 'ssl' ? '  Listen 443\n  SSLSessionCache shmcb:/run/apache2/innkeeper_ssl(512000)\n' : ''}</IfModule>
`
const round = (name: string) => `Define innkeeper_${name}
IncludeOptional ${sitesOf({ folder })}/*.conf
UnDefine innkeeper_${name}
`

/** Apache 2.4 with the event MPM and php-fpm, configured to behave as nginx does. */
export const apache: WebServer = {
  ...apacheConfig,
  name: 'apache',
  title: 'Apache',
  unit: 'apache2',
  program: '/usr/sbin/apache2',
  placeholder: '/etc/apache2/sites-enabled/000-default.conf',
  folder,
  main,
  logs: '/var/log/apache2',
  base,
  proxiesText,
  refusal: 421,
  refusesNames: () => true,
  siteText,
  check: { command: ['apache2ctl', '-t'], complaint },
  tlsText: (keys) => `${written}SSLEngine On
SSLCertificateFile ${keys}/chain.pem
SSLCertificateKeyFile ${keys}/key.pem
`,
  httpsText({ redirect, hsts }) {
    const turn = [
      // Do not redirect requests of this machine, https requests through an edge, or ACME challenges.
      ...(redirect
        ? [
            'RewriteCond "%{HTTPS}" "!=on"',
            'RewriteCond "%{ENV:HTTPS}" "!=on"',
            'RewriteCond "%{CONN_REMOTE_ADDR}" "!=127.0.0.1"',
            `RewriteCond "%{THE_REQUEST}" "${asAsked}"`,
            'RewriteRule "^" "https://%{SERVER_NAME}%1" "[R=301,L,NE]"',
          ]
        : []),
      ...(hsts ? [`Header always set Strict-Transport-Security "max-age=${hsts}"`] : []),
    ]
    return turn.length ? `${turn.join('\n')}\n` : undefined
  },
  acmeText: (thumbprint) => `${written}RewriteRule \
"^/\\.well-known/acme-challenge/([A-Za-z0-9_-]{1,200})$" "-" "[R=200,E=innkeeper_answer:$1.${thumbprint}]"
RewriteRule "^/\\.well-known/acme-challenge/" "-" "[R=404]"
`,
  isGateway: (status, text) => status === 502 || (status === 503 && text === unreached),
}
