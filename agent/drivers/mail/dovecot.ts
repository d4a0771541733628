import { existsSync } from 'node:fs'
import { converse, ensureBase, ensureDirectory, must, read, replace } from '../../kit/host.ts'
import { accountOf, groupId } from '../accounts/systemAccounts.ts'

/** The mailboxes of this server, one per line; empty at first. */
export const mailboxFile = '/etc/dovecot/innkeeper-users'
const mailHome = '/var/vmail'

/** Dovecot: virtual mailboxes in the folder of one account, authentication and delivery for Postfix. */
export const dovecot = ensureBase<'dovecot.ensure'>(() => ({
  title: 'Dovecot',
  unit: 'dovecot',
  program: '/usr/sbin/dovecot',
  files: { '/etc/dovecot/dovecot.conf': { text: config(existsSync('/var/spool/postfix/private')) } },
  judge: ['doveconf', '-n'],
  prepare: makeReady,
  probe: refusesStrangers,
}))

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
  if ((await read(mailboxFile)) === undefined)
    await replace(mailboxFile, '', { mode: 0o640, owner: { uid: 0, gid: await groupId('dovecot') } })
  return false
}

/**
 * `NO [AUTHENTICATIONFAILED]` proves that Dovecot can read its mailbox file: an unreadable one answers `[UNAVAILABLE]`.
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

const config = (withPostfix: boolean) => `# Written by Innkeeper; what is changed here is written over.
protocols = imap pop3 lmtp
listen = *${existsSync('/proc/net/if_inet6') ? ', ::' : ''}
ssl = yes
ssl_cert = </etc/ssl/certs/ssl-cert-snakeoil.pem
ssl_key = </etc/ssl/private/ssl-cert-snakeoil.key
ssl_min_protocol = TLSv1.2
disable_plaintext_auth = yes
auth_mechanisms = plain login
mail_location = maildir:~/Maildir
mail_uid = vmail
mail_gid = vmail
first_valid_uid = 100
mail_plugins = $mail_plugins quota
protocol imap {
  mail_plugins = $mail_plugins imap_quota
}
namespace inbox {
  inbox = yes
}
passdb {
  driver = passwd-file
  args = scheme=CRYPT username_format=%u ${mailboxFile}
}
userdb {
  driver = passwd-file
  args = username_format=%u ${mailboxFile}
  default_fields = uid=vmail gid=vmail home=${mailHome}/%d/%n
}
plugin {
  quota = count:User quota
  quota_vsizes = yes
  quota_grace = 0
}
${withPostfix ? postfixSockets : ''}`

const postfixSockets = `service lmtp {
  unix_listener /var/spool/postfix/private/dovecot-lmtp {
    mode = 0600
    user = postfix
    group = postfix
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
