import { existsSync } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Context } from '../../kit/driver.ts'
import { absent, ensureDirectory, exclusive, hasSystemd, must, read, remove, replace, run } from '../../kit/host.ts'
import type { Account } from '../accounts/systemAccounts.ts'
import { nftUnit } from '../firewall/nftUnit.ts'
import { heldFolder, holdMail, holdMailText } from '../php/phpPoolFile.ts'

type Voice = Pick<Context<'php-pool.ensure'>, 'say' | 'fence'>

/** Which accounts have their mail held: a file for each, by its number, that says where it is kept. */
const folder = `${dirname(holdMail)}/held-mail`
const fileOf = (uid: number) => `${folder}/${uid}`
const table = 'inet innkeeper_mail'
const tableFile = `${folder}/table.nft`
const unit = 'innkeeper-held-mail'
const unitFile = `/etc/systemd/system/${unit}.service`
const sendmail = '/usr/sbin/sendmail'
const real = `${sendmail}.innkeeper`
const divert = ['dpkg-divert', '--quiet', '--local', '--rename', '--divert', real] as const

export const isHeld = (uid: number): boolean => existsSync(fileOf(uid))

/**
 * What an account mails stays on this server: whatever sends it by the sendmail program keeps it in a folder of its own,
 * and no other server takes it by SMTP. Twice is harmless.
 */
export const holdMailOf = (account: Account, { say, fence }: Voice): Promise<void> =>
  exclusive('held mail', async () => {
    fence()
    await ensureDirectory(folder)
    await replace(holdMail, holdMailText, { mode: 0o755 })
    await replace(fileOf(account.uid), `${heldFolder(account.home)}\n`)
    if (!(await isDiverted())) {
      await must([...divert, '--add', sendmail])
      await replace(sendmail, sendmailText, { mode: 0o755 })
    }
    await loadTable(say)
  })

/** It is sent again. Also for an account that goes: who gets its number next is somebody else. */
export const letMailOf = (uid: number, { fence }: Pick<Voice, 'fence'>): Promise<void> =>
  exclusive('held mail', async () => {
    if (!isHeld(uid)) return
    fence()
    await remove(fileOf(uid))
    if ((await heldUids()).length) return loadTable(() => undefined)
    if (existsSync('/usr/sbin/nft')) await must(['nft', `add table ${table}; delete table ${table}`])
    if (hasSystemd() && existsSync(unitFile)) {
      await run(['systemctl', 'disable', '--now', '--quiet', `${unit}.service`]) // goes with its file
      await remove(unitFile)
      await must(['systemctl', 'daemon-reload'])
    }
    await remove(tableFile)
    if (await isDiverted()) {
      await remove(sendmail)
      await must([...divert, '--remove', sendmail])
    }
  })

/** Of some mail servers it is a link. */
async function isDiverted(): Promise<boolean> {
  const there = await lstat(sendmail).catch(absent)
  return there?.isFile() === true && (await read(sendmail)) === sendmailText
}

const heldUids = async () => ((await readdir(folder).catch(absent)) ?? []).filter((name) => /^\d+$/.test(name)).sort()

/** Into the kernel as a whole, and again at each start of the machine. */
async function loadTable(say: Voice['say']): Promise<void> {
  await replace(tableFile, tableText(await heldUids()), { mode: 0o600 })
  if (!existsSync('/usr/sbin/nft'))
    return say('nftables is not installed here: what an application sends by SMTP itself is not held')
  await must(['nft', '-f', tableFile])
  if (!hasSystemd()) return
  if (await replace(unitFile, unitText)) await must(['systemctl', 'daemon-reload'])
  await must(['systemctl', 'enable', '--now', '--quiet', `${unit}.service`])
}

/** Refused at once, so that an application says so instead of waiting. Where it goes makes no difference, also to this machine. */
const tableText = (uids: readonly string[]) => `# Written by Innkeeper; what is changed here is written over.
add table ${table}
delete table ${table}
table ${table} {
  chain out {
    type filter hook output priority filter; policy accept;
    meta skuid { ${uids.join(', ')} } tcp dport { 25, 465, 587 } counter reject with tcp reset
  }
}
`

const unitText = nftUnit('Mail of staging copies, held by Innkeeper', folder, `/usr/sbin/nft -f ${tableFile}`)

/** By whatever name it is called: its other names are links to it. */
const sendmailText = `#!/bin/sh
# Written by Innkeeper: the mail of a staging copy stays with it, all other mail goes to the program that was here.
case \${0##*/} in
  mailq) set -- -bp "$@" ;;
  newaliases) set -- -bi "$@" ;;
  *) held=$(cat "${folder}/$(id -u)" 2>/dev/null) && exec ${holdMail} "$held" ;;
esac
exec ${real} "$@"
`
