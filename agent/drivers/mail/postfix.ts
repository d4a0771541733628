import { existsSync } from 'node:fs'
import { hostname, networkInterfaces } from 'node:os'
import { converse, ensureBase, ensureDirectory, must, read, replace } from '../../kit/host.ts'

const folder = '/etc/postfix/innkeeper'
/** Domains, mailboxes and aliases of this server. Empty at first; the mailbox drivers write them. */
export const mailMaps = ['domains', 'mailboxes', 'aliases'].map((name) => `${folder}/${name}`)
const submission =
  'submission inet n - y - - smtpd -o syslog_name=postfix/submission -o smtpd_tls_security_level=encrypt' +
  ' -o smtpd_sasl_auth_enable=yes -o smtpd_client_restrictions=permit_sasl_authenticated,reject'

/** Postfix: delivers mail for its own domains to Dovecot, and relays for others only after authentication. */
export const postfix = ensureBase<'postfix.ensure'>(() => ({
  title: 'Postfix',
  unit: 'postfix',
  process: 'postfix@-', // postfix.service is always active, even when this instance is not
  program: '/usr/sbin/postfix',
  files: { '/etc/postfix/main.cf': { text: config(hostname()) } },
  judge: ['postfix', 'check'],
  prepare: makeReady,
  probe: relaysForNobody,
}))

async function makeReady(): Promise<boolean> {
  await ensureDirectory(folder)
  for (const map of mailMaps) {
    if ((await read(map)) === undefined) await replace(map, '')
    if (!existsSync(`${map}.db`)) await must(['postmap', map])
  }
  if (!existsSync('/etc/aliases.db')) await must(['newaliases'])
  const words = (text: string) => text.trim().split(/\s+/).join(' ')
  if (words(await must(['postconf', '-M', 'submission/inet'])) === submission) return false
  await must(['postconf', '-M', `submission/inet=${submission}`])
  return true
}

/** Connects from the server's outward address, which Postfix does not trust. */
async function relaysForNobody(): Promise<string> {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  const outward = all.find(({ internal, family }) => !internal && family === 'IPv4')?.address
  if (!outward) throw new Error('this server has no address besides loopback')
  const until = /^\d{3} .*\r\n$/m
  const heard = await converse(outward, 25, [
    { until },
    { say: 'EHLO innkeeper.invalid', until },
    { say: 'MAIL FROM:<probe@innkeeper.invalid>', until },
    { say: 'RCPT TO:<probe@elsewhere.invalid>', until },
    { say: 'QUIT', until },
  ])
  const [greeting = '', , sender = '', recipient = ''] = heard
  if (!greeting.startsWith('220 ')) throw new Error(`port 25 greets with ${greeting}`)
  // Postfix may refuse the sender already; a refused sender reaches no recipient
  if (!/^[45]/.test(sender) && !/^[45]/.test(recipient)) throw new Error(`it relays for strangers: ${recipient}`)
  return `port 25 greets, and answers a stranger: ${recipient.slice(0, 80)}`
}

const config = (name: string) => `# Written by Innkeeper; what is changed here is written over.
compatibility_level = 3.6
myhostname = ${name}
smtpd_banner = $myhostname ESMTP
mydestination = localhost
mynetworks = 127.0.0.0/8 [::1]/128
inet_interfaces = all
inet_protocols = all
alias_maps = hash:/etc/aliases
alias_database = hash:/etc/aliases
virtual_mailbox_domains = hash:${folder}/domains
virtual_mailbox_maps = hash:${folder}/mailboxes
virtual_alias_maps = hash:${folder}/aliases
virtual_transport = lmtp:unix:private/dovecot-lmtp
smtpd_relay_restrictions = permit_mynetworks, permit_sasl_authenticated, reject_unauth_destination
smtpd_helo_required = yes
disable_vrfy_command = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = private/auth
smtpd_tls_auth_only = yes
smtpd_tls_security_level = may
smtpd_tls_cert_file = /etc/ssl/certs/ssl-cert-snakeoil.pem
smtpd_tls_key_file = /etc/ssl/private/ssl-cert-snakeoil.key
smtp_tls_security_level = may
smtp_tls_CApath = /etc/ssl/certs
smtputf8_enable = no
message_size_limit = 52428800
mailbox_size_limit = 0
recipient_delimiter = +
biff = no
append_dot_mydomain = no
`
