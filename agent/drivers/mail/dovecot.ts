import { existsSync } from 'node:fs'
import { converse, ensureBase, ensureDirectory, must, replace } from '../../kit/host.ts'
import { accountOf, groupId } from '../accounts/systemAccounts.ts'
import {
  dovecotFolder,
  hostCertificates,
  mailHome,
  movedFile,
  movedText,
  nobodyFile,
  passwordFolders,
  readDomains,
} from './mailFiles.ts'
import { quotaSocket } from './mailFull.ts'
import { reloadDovecot } from './mailReload.ts'
import { junkFile } from './mailReply.ts'

/** Dovecot: virtual mailboxes in the folder of one account, authentication and delivery for Postfix. */
export const dovecot = ensureBase<'dovecot.ensure'>(() => ({
  title: 'Dovecot',
  unit: 'dovecot',
  shares: 'mail',
  program: '/usr/sbin/dovecot',
  files: {
    '/etc/dovecot/dovecot.conf': {
      text: config(existsSync('/var/spool/postfix/private'), existsSync(`${modules}/lib90_sieve_plugin.so`)),
    },
  },
  take: readAgain,
  judge: ['doveconf', '-n'],
  prepare: makeReady,
  probe: refusesStrangers,
}))

/** A restart ends deliveries whose answer is on its way: Postfix repeats them, and the message is doubled. */
async function readAgain(): Promise<boolean> {
  await reloadDovecot()
  return true
}

/** Mail programs recognise these folders by their flags, whatever the language. */
const specialFolders = ['Sent', 'Drafts', 'Trash', 'Junk'] as const
const modules = '/usr/lib/dovecot/modules'

async function makeReady(): Promise<boolean> {
  if (!(await accountOf('vmail')))
    await must([
      'useradd',
      '--system',
      '--no-create-home',
      '--home-dir',
      mailHome,
      '--shell',
      '/usr/sbin/nologin',
      'vmail',
    ])
  const account = await accountOf('vmail')
  if (account) await ensureDirectory(mailHome, { mode: 0o750, owner: account })
  const owner = { uid: 0, gid: await groupId('dovecot') }
  for (const folder of ['', '/users', ...passwordFolders.map((name) => `/${name}`)])
    await ensureDirectory(`${dovecotFolder}${folder}`, { mode: 0o750, owner })
  const readable = { mode: 0o640, owner }
  // a former agent wrote this file in another format
  await replace(movedFile, movedText(await readDomains()), readable)
  await replace(nobodyFile, '', readable)
  return false
}

/**
 * `NO [AUTHENTICATIONFAILED]` proves that Dovecot can read its files: an unreadable one answers `[UNAVAILABLE]`.
 */
async function refusesStrangers(): Promise<string> {
  const heard = await converse('127.0.0.1', 143, [
    { until: /^\* OK .*\r\n/m },
    { say: 'a1 LOGIN probe@innkeeper.invalid nobody', until: /^a1 .*\r\n/m },
    { say: 'a2 LOGOUT', until: /^a2 .*\r\n/m },
  ])
  const answer = heard[1] ?? ''
  if (!answer.includes('AUTHENTICATIONFAILED')) throw new Error(`a stranger's sign-in is answered ${answer}`)
  return 'IMAP greets, and refuses a stranger'
}

/**
 * Dovecot's penalty is off, because Postfix waits ten seconds for Dovecot and answers 454 afterwards; each wrong password is still
 * answered after two seconds. Failed sign-ins are logged with eight bits of the password's hash, which tell a repeated
 * password from another one (mailGuesses.ts). Decision 104.
 */
const config = (withPostfix: boolean, withSieve: boolean) => `# Written by Innkeeper. Changes are overwritten.
protocols = imap pop3 lmtp
listen = *${existsSync('/proc/net/if_inet6') ? ', ::' : ''}
ssl = yes
ssl_cert = </etc/ssl/certs/ssl-cert-snakeoil.pem
ssl_key = </etc/ssl/private/ssl-cert-snakeoil.key
ssl_min_protocol = TLSv1.2
disable_plaintext_auth = yes
auth_mechanisms = plain login
auth_verbose_passwords = sha1:2
auth_username_chars = abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ01234567890.-_@'
service anvil {
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
mail_location = maildir:~/Maildir
mail_uid = vmail
mail_gid = vmail
first_valid_uid = 100
mail_plugins = $mail_plugins quota
protocol imap {
  mail_plugins = $mail_plugins imap_quota
}
# a delivery ends although Dovecot reads its files again: saved without an answer, it would be repeated
protocol lmtp {
  shutdown_clients = no
}
# Postfix has a socket of its own: by this one, any account of the server would deliver to any mailbox, uncounted
service lmtp {
  unix_listener lmtp {
    mode = 0600
  }
}
# mail for a mailbox that filled meanwhile waits, instead of a bounce to a sender who may be forged
quota_full_tempfail = yes
namespace inbox {
  inbox = yes
${specialFolders.map((name) => `  mailbox ${name} {\n    auto = subscribe\n    special_use = \\${name}\n  }\n`).join('')}}
${passwordFolders
  .map((name) => passdb(`scheme=CRYPT username_format=%n ${dovecotFolder}/${name}/%d`))
  .join('')}${passdb(`username_format=%s/%d ${movedFile}`)}${passdb(`username_format=%u ${nobodyFile}`)}userdb {
  driver = passwd-file
  args = username_format=%n ${dovecotFolder}/users/%d
  default_fields = uid=vmail gid=vmail
}
plugin {
  quota = count:User quota
  quota_vsizes = yes
  quota_grace = 0
  quota_status_success = DUNNO
  quota_status_nouser = DUNNO
  quota_status_overquota = 552 5.2.2 The mailbox is full
}
!include_try ${hostCertificates}
${withSieve ? sieve : ''}${withPostfix ? postfixSockets : ''}`

const passdb = (args: string) => `passdb {
  driver = passwd-file
  args = ${args}
}
`

const sieve = `protocol lmtp {
  mail_plugins = $mail_plugins sieve
}
plugin {
  sieve = file:~/sieve;active=~/.dovecot.sieve
  sieve_before = ${junkFile}
}
`

const postfixSockets = `service lmtp {
  unix_listener /var/spool/postfix/private/dovecot-lmtp {
    mode = 0600
    user = postfix
    group = postfix
  }
}
service quota-status {
  executable = quota-status -p postfix
  client_limit = 1
  unix_listener ${quotaSocket} {
    mode = 0600
    user = nobody
  }
}
service auth {
  unix_listener /var/spool/postfix/private/auth {
    mode = 0660
    user = postfix
    group = postfix
  }
}
`
