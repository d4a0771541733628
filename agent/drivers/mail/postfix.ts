import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, lstat, readdir } from 'node:fs/promises'
import { hostname, networkInterfaces } from 'node:os'
import { dirname } from 'node:path'
import { absent, converse, ensureBase, ensureDirectory, must, read, replace } from '../../kit/host.ts'
import { accountOf } from '../accounts/systemAccounts.ts'
import { closeDoor } from './mailDoor.ts'
import { heldTransport, mapNames, NO_SENDER, readDomains, reportTransport } from './mailFiles.ts'
import { filterSocket } from './mailFilter.ts'
import { countedPort, forwardedPort, limitState, srsSecret } from './mailHand.ts'
import { accountLimits, limitProgram, limitText, stoppedUsers } from './mailLimit.ts'
import { mapFolder, mapMode, strangersFile, trustedFile, writeMaps } from './mailMaps.ts'
import { reloadPostfix } from './mailReload.ts'
import { postmap, removeHalf } from './postmap.ts'

/** Certificates by name of the mail host. */
export const sniFile = `${mapFolder}/certificates`
/** The log of Postfix, which traces read. */
export const mailLog = '/var/log/innkeeper-mail.log'
const signedIn =
  'smtpd_sasl_auth_enable=yes -o smtpd_client_restrictions=permit_sasl_authenticated,reject' +
  ' -o smtpd_end_of_data_restrictions=check_policy_service,unix:private/innkeeper-limit'
/** Options of the ports that take mail of this server again: the mail was accepted before. */
const again =
  '-o smtpd_client_restrictions=permit_mynetworks,reject -o smtpd_recipient_restrictions= -o smtpd_sender_restrictions=' +
  ' -o smtpd_tls_security_level=none -o receive_override_options=no_unknown_recipient_checks'
const limit = `/usr/bin/perl ${limitProgram}`
/**
 * Services of master.cf: mail programs send on two ports; mail of the sendmail program and forwarded mail pass through
 * our program, which hands both on to a port of loopback.
 */
const masters = {
  'submission/inet': `submission inet n - y - - smtpd -o syslog_name=postfix/submission -o smtpd_tls_security_level=encrypt -o ${signedIn}`,
  'submissions/inet': `submissions inet n - y - - smtpd -o syslog_name=postfix/submissions -o smtpd_tls_wrappermode=yes -o ${signedIn}`,
  [`${heldTransport}/unix`]: `${heldTransport} unix - - n - - smtp`,
  'innkeeper-limit/unix': `innkeeper-limit unix - n n - 100 spawn user=nobody argv=${limit}`,
  'innkeeper-quota/unix': `innkeeper-quota unix - n n - 100 spawn user=nobody argv=${limit} quota`,
  'innkeeper-srs/unix': `innkeeper-srs unix - n n - 100 spawn user=nobody argv=${limit} srs`,
  'innkeeper-count/unix': `innkeeper-count unix - n n - 10 pipe null_sender= user=nobody argv=${limit} count $\{queue_id} $\{sender} $\{recipient}`,
  'innkeeper-forward/unix': `innkeeper-forward unix - n n - 10 pipe null_sender= user=nobody argv=${limit} forward $\{sender} $\{original_recipient} $\{recipient} user=$\{sasl_username} client=$\{client_address}`,
  [`${reportTransport}/unix`]: `${reportTransport} unix - n n - 2 pipe size=2097152 user=nobody argv=${limit} report $\{recipient}`,
  [`127.0.0.1:${countedPort}/inet`]: `127.0.0.1:${countedPort} inet n - y - - smtpd -o syslog_name=postfix/counted ${again}`,
  [`127.0.0.1:${forwardedPort}/inet`]: `127.0.0.1:${forwardedPort} inet n - y - - smtpd -o syslog_name=postfix/forwarded -o content_filter=smtp: -o smtpd_milters= ${again},no_address_mappings,no_milters`,
  'pickup/unix':
    'pickup unix n - y 60 1 pickup -o content_filter=innkeeper-count: -o receive_override_options=no_address_mappings,no_milters',
}

const settings = '/etc/postfix/main.cf'

/** Postfix: delivers mail for its own domains to Dovecot, and relays for others only after authentication. */
export const postfix = ensureBase<'postfix.ensure'>(() => ({
  title: 'Postfix',
  unit: 'postfix',
  shares: 'mail',
  pidFile: '/var/spool/postfix/pid/master.pid',
  process: 'postfix@-', // postfix.service is always active, even when this instance is not
  program: '/usr/sbin/postfix',
  files: { [settings]: { text: config(hostname(), existsSync('/usr/bin/rspamd')) } },
  take: readAgain,
  judge: ['postfix', 'check'],
  prepare: makeReady,
  probe: relaysForNobody,
}))

/**
 * A restart ends deliveries whose answer is on its way: they are repeated, and the message is doubled. Only for other addresses
 * to listen on does Postfix need one.
 */
async function readAgain(before: ReadonlyMap<string, string | undefined>): Promise<boolean> {
  const listening = (text = '') => text.match(/^inet_(interfaces|protocols) *=.*$/gm)?.join('\n')
  if (listening(before.get(settings)) !== listening(await read(settings))) return false
  await reloadPostfix()
  return true
}

async function makeReady(): Promise<boolean> {
  await ensureDirectory(mapFolder)
  for (const map of mapNames.map((name) => `${mapFolder}/${name}`)) {
    if ((await read(map)) === undefined) await replace(map, '', await mapMode())
    if (!existsSync(`${map}.db`)) await postmap(map)
  }
  if ((await read(trustedFile)) === undefined) await replace(trustedFile, '')
  if ((await read(sniFile)) === undefined) await replace(sniFile, '', { mode: 0o600 })
  if (!existsSync(`${sniFile}.db`)) await postmap(sniFile, '-F')
  if (!existsSync('/etc/aliases.db')) {
    await removeHalf('/etc/aliases')
    await must(['newaliases'])
  }
  await ensureDirectory(dirname(limitProgram))
  await replace(limitProgram, limitText)
  // an older agent wrote fewer maps
  await writeMaps(await readDomains())
  for (const [file, text] of Object.entries(patterns)) await replace(`${mapFolder}/${file}`, text)
  await replace(accountLimits, (await read(accountLimits)) ?? '', await mapMode())
  if ((await read(stoppedUsers)) === undefined) await replace(stoppedUsers, '') // sendmail reads it as its caller
  await closeLogs()
  await closeDoor()
  const nobody = await accountOf('nobody')
  if (nobody) await ensureDirectory(limitState, { mode: 0o700, owner: nobody })
  if (nobody && (await read(srsSecret)) === undefined)
    await replace(srsSecret, randomBytes(32).toString('base64'), { mode: 0o600, owner: nobody })
  await replace('/etc/logrotate.d/innkeeper-mail', rotation)
  const words = (text: string) => text.trim().split(/\s+/).join(' ')
  let changed = false
  for (const [name, line] of Object.entries(masters)) {
    if (words(await must(['postconf', '-M', name])) === line) continue
    await must(['postconf', '-M', `${name}=${line}`])
    changed = true
  }
  return changed
}

/** The log names senders and recipients of all domains: Postfix would let every account of the server read it. */
async function closeLogs(): Promise<void> {
  if ((await lstat(mailLog).catch(absent)) === undefined) await replace(mailLog, '', { mode: 0o640 })
  const folder = dirname(mailLog)
  for (const name of await readdir(folder))
    if (`${folder}/${name}`.startsWith(mailLog)) await chmod(`${folder}/${name}`, 0o640)
}

const patterns = { srs: '/^(SRS[01][=+-].*@.*)$/ $1\n' }

/** Ten days without compression, which a search would have to undo. */
const rotation = `# Written by Innkeeper. Changes are overwritten.
${mailLog} {
  daily
  rotate 10
  missingok
  notifempty
  copytruncate
  nocompress
}
`

/** Checks that Postfix is no open relay: connects from the server's outward address, which Postfix does not trust. */
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
  if (!/^[45]/.test(sender) && !/^[45]/.test(recipient))
    throw new Error(`Postfix relays mail for strangers: ${recipient}`)
  return `port 25 greets, and answers a stranger: ${recipient.slice(0, 80)}`
}

const config = (name: string, withFilter: boolean) => `# Written by Innkeeper. Changes are overwritten.
compatibility_level = 3.6
myhostname = ${name}
smtpd_banner = $myhostname ESMTP
mydestination = localhost
mynetworks = 127.0.0.0/8 [::1]/128
inet_interfaces = all
inet_protocols = all
alias_maps = hash:/etc/aliases
alias_database = hash:/etc/aliases
virtual_mailbox_domains = hash:${mapFolder}/domains
virtual_mailbox_maps = hash:${mapFolder}/mailboxes
virtual_alias_maps = hash:${mapFolder}/aliases
relay_domains = hash:${mapFolder}/relays
relay_recipient_maps = hash:${mapFolder}/relayed
transport_maps = hash:${mapFolder}/transports
defer_transports = ${heldTransport}
unverified_recipient_reject_code = 550
address_verify_negative_refresh_time = 1m
address_verify_negative_expire_time = 10m
virtual_transport = lmtp:unix:private/dovecot-lmtp
smtpd_relay_restrictions = check_recipient_access hash:${mapFolder}/shifting, permit_mynetworks, permit_sasl_authenticated, reject_unauth_destination
smtpd_sender_login_maps = hash:${mapFolder}/logins
smtpd_sender_restrictions = check_sasl_access hash:${mapFolder}/senders, reject_authenticated_sender_login_mismatch
smtpd_recipient_restrictions = check_recipient_access hash:${mapFolder}/recipients, check_policy_service unix:private/innkeeper-quota
smtpd_end_of_data_restrictions = check_policy_service unix:private/innkeeper-limit, check_policy_service unix:private/innkeeper-quota
smtpd_policy_service_default_action = DUNNO
authorized_submit_users = !${stoppedUsers}, static:anyone
${reportTransport}_destination_recipient_limit = 1
innkeeper-count_destination_recipient_limit = 1
innkeeper-forward_destination_recipient_limit = 1
sender_dependent_default_transport_maps = regexp:${strangersFile}
empty_address_default_transport_maps_lookup_key = ${NO_SENDER}
recipient_canonical_maps = pipemap:{regexp:${mapFolder}/srs, socketmap:unix:private/innkeeper-srs:srs}
recipient_canonical_classes = envelope_recipient
maillog_file = ${mailLog}
enable_long_queue_ids = yes
smtpd_helo_required = yes
disable_vrfy_command = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = private/auth
smtpd_tls_auth_only = yes
smtpd_tls_security_level = may
smtpd_tls_mandatory_protocols = >=TLSv1.2
smtpd_tls_cert_file = /etc/ssl/certs/ssl-cert-snakeoil.pem
smtpd_tls_key_file = /etc/ssl/private/ssl-cert-snakeoil.key
tls_server_sni_maps = hash:${sniFile}
smtp_tls_security_level = may
smtp_tls_CApath = /etc/ssl/certs
smtputf8_enable = no
message_size_limit = 52428800
mailbox_size_limit = 0
recipient_delimiter = +
biff = no
append_dot_mydomain = no
allow_percent_hack = no
swap_bangpath = no
${withFilter ? filter : ''}`

const filter = `smtpd_milters = unix:${filterSocket}
non_smtpd_milters = unix:${filterSocket}
smtpd_milter_maps = cidr:${trustedFile}
milter_default_action = accept
milter_protocol = 6
`
