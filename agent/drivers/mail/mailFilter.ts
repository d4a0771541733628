import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { ensureBase, ensureDirectory, must, probe, read, replace } from '../../kit/host.ts'
import { accountOf, groupId } from '../accounts/systemAccounts.ts'

const folder = '/etc/rspamd/innkeeper'
export const filterKeys = `${folder}/keys`
export const filterSelectors = `${folder}/selectors.map`
const local = '/etc/rspamd/local.d'
const spool = '/var/spool/postfix'
/** Where Postfix asks, from its own folder: its processes see nothing else. */
export const filterSocket = 'rspamd/milter.sock'
const socketFolder = dirname(`${spool}/${filterSocket}`)
const scanner = '/run/rspamd/scan.sock'

/**
 * rspamd: marks spam, and signs outgoing mail with DKIM. It listens on sockets that Postfix and root alone may open: it
 * signs whatever it is asked about, also for an account of a website.
 */
export const mailFilter = ensureBase<'mail-filter.ensure'>(() => ({
  title: 'rspamd',
  unit: 'rspamd',
  shares: 'mail',
  program: '/usr/bin/rspamd',
  files: {
    [`${local}/dkim_signing.conf`]: { text: signing },
    [`${local}/arc.conf`]: { text: sealing },
    [`${local}/milter_headers.conf`]: { text: headers },
    [`${local}/options.inc`]: { text: options },
    [`${local}/worker-controller.inc`]: { text: 'enabled = false;\n' },
    [`${local}/worker-normal.inc`]: { text: `bind_socket = "${scanner} mode=0600";\n` },
    [`${local}/worker-proxy.inc`]: { text: proxy },
    [`${local}/actions.conf`]: { text: actions },
    // would send checksums of customers' mail to strangers
    [`${local}/fuzzy_check.conf`]: { text: 'enabled = false;\n' },
  },
  take: readAgain,
  judge: ['rspamadm', 'configtest'],
  prepare: makeReady,
  probe: answersMilter,
}))

/** Old processes end what they judge: Postfix passes mail on unsigned whose rspamd is gone. Not before the first start is over. */
async function readAgain(): Promise<boolean> {
  const isStarted = await answersMilter().then(
    () => true,
    () => false, // starts, or has the sockets of Debian's configuration
  )
  if (isStarted) await must(['systemctl', 'reload', 'rspamd'])
  return isStarted
}

async function makeReady(): Promise<boolean> {
  const owner = { uid: 0, gid: await groupId('_rspamd') }
  await ensureDirectory(folder, { mode: 0o750, owner })
  await ensureDirectory(filterKeys, { mode: 0o750, owner })
  if ((await read(filterSelectors)) === undefined) await replace(filterSelectors, '')
  const rspamd = await accountOf('_rspamd')
  if (!rspamd || !existsSync(spool)) throw new Error('rspamd and Postfix are not installed: their packages come first')
  // the folder is closed, and so the socket in it
  await ensureDirectory(socketFolder, { mode: 0o750, owner: { uid: rspamd.uid, gid: await groupId('postfix') } })
  return false
}

const proxy = `# Written by Innkeeper. Changes are overwritten.
bind_socket = "${spool}/${filterSocket} mode=0666";
upstream "local" {
  default = yes;
  hosts = "${scanner}";
}
`

/**
 * The scanner answers a ping; the proxy, which Postfix asks, starts with it. rspamd compiles its rules at the first start,
 * which takes minutes on a busy machine.
 */
async function answersMilter(): Promise<string> {
  const { text } = await probe({ socket: scanner }, 0, 'localhost', '/ping')
  if (text.trim() !== 'pong') throw new Error(`rspamd answers ${text.slice(0, 80)}`)
  return 'rspamd answers'
}

const signing = `# Written by Innkeeper. Changes are overwritten.
enabled = true;
# Postfix compares the sender with the sign-in, except an empty one
allow_username_mismatch = false;
allow_hdrfrom_mismatch = false;
sign_authenticated = true;
# neither other servers of a private network nor other addresses of loopback: their senders were not judged
sign_local = false;
sign_networks = ["127.0.0.1/32", "::1/128"];
sign_inbound = false;
use_domain = "header";
use_esld = false;
use_redis = false;
try_fallback = false;
check_pubkey = false;
selector_map = "${filterSelectors}";
path = "${filterKeys}/$domain.$selector.key";
`
/** What arrives is sealed (ARC) with the key of the domain that receives it, so that forwards keep their verdicts. */
const sealing = `# Written by Innkeeper. Changes are overwritten.
enabled = true;
sign_authenticated = false;
# servers of the provider may have local addresses
sign_local = true;
sign_inbound = true;
allow_username_mismatch = true;
allow_hdrfrom_mismatch = true;
allow_hdrfrom_multiple = true;
use_domain = "recipient";
use_esld = false;
use_redis = false;
try_fallback = false;
check_pubkey = false;
selector_map = "${filterSelectors}";
path = "${filterKeys}/$domain.$selector.key";
`
const headers = `# Written by Innkeeper. Changes are overwritten.
use = ["x-spamd-bar", "x-spam-level", "authentication-results"];
# networks of the provider are local too, and the threshold of a mailbox needs the score
skip_local = false;
authenticated_headers = ["authentication-results"];
`
/** Name servers that do not answer delay mail by two seconds at most. */
const options = `# Written by Innkeeper. Changes are overwritten.
map_watch_interval = 1s;
dns { timeout = 1s; retransmits = 2; }
`
const actions = `# Written by Innkeeper. Changes are overwritten.
reject = 15;
add_header = 6;
greylist = null;
`
