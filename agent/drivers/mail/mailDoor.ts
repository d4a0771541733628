import { existsSync } from 'node:fs'
import { ensureDirectory, hasSystemd, must, reloadUnits, replace, run } from '../../kit/host.ts'
import { nftUnit } from '../firewall/nftUnit.ts'

const folder = '/etc/innkeeper/mail'
const file = `${folder}/door.nft`
const table = 'inet innkeeper_smtp'
const unit = 'innkeeper-smtp'

/**
 * The SPF record of each mail domain names this server, so receivers would take what an account of a website sends them
 * by itself for mail of any of the domains. Accounts reach other servers by Postfix, which compares their senders.
 */
const text = `# Written by Innkeeper. Changes are overwritten.
add table ${table}
delete table ${table}
table ${table} {
  chain out {
    type filter hook output priority filter; policy accept;
    oifname "lo" accept
    meta skuid 1000-59999 tcp dport 25 counter reject with tcp reset
  }
}
`

/** Lets no account of a website connect to the SMTP port of other servers, now and from each boot on. */
export async function closeDoor(): Promise<void> {
  if (!existsSync('/usr/sbin/nft')) throw new Error('nftables is not installed: its package comes first')
  await ensureDirectory(folder)
  const isNew = await replace(file, text)
  const unitFile = `/etc/systemd/system/${unit}.service`
  const isOther =
    hasSystemd() && (await replace(unitFile, nftUnit('Outgoing mail of websites', folder, `/usr/sbin/nft -f ${file}`)))
  if (isNew || isOther || !(await isLoaded())) await must(['nft', '-f', file])
  if (!isOther) return
  await reloadUnits()
  // active as after a boot: a restart of nftables.service then restarts the unit too
  await must(['systemctl', 'enable', '--quiet', `${unit}.service`])
  await must(['systemctl', 'restart', `${unit}.service`])
}

const isLoaded = async () => (await run(['nft', 'list', 'table', ...table.split(' ')])).code === 0
