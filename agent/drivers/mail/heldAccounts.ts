import { existsSync } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Context } from '../../kit/driver.ts'
import {
  absent,
  ensureDirectory,
  exclusive,
  hasSystemd,
  must,
  read,
  reloadUnits,
  remove,
  replace,
  run,
} from '../../kit/host.ts'
import type { Account } from '../accounts/systemAccounts.ts'
import { nftUnit } from '../firewall/nftUnit.ts'
import { heldFolder, holdMail, holdMailText } from '../php/phpPoolFile.ts'
import { countedPort, forwardedPort } from './mailHand.ts'

type Voice = Pick<Context<'php-pool.ensure'>, 'say' | 'fence'>

/** The accounts whose mail is held: a file per uid, which contains the folder for the mail. */
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
 * Holds the mail of an account on this server: the sendmail program stores it in a folder of the account, and the
 * firewall refuses the account's SMTP connections. Idempotent.
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

/**
 * Sends the mail of an account again. Also runs when an account is removed, because the next account may get its uid.
 */
export const letMailOf = (uid: number, { fence }: Pick<Voice, 'fence'>): Promise<void> =>
  exclusive('held mail', async () => {
    if (!isHeld(uid)) return
    fence()
    await remove(fileOf(uid))
    if ((await heldUids()).length) return loadTable(() => undefined)
    if (existsSync('/usr/sbin/nft')) await must(['nft', `add table ${table}; delete table ${table}`])
    if (hasSystemd() && existsSync(unitFile)) {
      await run(['systemctl', 'disable', '--now', '--quiet', `${unit}.service`]) // its file is removed next
      await remove(unitFile)
      await reloadUnits()
    }
    await remove(tableFile)
    if (await isDiverted()) {
      await remove(sendmail)
      await must([...divert, '--remove', sendmail])
    }
  })

/** Some mail servers install sendmail as a symlink. */
async function isDiverted(): Promise<boolean> {
  const there = await lstat(sendmail).catch(absent)
  return there?.isFile() === true && (await read(sendmail)) === sendmailText
}

const heldUids = async () => ((await readdir(folder).catch(absent)) ?? []).filter((name) => /^\d+$/.test(name)).sort()

/** Loads the table into the kernel in one transaction, and at each boot. */
async function loadTable(say: Voice['say']): Promise<void> {
  await replace(tableFile, tableText(await heldUids()), { mode: 0o600 })
  if (!existsSync('/usr/sbin/nft'))
    return say('nftables is not installed here: mail that an application sends by SMTP is not held')
  await must(['nft', '-f', tableFile])
  if (!hasSystemd()) return
  if (await replace(unitFile, unitText)) await reloadUnits()
  await must(['systemctl', 'enable', '--now', '--quiet', `${unit}.service`])
}

/**
 * Rejects connections at once, so that an application reports an error instead of waiting. Applies to all destinations,
 * including this server.
 */
const tableText = (uids: readonly string[]) => `# Written by Innkeeper. Changes are overwritten.
add table ${table}
delete table ${table}
table ${table} {
  chain out {
    type filter hook output priority filter; policy accept;
    meta skuid { ${uids.join(', ')} } tcp dport { 25, 465, 587, ${countedPort}, ${forwardedPort} } counter reject with tcp reset
  }
}
`

const unitText = nftUnit('Mail of staging copies, held by Innkeeper', folder, `/usr/sbin/nft -f ${tableFile}`)

/** Also takes effect under the other names of sendmail, which are links to this file. */
const sendmailText = `#!/bin/sh
# Written by Innkeeper: the mail of a staging copy stays with it, all other mail goes to the program that was here.
case \${0##*/} in
  mailq) set -- -bp "$@" ;;
  newaliases) set -- -bi "$@" ;;
  *) held=$(cat "${folder}/$(id -u)" 2>/dev/null) && exec ${holdMail} "$held" ;;
esac
exec ${real} "$@"
`
