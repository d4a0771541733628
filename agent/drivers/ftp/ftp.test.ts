import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limits, rootOf } from '../../test/fixtures.ts'
import { labDir, type Practice, practice } from '../../test/practice.ts'
import { dial, openFtps } from './test/ftps.ts'

const verdict = await can(labDir)
describe.skipIf(!verdict.able)(verdict.able ? 'FTP' : `FTP (${verdict.reason})`, () => {
  let p: Practice<Host>
  beforeAll(async () => {
    p = await practice(await openLab({ dir: labDir }), 'ftp')
    await p.done('ftp.ensure', { plain: false, before: true })
    await p.done('packages.ensure', { packages: ['pure-ftpd', 'curl', 'lftp', 'nftables'] })
    await p.done('ftp.ensure', { plain: false })
    for (const username of ['web1', 'web2']) {
      await p.done('system-user.ensure', { username, limits })
      await p.done('document-root.ensure', rootOf(`${username}.example`, username))
    }
    writeFileSync(`${p.host.root}/root/hello.html`, 'hello')
  })
  afterAll(() => p?.end())

  const hashOf = (password: string) =>
    execFileSync('openssl', ['passwd', '-6', '-salt', 'abcdefghijklmnop', '-stdin'], { input: password })
      .toString()
      .trim()
  const user = {
    ...{ id: 1, name: 'web1_kari', username: 'web1', site: '/home/web1/web1.example', folder: 'public' },
    ...{ hash: hashOf('open sesame'), state: 'active' as const },
  }
  const login = 'web1_kari:open sesame'
  const curl = (...argv: string[]) => p.host.exec(['curl', '-sS', '-k', '--ssl-reqd', '-m', '20', '-u', login, ...argv])
  const address = 'ftp://127.0.0.1'
  const ftps = 'ftps://127.0.0.1'
  /** The output of lftp for these commands; a failed command does not end the others. */
  const lftp = async (...commands: string[]) => {
    const script = [
      'set ssl:verify-certificate no',
      'set cmd:fail-exit no',
      'set net:max-retries 1',
      ...commands,
      'bye',
    ]
    const { stdout, stderr } = await p.host.exec([
      'lftp',
      '-u',
      'web1_kari,open sesame',
      '-e',
      script.join('; '),
      '127.0.0.1',
    ])
    return stdout + stderr
  }
  const ensure = (more: object = {}, asked = {}) => p.done('ftp-user.ensure', { ...user, ...more }, asked)
  const signsIn = async () => (await curl(`${address}/`)).code === 0
  const sessions = async () => {
    const { output } = await p.done('ftp.sessions', { name: 'web1_kari' })
    return (output as { sessions: { session: number; bytes: number }[] }).sessions // the answer of the operation
  }

  test('uploads and downloads over TLS, as the account of the website', async () => {
    await ensure()
    expect((await curl('-T', '/root/hello.html', `${address}/`)).code).toBe(0)
    expect((await curl(`${address}/hello.html`)).stdout).toBe('hello')
    expect(await p.sh('stat', '--format=%U %G %a', '/home/web1/web1.example/public/hello.html')).toBe('web1 web1 644\n')
    expect(await lftp('ls')).toContain('hello.html')
    expect(
      await lftp(`open -u '${login.replace(':', ',')}' ${ftps}`, 'put /root/hello.html -o lftp.html', 'ls'),
    ).toContain('lftp.html')
    const { output } = await p.done('ftp.transfers', { name: 'web1_kari', limit: 10 })
    const file = '/home/web1/web1.example/public/hello.html'
    expect(output).toMatchObject({
      transfers: [
        { upload: true, bytes: 5, file: file.replace('hello', 'lftp') },
        { upload: false, bytes: 5, file },
        { upload: true, bytes: 5, file },
      ],
    })
  })

  test('port 990: transfers, resumes and lists with TLS from the first byte, as the client of another address', async () => {
    await ensure()
    const [at, file] = [`ftps://${p.host.address}`, '/home/web1/web1.example/public/big']
    await p.sh('sh', '-c', 'head -c 200000000 /dev/urandom > /root/200MB')
    expect((await curl('-T', '/root/200MB', `${at}/big`)).code).toBe(0)
    await p.sh('cmp', '/root/200MB', file)
    await p.sh('truncate', '--size=199999000', file)
    await p.sh('sh', '-c', 'head -c 123456 /root/200MB > /root/back')
    expect((await curl('-C', '199999000', '-T', '/root/200MB', `${at}/big`)).code).toBe(0)
    expect((await curl('-C', '-', '-o', '/root/back', `${at}/big`)).code).toBe(0)
    await p.sh('cmp', '/root/200MB', '/root/back')
    expect((await curl('ftps://[::1]/')).stdout).toContain('big')
    const { output } = await p.done('ftp.transfers', { name: 'web1_kari', limit: 1 })
    expect(output).toMatchObject({ transfers: [{ upload: false, file, address: p.host.address }] })
    const { output: activity } = await p.done('ftp.activity', { since: 1 })
    expect(activity).toMatchObject({ logins: [{ name: 'web1_kari', address: '::1' }], guesses: [] })
    await p.sh('rm', file, '/root/200MB', '/root/back')
  })

  test('port 990: refuses plain data, active mode, and the data connection of another address', async () => {
    await ensure()
    const one = await openFtps(p.host.address)
    for (const [command, code] of [
      ...[['PORT 127,0,0,1,0,25', '500'] as const, ['EPRT |1|127.0.0.1|25|', '500'] as const],
      ...[['PROT c', '534'] as const, ['CCC', '533'] as const, ['P@SW', '500'] as const, ['PASV', '530'] as const],
      ...[['USER web1_kari', '331'] as const, ['PASS open sesame', '230'] as const, ['USER web1', '503'] as const],
      ...[['\xff\xf4\xff\xf2ABOR', '226'] as const, ['PASV', '227'] as const],
    ])
      expect([command, (await one.ask(command))?.slice(0, 3)]).toEqual([command, code])
    const expected = async () => Number((await one.ask('EPSV'))?.match(/\|(\d+)\|/)?.[1])
    const port = await expected()
    const stranger = await p.host.exec(['curl', '-sS', '-m', '5', `telnet://${p.host.address}:${port}`])
    expect(stranger.stdout).toBe('')
    const data = await dial(p.host.address, port) // the stranger did not take the place of the client
    expect(await one.ask('LIST')).toMatch(/^150 /)
    data.socket.write('no TLS')
    expect(await data.ended).not.toContain('index')
    await expect(dial(p.host.address, port)).rejects.toThrow('ECONNREFUSED')
    one.end()
    // a program of a website cannot take the place of a client whose address it reads in /proc
    const thief = ['setpriv', '--reuid=web1', '--regid=web1', '--clear-groups', 'curl', '-sS', '-m', '3']
    for (const [from, code] of [
      ['127.70.1.1', 7],
      ['127.0.0.1', 1],
    ] as const)
      expect((await p.host.exec([...thief, '--interface', from, 'http://127.0.0.1:21/'])).code).toBe(code)
    const two = await openFtps(p.host.address)
    expect(await two.ask('USER '.padEnd(20_000, 'x'))).toBeUndefined()
    const silent = await Promise.all(Array.from({ length: 30 }, () => dial(p.host.address, 990)))
    expect(await Promise.any(silent.map(({ ended }) => ended))).toBe('') // more than one address may have
    for (const { socket } of silent) socket.destroy()
    await expect.poll(async () => (await openFtps(p.host.address)).greeting).toMatch(/^220 /)
  })

  test('port 990: survives a killed front and a restart of pure-ftpd, and repeats without ending a session', async () => {
    await ensure()
    const pid = () => p.sh('systemctl', 'show', '--property=MainPID', '--value', 'innkeeper-ftps')
    const before = await pid()
    await p.sh('systemctl', 'restart', 'innkeeper-ftp')
    await expect.poll(async () => (await curl(`${ftps}/`)).code).toBe(0)
    await p.done('ftp.ensure', { plain: false })
    expect(await pid()).toBe(before)
    await p.sh('kill', '-9', before.trim())
    await expect.poll(async () => (await curl(`${ftps}/`)).code).toBe(0)
    expect((await p.op('ftp.ensure', { plain: false }, { inspect: true })).status).toBe('done')
    await p.sh('systemctl', 'stop', 'innkeeper-ftps')
    await p.done('ftp.ensure', { plain: false })
    expect((await curl(`${ftps}/`)).code).toBe(0)
  })

  test('refuses a wrong password, an unknown name, a Linux account, and a client without TLS', async () => {
    await ensure()
    for (const other of [
      'web1_kari:wrong',
      'nobody_here:x',
      'web1:x',
      'root:x',
      'anonymous:x',
      'web1_kari.*:open sesame',
    ])
      expect([other, (await curl('-u', other, `${address}/`)).code]).toEqual([other, 67])
    expect((await curl('-u', 'web1_kari:wrong', `ftps://${p.host.address}/`)).code).toBe(67)
    const plain = await p.host.exec(['curl', '-sS', '-u', login, `${address}/`])
    expect([plain.code === 0, plain.stdout]).toEqual([false, ''])
    const { output } = await p.done('ftp.activity', { since: 1 })
    expect(output).toMatchObject({
      logins: [{ name: 'web1_kari', address: '127.0.0.1' }],
      guesses: [
        { address: '127.0.0.1', tries: expect.any(Number) },
        { address: p.host.address, tries: 1 },
      ],
    })
    expect((await p.host.exec(['systemctl', 'is-active', 'pure-ftpd'])).stdout.trim()).toBe('inactive')
  })

  test('a client cannot name another address as the one that guesses, nor hide its own', async () => {
    await ensure()
    const tries = async () => {
      const { output } = await p.done('ftp.activity', { since: 1 })
      const found = (output as { guesses: { address: string; tries: number }[] }).guesses
      expect(found.map(({ address }) => address)).not.toContain('198.51.100.9')
      return found.reduce((sum, one) => sum + one.tries, 0)
    }
    const before = await tries()
    // an address behind the own one, and bytes that are no text, at the front and at pure-ftpd itself
    for (const name of ['x@198.51.100.9) [WARNING] y', `${'x'.repeat(99)}@198.51.100.9) [`, 'M\xff\xfe']) {
      const one = await openFtps(p.host.address)
      await one.ask(`USER ${name}`)
      await one.ask('PASS wrong')
      one.end()
      expect((await curl('-u', `${name}:wrong`, `ftp://${p.host.address}/`)).code).toBe(67)
    }
    await expect.poll(tries).toBe(before + 6)
  })

  test('nobody leaves the folder: .., absolute paths, symlinks within it', async () => {
    await ensure()
    await p.sh('ln', '-sfn', '/etc', '/home/web1/web1.example/public/etc')
    await p.sh('ln', '-sfn', '../../..', '/home/web1/web1.example/public/up')
    for (const way of [
      '../../../../etc/passwd',
      '%2fetc/passwd',
      'etc/passwd',
      'up/web2/web2.example/public/index.php',
    ])
      expect((await curl(`${address}/${way}`)).code).not.toBe(0)
    const said = await lftp('cd ..', 'pwd', 'cat /etc/passwd', 'cat etc/passwd', 'ls up/web2')
    expect(said).not.toMatch(/root:|web2\.example/)
    await p.sh('rm', '/home/web1/web1.example/public/etc', '/home/web1/web1.example/public/up')
  })

  test('a folder that becomes a symlink later admits nobody; one that is a symlink is refused', async () => {
    const up = { folder: 'public/up' }
    await ensure(up)
    expect(await signsIn()).toBe(true)
    await p.sh('rm', '-r', '/home/web1/web1.example/public/up')
    await p.sh('ln', '-sfn', '/home/web2/web2.example', '/home/web1/web1.example/public/up')
    expect(await signsIn()).toBe(false)
    expect((await p.op('ftp-user.ensure', { ...user, ...up })).reason).toContain('is not a folder of its own')
    await p.sh('rm', '/home/web1/web1.example/public/up')
    await ensure()
    expect(await signsIn()).toBe(true)
  })

  test('an expired user cannot sign in, without any further operation', async () => {
    await ensure({ expires: 1_700_000_000 })
    expect(await signsIn()).toBe(false)
    await ensure({ expires: 4_000_000_000 })
    expect(await signsIn()).toBe(true)
  })

  test('suspension ends open sessions; a disabled user finishes them; undo restores the sign-in', async () => {
    const open = async (at = '127.0.0.1') => {
      await p.sh('rm', '-f', '/run/released')
      writeFileSync(`${p.host.root}/root/hold`, 'until [ -e /run/released ]; do sleep 0.05; done')
      const hold = 'set ssl:verify-certificate no; ls; !sh /root/hold; bye'
      return p.host.exec(['lftp', '-u', 'web1_kari,open sesame', '-e', hold, at])
    }
    await ensure()
    const release = () => p.sh('touch', '/run/released')
    const held = open()
    await expect.poll(sessions).toHaveLength(1)
    await ensure({ state: 'disabled' })
    expect([await signsIn(), await sessions()]).toEqual([false, [expect.objectContaining({ address: '127.0.0.1' })]])
    await ensure({ state: 'suspended' }, { id: 9701 })
    await expect.poll(sessions).toEqual([])
    await p.done('ftp-user.ensure', { ...user, state: 'suspended' }, { inspect: true })
    await release()
    await held
    await ensure()
    const second = open(`ftps://${p.host.address}`)
    await expect.poll(sessions).toMatchObject([{ address: p.host.address }])
    const [one] = await sessions()
    const end = (name: string) => p.done('ftp-session.end', { name, session: one?.session ?? 2 })
    expect((await end('web1_other')).output).toEqual({ ended: false })
    expect((await end('web1_kari')).output).toEqual({ ended: true })
    await expect.poll(sessions).toEqual([])
    await release()
    await second
    await ensure({ state: 'suspended' }, { id: 9702 })
    await ensure({ state: 'suspended' }, { id: 9702, task: 'undo' })
    expect(await signsIn()).toBe(true)
  })

  test('says what a session transfers, and how much of it there is', async () => {
    await ensure({ uploadKbps: 100 })
    await p.sh('sh', '-c', 'head -c 3000000 /dev/zero > /root/slow')
    const upload = curl('-T', '/root/slow', `${address}/slow`)
    await expect.poll(async () => (await sessions())[0]?.bytes ?? 0).toBeGreaterThan(100_000)
    const [one] = await sessions()
    expect(one).toMatchObject({ state: 'upload', file: 'slow' })
    await p.done('ftp-session.end', { name: 'web1_kari', session: one?.session ?? 2 })
    expect((await upload).code).not.toBe(0)
    await ensure()
  })

  test('enforces the quota, and counts files that existed before', async () => {
    await p.sh('sh', '-c', 'head -c 900000 /dev/zero > /root/big && chown 0:0 /root/big')
    await p.sh('install', '-o', 'web1', '-g', 'web1', '/root/big', '/home/web1/web1.example/public/there')
    await ensure({ quotaMb: 1 })
    expect((await curl('-T', '/root/big', `${address}/more`)).code).not.toBe(0)
    const told = await curl('-v', '-T', '/root/big', `${ftps}/more`)
    expect(told.stderr).toMatch(/^< 552 Quota exceeded/m)
    await p.sh('rm', '/home/web1/web1.example/public/there')
    await ensure({ quotaMb: 1 }, { id: 9711 })
    expect((await curl('-T', '/root/big', `${address}/more`)).code).toBe(0)
    await ensure()
  })

  test('a client that names a website by SNI gets its certificate, any other client that of the server', async () => {
    await ensure()
    const folder = `/etc/innkeeper/tls/${'a'.repeat(64)}`
    const renewed = `/etc/innkeeper/tls/${'b'.repeat(64)}`
    await p.sh('mkdir', '-p', folder, renewed)
    const make = (at: string, unit: string) => {
      const names = ['-subj', `/CN=web1.example/OU=${unit}`, '-addext', 'subjectAltName=DNS:web1.example']
      const how = ['-x509', '-nodes', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-days', '9']
      return p.sh('openssl', 'req', ...how, ...names, '-keyout', `${at}/key.pem`, '-out', `${at}/chain.pem`)
    }
    await make(folder, 'first')
    await make(renewed, 'renewed')
    const conf = (
      await p.sh('sh', '-c', "sed -n 's/.* for folder in \\([^ ]*\\).*/\\1/p' /etc/innkeeper/ftp/certificates")
    ).trim()
    await p.sh('mkdir', '-p', conf)
    await p.sh('sh', '-c', `echo 'ssl_certificate ${folder}/chain.pem;' > ${conf}/web1.example.conf`)
    const shown = async (name: string, port: string) =>
      p.sh(
        'sh',
        '-c',
        `openssl s_client -connect 127.0.0.1:${port} -servername ${name} </dev/null 2>/dev/null | openssl x509 -noout -subject`,
      )
    const ports = ['21 -starttls ftp', '990']
    for (const port of ports) {
      expect(await shown('web1.example', port)).toContain('web1.example')
      expect(await shown('other.example', port)).not.toContain('example')
    }
    // a client that verifies: the name in the address, the certificate as its authority
    const verified = [
      'curl',
      '-sS',
      '--ssl-reqd',
      '--cacert',
      `${folder}/chain.pem`,
      '--resolve',
      'web1.example:21:127.0.0.1',
      '--resolve',
      'web1.example:990:127.0.0.1',
      '-u',
      login,
    ]
    expect((await p.host.exec([...verified, 'ftp://web1.example/'])).code).toBe(0)
    expect((await p.host.exec([...verified, 'ftps://web1.example/'])).code).toBe(0)
    expect((await p.host.exec([...verified, 'ftp://127.0.0.1/'])).code).not.toBe(0)
    await p.sh('sh', '-c', `echo 'ssl_certificate ${renewed}/chain.pem;' > ${conf}/web1.example.conf`)
    for (const port of ports) expect(await shown('web1.example', port)).toContain('renewed')
    await p.sh('rm', '-r', folder, renewed, `${conf}/web1.example.conf`)
  })

  test('a removed user cannot sign in, the files stay, and undo restores the user', async () => {
    await p.done('ftp-user.remove', { id: 1, name: 'web1_kari' }, { id: 9721 })
    expect(await signsIn()).toBe(false)
    await p.sh('test', '-e', '/home/web1/web1.example/public/hello.html')
    await p.done('ftp-user.remove', { id: 1, name: 'web1_kari' }, { id: 9721, task: 'undo' })
    expect(await signsIn()).toBe(true)
  })

  test('refuses the folder and the name of somebody else, and system accounts', async () => {
    const refusal = async (more: object) => (await p.op('ftp-user.ensure', { ...user, ...more })).reason
    expect(await refusal({ site: '/home/web2/web2.example' })).toContain('is not in the home of web1')
    expect(await refusal({ id: 2 })).toContain('Another FTP user')
    expect(await refusal({ username: 'root', site: '/home/root' })).toContain('system account')
  })

  test('completes the change after a kill at any moment, and admits clients without TLS on demand only', async () => {
    for (const ms of [20, 80, 160]) await p.killAfter(ms, 'ftp-user.ensure', { ...user, folder: '' })
    await ensure({ folder: '' })
    expect((await curl(`${address}/public/hello.html`)).stdout).toBe('hello')
    expect((await p.done('ftp.ensure', { plain: false })).said.join()).toContain('as it should be')
    await p.done('ftp.ensure', { plain: true })
    expect((await p.host.exec(['curl', '-sS', '-u', login, `${address}/`])).code).toBe(0)
    await p.done('ftp.ensure', { plain: false })
    expect((await p.host.exec(['curl', '-sS', '-u', login, `${address}/`])).code).not.toBe(0)
  })
})
