import { converse, ensureBase, ensureDirectory, must, run } from '../../kit/host.ts'

/** Every account that is made for websites is in it; sshd knows by it whom it keeps in. */
export const siteGroup = 'innkeeper-sites'
export const keyFolder = '/etc/ssh/innkeeper-keys'
export const keyFile = (username: string) => `${keyFolder}/${username}`
/** Read before all others of Debian's folder: of what several say, sshd takes what it reads first. */
const config = '/etc/ssh/sshd_config.d/00-innkeeper.conf'

/**
 * sshd for the owners of websites: files and nothing else. They are kept in /home, which no account can list and where
 * each can pass into its own folder alone; see docs/decisions. Accounts that nobody let in have no key file and no
 * password: what PHP may have written into `~/.ssh` counts for nothing.
 */
export const sftp = ensureBase<'sftp.ensure'>(() => ({
  title: 'SFTP',
  unit: 'ssh',
  program: '/usr/sbin/sshd',
  files: { [config]: { text: configText } },
  judge: ['/usr/sbin/sshd', '-t'],
  prepare: makeReady,
  async probe() {
    const [greeting = ''] = await converse('127.0.0.1', await sshPort(), [{ until: /^SSH-2\.0-.*\r?\n/m }])
    const [member] = await membersOf(siteGroup)
    if (member) await keptIn(member)
    return greeting.trim()
  },
}))

async function makeReady(): Promise<boolean> {
  await must(['groupadd', '--force', '--system', '--', siteGroup])
  await ensureDirectory('/run/sshd')
  await ensureDirectory(keyFolder)
  // whoever is inside cannot see who else is; root-owned and nobody else's to write, as sshd wants a chroot to be
  await ensureDirectory('/home', { mode: 0o711, owner: { uid: 0, gid: 0 } })
  const there = new Set(await membersOf(siteGroup))
  for (const username of await siteAccounts()) if (!there.has(username)) await join(username)
  return false
}

/** From now on sshd keeps this account in. */
export const join = (username: string) => must(['usermod', '--append', '--groups', siteGroup, '--', username])

/** Throws unless sshd, as it runs, would keep this account in: another file of the machine may say otherwise. */
export async function keptIn(username: string): Promise<void> {
  const said = await must(['/usr/sbin/sshd', '-T', '-C', `user=${username},host=localhost,addr=127.0.0.1`])
  for (const wanted of ['chrootdirectory /home', 'forcecommand internal-sftp -d /%u', 'disableforwarding yes'])
    if (!said.split('\n').includes(wanted)) throw new Error(`sshd would not keep ${username} in: it lacks “${wanted}”`)
}

/** The port that sshd listens on; the first where there are several. */
export async function sshPort(): Promise<number> {
  const [, port] = (await must(['/usr/sbin/sshd', '-T'])).match(/^port (\d+)$/m) ?? []
  return Number(port ?? 22)
}

async function membersOf(group: string): Promise<string[]> {
  const { stdout } = await run(['getent', 'group', group]) // none: no line
  return (stdout.trim().split(':')[3] ?? '').split(',').filter(Boolean)
}

/** The accounts that the driver of system users made. */
async function siteAccounts(): Promise<string[]> {
  const lines = (await must(['getent', 'passwd'])).split('\n').map((line) => line.split(':'))
  return lines.flatMap(([name = '', , uid, , comment, home]) =>
    comment === 'Innkeeper' && Number(uid) >= 1000 && home === `/home/${name}` ? [name] : [],
  )
}

const configText = `# Written by Innkeeper; what is changed here is written over.
Match Group ${siteGroup}
  ChrootDirectory /home
  ForceCommand internal-sftp -d /%u
  AuthorizedKeysFile ${keyFolder}/%u
  AuthorizedKeysCommand none
  TrustedUserCAKeys none
  HostbasedAuthentication no
  GSSAPIAuthentication no
  KbdInteractiveAuthentication no
  PubkeyAuthentication yes
  PasswordAuthentication yes
  PermitEmptyPasswords no
  DisableForwarding yes
  AllowTcpForwarding no
  AllowStreamLocalForwarding no
  AllowAgentForwarding no
  X11Forwarding no
  PermitTunnel no
  PermitTTY no
  PermitUserRC no
  MaxSessions 10
`
