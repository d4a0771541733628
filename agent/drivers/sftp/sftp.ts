import { converse, ensureBase, ensureDirectory, must, run } from '../../kit/host.ts'

/** The group of all accounts for websites, which sshd confines. */
export const siteGroup = 'innkeeper-sites'
export const keyFolder = '/etc/ssh/innkeeper-keys'
export const keyFile = (username: string) => `${keyFolder}/${username}`
/** The first file that sshd reads of its folder: for each setting, sshd takes the first value. */
const config = '/etc/ssh/sshd_config.d/00-innkeeper.conf'

/**
 * sshd for website owners: SFTP only, with /home as chroot. No account can list /home, and each can enter its own
 * folder only; see decision 0015. An account without access has no key file and no password; `~/.ssh`, which PHP may
 * write, is ignored.
 */
export const sftp = ensureBase<'sftp.ensure'>(() => ({
  title: 'SFTP',
  unit: 'ssh',
  shares: 'accounts',
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
  // nobody in the chroot can list it; sshd requires a chroot that only root can write
  await ensureDirectory('/home', { mode: 0o711, owner: { uid: 0, gid: 0 } })
  const there = new Set(await membersOf(siteGroup))
  for (const username of await siteAccounts()) if (!there.has(username)) await join(username)
  return false
}

/** Adds the account to the group that sshd confines. */
export const join = (username: string) => must(['usermod', '--append', '--groups', siteGroup, '--', username])

/** Throws unless the running sshd confines this account: another configuration file may override Innkeeper's. */
export async function keptIn(username: string): Promise<void> {
  const said = await must(['/usr/sbin/sshd', '-T', '-C', `user=${username},host=localhost,addr=127.0.0.1`])
  for (const wanted of ['chrootdirectory /home', 'forcecommand internal-sftp -d /%u', 'disableforwarding yes'])
    if (!said.split('\n').includes(wanted))
      throw new Error(`sshd does not confine ${username}: its settings lack “${wanted}”`)
}

/** The port of sshd; the first of several. */
export async function sshPort(): Promise<number> {
  const [, port] = (await must(['/usr/sbin/sshd', '-T'])).match(/^port (\d+)$/m) ?? []
  return Number(port ?? 22)
}

async function membersOf(group: string): Promise<string[]> {
  const { stdout } = await run(['getent', 'group', group]) // an unknown group prints no line
  return (stdout.trim().split(':')[3] ?? '').split(',').filter(Boolean)
}

/** The accounts that the system-user driver created. */
async function siteAccounts(): Promise<string[]> {
  const lines = (await must(['getent', 'passwd'])).split('\n').map((line) => line.split(':'))
  return lines.flatMap(([name = '', , uid, , comment, home]) =>
    comment === 'Innkeeper' && Number(uid) >= 1000 && home === `/home/${name}` ? [name] : [],
  )
}

const configText = `# Written by Innkeeper. Changes are overwritten.
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
