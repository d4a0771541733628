import type { Driver } from '../../kit/driver.ts'
import { ensureDirectory, must, places, remove, replace, run } from '../../kit/host.ts'
import { reachFor } from '../../kit/network/reach.ts'
import { accountOf } from '../accounts/systemAccounts.ts'
import { dropKnown } from './mailCopies.ts'
import { mailHome, readDomain } from './mailFiles.ts'
import { openRelay, type Relay } from './mailRelay.ts'

/** How often a run says how much it has read. */
const SAY_MS = 10_000

/**
 * Copies the mail of an account of another server into a mailbox, by Dovecot's own dsync over IMAP: with folders, flags
 * and dates. A repetition copies what is new there. What the mailbox has beyond that stays.
 */
export const importMail: Driver<'mail-import.run'> = {
  async run({ input, actionId, fence, say }) {
    const { mailboxId, userId, host, login, key, since, privateTargets } = input
    const domain = await readDomain(mailboxId)
    const user = domain?.users.find((one) => one.userId === userId)
    if (!domain || !user || domain.moving) throw new Error('this server does not have the mailbox')
    if (domain.state === 'disabled' || user.state === 'disabled')
      throw new Error('the mailbox is disabled: Dovecot does not open it')
    const address = `${user.localPart}@${domain.domain}`
    const relay = await openRelay(reachFor(privateTargets), input)
    const folder = `${places.state}/mail-import`
    const file = `${folder}/${actionId}.conf`
    const scratch = `${mailHome}/.imports/${actionId}`
    const works = watching(relay, (text) => say(`${text} read from ${host}`))
    try {
      await ensureDirectory(folder, { mode: 0o700 })
      await clear(scratch)
      const owner = await accountOf('vmail')
      if (!owner) throw new Error('this server has no account for mail')
      await ensureDirectory(`${mailHome}/.imports`, { mode: 0o700, owner })
      await ensureDirectory(scratch, { mode: 0o700, owner })
      fence()
      const prefix = async (text: string) => replace(file, text, { mode: 0o600 })
      await prefix(config({ relay, login, key, prefix: '' }))
      const names = await list(file, address, relay, host, works)
      // such servers keep all folders below INBOX; here they stand beside it
      const below = names.filter((name) => name !== 'INBOX')
      const separator = below.length && below.every((name) => /^INBOX[./]/.test(name)) ? 'INBOX' : ''
      if (separator) await prefix(config({ relay, login, key, prefix: separator }))
      say(`${host} has ${names.length} folders`)
      const before = await count(address)
      fence()
      const copied = `mail_location=maildir:${scratch}`
      const { code, stderr } = await run(
        ['doveadm', '-c', file, '-o', copied, 'backup', '-R', ...arrived(since), '-u', address, 'imapc:'],
        { long: true, works },
      )
      // dsync into the mailbox itself expunges mail whose UIDs the other server gave to other messages
      await dropKnown(address, `maildir:${scratch}`)
      await must(['doveadm', 'import', '-u', address, `maildir:${scratch}`, '', 'all'], { long: true })
      const after = await count(address)
      say(`${after.messages - before.messages} messages are new, ${after.messages} in all; ${megabytes(relay)} MB read`)
      if (code !== 0) throw new Error(reason(host, relay, stderr))
      return { folders: names.length, added: after.messages - before.messages, messages: after.messages }
    } finally {
      relay.end()
      await remove(file)
      await clear(scratch)
    }
  },
  undo: async ({ say }) => say('what was copied stays: mail may have come since'),
  inspect: async () => 'no', // a repeat copies only what is missing
}

/** Only what arrived there later: a mailbox of years is not read each hour. */
const arrived = (since: number | undefined) => (since === undefined ? [] : ['-t', `${since}`])
const clear = (folder: string) => must(['rm', '-rf', '--one-file-system', '--', folder])

/** Tells whether the other server sent anything since the last question. */
function watching(relay: Relay, say: (text: string) => void): () => Promise<boolean> {
  let last = 0
  let said = Date.now()
  return async () => {
    const moved = relay.received() > last
    last = relay.received()
    if (moved && Date.now() - said > SAY_MS) {
      said = Date.now()
      say(`${megabytes(relay)} MB`)
    }
    return moved
  }
}
const megabytes = (relay: Relay) => (relay.received() / 1_000_000).toFixed(1)

/** Settings for one run, with the password, which never stands in the arguments of a program. Dovecot expands `%u` in a user. */
const config = ({
  relay,
  login,
  key,
  prefix,
}: {
  relay: Relay
  login: string
  key: string
  prefix: string
}) => `!include /etc/dovecot/dovecot.conf
imapc_host = 127.0.0.1
imapc_port = ${relay.port}
imapc_ssl = no
imapc_user = ${quoted(login.replaceAll('%', '%%'))}
imapc_password = ${quoted(key)}
imapc_list_prefix = ${prefix}
imapc_features = rfc822.size fetch-headers
mail_prefetch_count = 20
`

/** Dovecot reads a value in quotes as it is, with backslashes before quotes and backslashes. */
const quoted = (text: string) => `"${text.replace(/[\\"]/g, '\\$&')}"`

async function list(
  file: string,
  address: string,
  relay: Relay,
  host: string,
  works: () => Promise<boolean>,
): Promise<string[]> {
  const { code, stdout, stderr } = await run(
    ['doveadm', '-c', file, '-o', 'mail_location=imapc:/tmp/innkeeper-none', 'mailbox', 'list', '-u', address],
    { works },
  )
  if (code !== 0) throw new Error(reason(host, relay, stderr))
  return stdout.split('\n').filter(Boolean)
}

async function count(address: string): Promise<{ messages: number }> {
  const out = await must(['doveadm', '-f', 'tab', 'mailbox', 'status', '-t', '-u', address, 'messages', '*'])
  return { messages: Number(out.trim().split('\n').at(-1)) || 0 }
}

function reason(host: string, relay: Relay, stderr: string): string {
  const said =
    stderr
      .trim()
      .split('\n')
      .at(-1)
      ?.replace(/^.*?(?:Error|Fatal): /, '') ?? ''
  if (/Authentication failed|AUTHENTICATIONFAILED|Login failed/i.test(stderr))
    return `${host} refuses this login and password`
  if (/quota/i.test(stderr)) return `The mailbox is full: give it a larger quota, then retry. ${said}`
  return `${relay.problem() ? `${host} was not reached: ${relay.problem()}` : `Copying from ${host} broke off`}. ${said}`.trim()
}
