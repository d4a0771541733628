import { X509Certificate } from 'node:crypto'
import { mtaStsLines, mtaStsPath } from '@innkeeper/contract/net/mailboxes/mtaSts'
import type { Context } from '../../kit/driver.ts'
import { ensureDirectory, probe, read } from '../../kit/host.ts'
import type { Changes } from '../webServer/webConfig.ts'
import { mailFile } from '../webServer/webPaths.ts'
import { webServerHere } from '../webServer/webServers.ts'
import { outlookText, settingsPaths, settingsText } from './mailSettings.ts'

/** A mail domain with the file of key and chain of its mail host, if it has one. */
interface Announced {
  domain: string
  pem?: string | undefined
}
const outlookPath = '/autodiscover/autodiscover.xml'
/** Loopback port that answers Outlook's requests; nginx has read the address from the request body. */
const outlookPort = 4476
const written = '# Written by Innkeeper. Changes are overwritten.\n'

/**
 * Publishes the settings of all mail domains for mail programs, through this server's web server. If the web server
 * refuses the configuration, mail still works: the log reports it, and the next change of a mail domain tries again.
 */
export async function announce(
  { say, fence }: Pick<Context<'mail-domain.ensure'>, 'say' | 'fence'>,
  all: readonly Announced[],
): Promise<void> {
  const web = webServerHere()
  if ((await read(web.main)) === undefined)
    return all.length ? say('no web server is set up here: mail programs do not find their settings') : undefined
  const there = await Promise.all(all.map(async (one) => ({ ...one, secure: await coveredBy(one) })))
  const changes: Changes =
    web.name === 'nginx'
      ? { [mailFile(web)]: there.length ? nginxText(there) : undefined }
      : {
          [mailFile(web)]: there.length ? apacheText(there, web.folder) : undefined,
          ...Object.fromEntries(all.map(({ domain }) => [fileOf(web.folder, domain), settingsText(domain)])),
          ...Object.fromEntries(
            all.map(({ domain }) => [policyFile(web.folder, domain), `${mtaStsLines(domain).join('\n')}\n`]),
          ),
        }
  if (web.name === 'apache') await ensureDirectory(`${web.folder}/mail`)
  // the shared files of an older agent do not read ours
  await web
    .apply({ say, fence }, () => ({ ...web.base(), ...changes }), { check: () => answers(all[0]?.domain) })
    .catch((error: unknown) => {
      say(`mail programs do not find changed settings: ${error instanceof Error ? error.message : error}`)
    })
}

const namesOf = (domain: string) => ['autoconfig', 'autodiscover', 'mail', 'mta-sts'].map((name) => `${name}.${domain}`)

/** The names that the certificate of the mail host covers; https under other names would only cause warnings. */
async function coveredBy({ domain, pem }: Announced): Promise<string[]> {
  const [chain] = ((pem && (await read(pem))) || '').match(/-----BEGIN CERTIFICATE-----[\s\S]*/) ?? []
  if (!chain) return []
  const certificate = new X509Certificate(chain)
  return namesOf(domain).filter((name) => certificate.checkHost(name) !== undefined)
}

async function answers(domain: string | undefined): Promise<void> {
  if (!domain) return
  const { status, text } = await probe('127.0.0.1', 80, `autoconfig.${domain}`, settingsPaths[0])
  if (status !== 200 || !text.includes(`<hostname>mail.${domain}<`))
    throw new Error(`autoconfig.${domain} answers ${status} instead of the settings`)
}

type Served = Announced & { secure: string[] }

/** A website of one of these names takes precedence, because nginx reads its file first. */
const nginxText = (all: readonly Served[]) => `${written}map $request_body $innkeeper_mail_login {
  default "";
  "~<EMailAddress>\\s*(?<innkeeper_mail_address>[A-Za-z0-9._%+='-]+@[A-Za-z0-9.-]+)\\s*</EMailAddress>" $innkeeper_mail_address;
}
server {
  listen 127.0.0.1:${outlookPort};
  access_log off;
  default_type text/xml;
  if ($http_x_innkeeper_login = "") { return 400; }
  return 200 '${outlookText('$http_x_innkeeper_mail_host', '$http_x_innkeeper_login')}';
}
${all.map(nginxServers).join('')}`

function nginxServers({ domain, pem, secure }: Served): string {
  const settings = settingsPaths
    .map((path) => `  location = ${path} { default_type text/xml; return 200 '${settingsText(domain)}'; }\n`)
    .join('')
  const policy = `  location = ${mtaStsPath} { default_type text/plain; return 200 "${mtaStsLines(domain).join('\\n')}\\n"; }\n`
  // without a certificate of its own name, Outlook is led to the mail host, as it expects
  const host = secure.includes(`autodiscover.${domain}`) ? `autodiscover.${domain}` : `mail.${domain}`
  const led = secure.length
    ? `  location ~* ^${outlookPath.replace('.', '\\.')}$ { return 302 https://${host}${outlookPath}; }\n`
    : ''
  const server = (listen: string, names: readonly string[], more: string) => `server {
${listen}  server_name ${names.join(' ')};
  access_log off;
${settings}${more}  location / { return 404; }
}
`
  const plain = server('  include /etc/nginx/innkeeper/listen.conf;\n', namesOf(domain), led)
  if (!secure.length) return plain
  const posted = `  location ~* ^${outlookPath.replace('.', '\\.')}$ {
    client_max_body_size 64k;
    client_body_buffer_size 64k;
    proxy_pass http://127.0.0.1:${outlookPort};
    proxy_pass_request_body off;
    proxy_pass_request_headers off;
    proxy_set_header Content-Length "";
    proxy_set_header X-Innkeeper-Mail-Host mail.${domain};
    proxy_set_header X-Innkeeper-Login $innkeeper_mail_login;
  }
`
  const tls = `  include /etc/nginx/innkeeper/tls.conf;\n  ssl_certificate ${pem};\n  ssl_certificate_key ${pem};\n`
  return plain + server(tls, secure, policy + posted)
}

const policyFile = (folder: string, domain: string) => `${folder}/mail/${domain}.txt`
const fileOf = (folder: string, domain: string) => `${folder}/mail/${domain}.xml`

/**
 * Virtual hosts of Apache for the settings of mail programs. Outlook gets no answer: Apache cannot read the address that
 * Outlook posts, and a wrong user name is worse than none.
 */
function apacheText(all: readonly Served[], folder: string): string {
  const hosts = all.flatMap(({ domain, pem, secure }) => {
    const host = (port: number, names: readonly string[], more: string) => `<VirtualHost *:${port}>
  ServerName ${names[0]}
${names
  .slice(1)
  .map((name) => `  ServerAlias ${name}\n`)
  .join('')}  CustomLog /dev/null innkeeper
${more}${settingsPaths.map((path) => `  Alias "${path}" "${fileOf(folder, domain)}"\n`).join('')}</VirtualHost>
`
    const tls = `  SSLEngine On\n  SSLCertificateFile ${pem}\n  SSLCertificateKeyFile ${pem}\n  Alias "${mtaStsPath}" "${policyFile(folder, domain)}"\n`
    return [host(80, namesOf(domain), ''), ...(secure.length ? [host(443, secure, tls)] : [])]
  })
  return `${written}<Directory "${folder}/mail">
  Require all granted
  ForceType text/xml
  <Files "*.txt">
    ForceType text/plain
  </Files>
</Directory>
${hosts.join('')}`
}
