import { writeFileSync } from 'node:fs'
import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limits, rootOf } from '../../test/fixtures.ts'
import { labDir, type Practice, practice } from '../../test/practice.ts'

const verdict = await can(labDir)
describe.skipIf(!verdict.able)(verdict.able ? 'SFTP' : `SFTP (${verdict.reason})`, () => {
  let p: Practice<Host>
  const keys = new Map<string, { type: 'ssh-ed25519'; body: string }>()
  beforeAll(async () => {
    p = await practice(await openLab({ dir: labDir }), 'sftp')
    await p.done('system-user.ensure', { username: 'early', limits })
    await p.done('packages.ensure', { packages: ['openssh-server', 'sshpass'] })
    await p.done('sftp.ensure', {})
    for (const username of ['web1', 'web2']) {
      await p.done('system-user.ensure', { username, limits })
      await p.done('document-root.ensure', rootOf(`${username}.example`, username))
    }
    for (const name of ['kari', 'lars']) {
      await p.sh('ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', `/root/${name}`)
      const [, body = ''] = (await p.sh('cat', `/root/${name}.pub`)).split(' ')
      keys.set(name, { type: 'ssh-ed25519', body })
    }
  })
  afterAll(() => p?.end())

  const key = (name: string) => keys.get(name)!
  const open = (username: string, more: object = {}) =>
    p.done('sftp-access.ensure', { username, state: 'active', keys: [key('kari')], ...more })
  const options = ['UserKnownHostsFile=/dev/null', 'StrictHostKeyChecking=no', 'LogLevel=ERROR', 'ConnectTimeout=5']
  const client = (...more: string[]) => [...options, ...more].flatMap((option) => ['-o', option])
  /** The output of Debian's sftp client for these commands; a failed command exits with another code than 0. */
  async function sftp(username: string, commands: string[], as = 'kari') {
    writeFileSync(`${p.host.root}/root/batch`, `${commands.join('\n')}\n`)
    const argv = ['sftp', '-b', '/root/batch', ...client('BatchMode=yes', 'IdentitiesOnly=yes'), '-i', `/root/${as}`]
    const { code, stdout, stderr } = await p.host.exec([...argv, `${username}@127.0.0.1`])
    return { code, said: stdout + stderr }
  }
  const ssh = (username: string, ...argv: string[]) =>
    p.host.exec([
      'ssh',
      ...client('BatchMode=yes'),
      '-i',
      '/root/kari',
      ...argv.slice(0, -1),
      `${username}@127.0.0.1`,
      ...argv.slice(-1),
    ])

  test('uploads a file into the website’s folder, owned by the account', async () => {
    const { output } = await open('web1')
    expect(output).toMatchObject({
      port: 22,
      hostKeys: expect.arrayContaining([expect.stringMatching(/^SHA256:.{43} \(ED25519\)$/)]),
    })
    writeFileSync(`${p.host.root}/root/hello.html`, 'hello')
    const { code, said } = await sftp('web1', ['pwd', 'cd web1.example/public', 'put /root/hello.html', 'ls -l'])
    expect([code, said]).toEqual([0, expect.stringContaining('Remote working directory: /web1')])
    expect(await p.sh('stat', '--format=%U %G %a', '/home/web1/web1.example/public/hello.html')).toBe('web1 web1 644\n')
  })

  test.for([
    ['ls /', 'nobody sees who else is there'],
    ['ls /web2', 'another account'],
    ['get /web2/web2.example/public/index.html', 'a file of another account'],
    ['get /etc/passwd', 'a file of the machine'],
    ['get ../../etc/passwd', 'the same by way of ..'],
    ['put /root/hello.html /etc/cron.d/x', 'a file of the machine, written'],
    ['put /root/hello.html /x', 'the chroot itself'],
    ['mkdir /evil', 'a home that is none'],
    ['chmod 777 /web2', 'rights of another account'],
    ['!true\nln -s /etc/passwd web1.example/l\nget web1.example/l', 'a symlink to the machine'],
    ['ln -s /web2/web2.example web1.example/m\nls web1.example/m/', 'a symlink to another account'],
    ['ln -s ../../../../etc/shadow web1.example/n\nget web1.example/n', 'a symlink that climbs'],
  ] as const)('%s: refused (%s)', async ([commands]) => {
    const { code, said } = await sftp('web1', commands.split('\n'))
    expect([code, said]).toEqual([1, expect.stringMatching(/denied|not found|No such file|Failure/)])
  })

  test('offers no shell, no command and no port forwarding', async () => {
    const run = await ssh('web1', 'id')
    expect([run.code === 0, run.stdout]).toEqual([false, expect.not.stringContaining('uid=')])
    const scp = await p.host.exec([
      'scp',
      '-O',
      ...client('BatchMode=yes'),
      '-i',
      '/root/kari',
      'web1@127.0.0.1:/etc/passwd',
      '/root/stolen',
    ])
    expect(scp.code).not.toBe(0)
    // without python, there is no port to reach
    await p.sh('sh', '-c', 'setsid python3 -m http.server 8099 >/dev/null 2>&1 & true').catch(() => '')
    const through = await p.host.exec([
      ...['timeout', '5', 'ssh', ...client('BatchMode=yes', 'ExitOnForwardFailure=yes'), '-i', '/root/kari'],
      ...['-W', '127.0.0.1:22', 'web1@127.0.0.1'],
    ])
    expect(through.stdout).not.toContain('SSH-2.0')
    const back = await p.host.exec([
      ...['timeout', '5', 'ssh', ...client('BatchMode=yes', 'ExitOnForwardFailure=yes'), '-i', '/root/kari'],
      ...['-N', '-R', '9099:127.0.0.1:22', 'web1@127.0.0.1'],
    ])
    expect(back.stderr).toContain('forwarding failed')
  })

  test('refuses foreign keys, keys that PHP wrote into ~/.ssh, and accounts without access', async () => {
    expect((await sftp('web1', ['ls'], 'lars')).said).toContain('Permission denied')
    await p.sh(
      'sh',
      '-c',
      'install -d -o web1 -g web1 -m 700 /home/web1/.ssh && install -o web1 -g web1 -m 600 /root/lars.pub /home/web1/.ssh/authorized_keys',
    )
    expect((await sftp('web1', ['ls'], 'lars')).said).toContain('Permission denied')
    await p.sh(
      'sh',
      '-c',
      'install -d -o early -g early -m 700 /home/early/.ssh && install -o early -g early -m 600 /root/kari.pub /home/early/.ssh/authorized_keys',
    )
    expect((await sftp('early', ['ls'])).said).toContain('Permission denied')
  })

  test('refuses an expired key', async () => {
    await open('web1', {
      keys: [
        { ...key('kari'), expires: '20991231235959Z' },
        { ...key('lars'), expires: '20200101000000Z' },
      ],
    })
    expect((await sftp('web1', ['ls'])).code).toBe(0)
    expect((await sftp('web1', ['ls'], 'lars')).said).toContain('Permission denied')
    await open('web1')
  })

  const byPassword = (password: string) =>
    p.host.exec([...['sshpass', '-p', password, 'sftp', ...client('PubkeyAuthentication=no'), 'web1@127.0.0.1']])
  test('accepts the new password only, none after removal; undo restores the former one', async () => {
    await open('web1', { signInPassword: 'FirstPassword2345' })
    expect((await byPassword('FirstPassword2345')).code).toBe(0)
    await open('web1', { signInPassword: 'SecondPassword234' })
    expect((await byPassword('FirstPassword2345')).code).not.toBe(0)
    expect((await byPassword('SecondPassword234')).code).toBe(0)
    const none = { username: 'web1', state: 'active' as const, keys: [key('kari')], signInPassword: null }
    await p.done('sftp-access.ensure', none, { id: 9301 })
    expect((await byPassword('SecondPassword234')).code).not.toBe(0)
    await p.done('sftp-access.ensure', none, { id: 9301, task: 'undo' })
    expect((await byPassword('SecondPassword234')).code).toBe(0)
  })

  test('refuses and disconnects everybody while suspended, and restores all access afterwards', async () => {
    await open('web1', { signInPassword: 'SecondPassword234' })
    const session = ['ssh', ...client('BatchMode=yes'), '-i', '/root/kari', '-s', 'web1@127.0.0.1', 'sftp']
    const signedIn = p.host.exec(['bash', '-c', `exec ${session.join(' ')} < <(sleep 3600 2>/dev/null </dev/null)`])
    await expect.poll(() => p.host.exec(['pgrep', '-u', 'web1', 'sshd']).then(({ code }) => code)).toBe(0)
    const off = { username: 'web1', state: 'suspended' as const, keys: [key('kari')] }
    await p.done('sftp-access.ensure', off, { id: 9401 })
    expect((await signedIn).code).toBeDefined()
    expect((await p.host.exec(['pgrep', '-u', 'web1', 'sshd'])).code).toBe(1)
    expect((await sftp('web1', ['ls'])).said).toContain('Permission denied')
    expect((await byPassword('SecondPassword234')).code).not.toBe(0)
    await p.done('sftp-access.ensure', off, { inspect: true })
    await p.done('sftp-access.ensure', off, { id: 9401, task: 'undo' })
    expect((await sftp('web1', ['ls'])).code).toBe(0)
    expect((await byPassword('SecondPassword234')).code).toBe(0)
  })

  test('a closed folder takes no upload, also while the access is open; undo of both actions restores the former state', async () => {
    await open('web1', { signInPassword: null })
    const off = { username: 'web1', state: 'suspended' as const, keys: [key('kari')] }
    const on = { ...off, state: 'active' as const }
    const closed = { ...rootOf('web1.example', 'web1'), state: 'closed' as const }
    const upload = () => sftp('web1', ['put /etc/hostname web1.example/public/late'])
    await p.done('sftp-access.ensure', off, { id: 9411 })
    await p.done('document-root.close', closed, { id: 9412 })
    await p.done('document-root.close', closed, { inspect: true })
    await p.done('sftp-access.ensure', on, { id: 9413 })
    expect((await sftp('web1', ['ls'])).code).toBe(0)
    expect((await upload()).said).toContain('ermission denied')
    await p.done('document-root.close', { ...closed, state: 'open' }, { id: 9414 })
    expect((await upload()).code).toBe(0)
    await p.done('document-root.close', { ...closed, state: 'open' }, { id: 9414, task: 'undo' })
    expect((await upload()).code).not.toBe(0)
    await p.done('sftp-access.ensure', on, { id: 9413, task: 'undo' })
    expect((await sftp('web1', ['ls'])).said).toContain('Permission denied')
    await p.done('document-root.close', { ...closed, state: 'open' }, { id: 9415 })
    await p.done('sftp-access.ensure', off, { id: 9411, task: 'undo' })
    expect((await upload()).code).toBe(0)
  })

  test('moves the keys into the trash with the account: a new account does not inherit them, a restore brings them back', async () => {
    await p.done('system-user.ensure', { username: 'gone1', limits })
    await open('gone1')
    await p.done('system-user.remove', { username: 'gone1' }, { id: 9501 })
    await p.done('system-user.ensure', { username: 'gone1', limits }, { id: 9502 })
    expect((await sftp('gone1', ['ls'])).said).toContain('Permission denied')
    await p.done('system-user.remove', { username: 'gone1' }, { id: 9503 })
    await p.done('system-user.restore', { username: 'gone1', taken: [9501] })
    expect((await sftp('gone1', ['ls'])).code).toBe(0)
  })

  test('refuses all access if another file would let accounts out of their folder', async () => {
    const file = '/etc/ssh/sshd_config.d/00-a-friend.conf'
    writeFileSync(`${p.host.root}${file}`, 'Match Group innkeeper-sites\n  ForceCommand none\n  ChrootDirectory none\n')
    try {
      expect(
        (await p.op('sftp-access.ensure', { username: 'web2', state: 'active', keys: [key('kari')] })).reason,
      ).toContain('sshd does not confine web2')
    } finally {
      await p.sh('rm', file)
    }
  })

  test('reverts a configuration that sshd rejects, and keeps sshd running', async () => {
    const other = '/etc/ssh/sshd_config.d/zz-broken.conf'
    writeFileSync(`${p.host.root}${other}`, 'NoSuchOption yes\n')
    await p.sh('sh', '-c', 'echo "# changed" >> /etc/ssh/sshd_config.d/00-innkeeper.conf')
    expect((await p.op('sftp.ensure', {})).reason).toContain('NoSuchOption')
    expect((await sftp('web1', ['ls'])).code).toBe(0)
    await p.sh('rm', other)
    await p.done('sftp.ensure', {})
    expect((await p.done('sftp.ensure', {})).said.join()).toContain('as it should be')
  })

  test('refuses SFTP for a system account of the server', async () => {
    expect((await p.op('sftp-access.ensure', { username: 'root', state: 'active', keys: [] })).reason).toContain(
      'is a system account of this server',
    )
  })

  test('completes the change after a kill at any moment', async () => {
    const input = { username: 'web2', state: 'active', keys: [key('lars')] }
    for (const ms of [20, 80, 160, 300]) await p.killAfter(ms, 'sftp-access.ensure', input)
    await open('web2', { keys: [key('lars')] })
    expect((await sftp('web2', ['ls'], 'lars')).code).toBe(0)
  })
})
