import { rmSync, writeFileSync } from 'node:fs'
import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limits, poolOf, rootOf, siteOf } from '../../test/fixtures.ts'
import { labDir, type Practice, practice } from '../../test/practice.ts'

const verdict = await can(labDir)
describe.skipIf(!verdict.able)(verdict.able ? 'PHP' : `PHP (${verdict.reason})`, () => {
  let p: Practice<Host>
  beforeAll(async () => {
    p = await practice(await openLab({ dir: labDir }), 'php')
    await p.provision()
    await p.website('first.example')
    await p.website('second.example', 'web2')
  })
  afterAll(() => p?.end())

  /** The output of a line of PHP on a website. */
  async function php(domain: string, username: string, code: string): Promise<string> {
    const name = `t${performance.now()}.php`.replace('.', '')
    writeFileSync(`${p.host.root}${rootOf(domain, username).path}/${name}`, `<?php ${code}`)
    return (await p.get(domain, `/${name}`)).body
  }
  const unit = (username: string) => `innkeeper-php8.2@${username}.service`
  const show = async (name: string, property: string) =>
    (await p.sh('systemctl', 'show', '--value', `--property=${property}`, name)).trim()

  test('sets PHP up idempotently', async () => {
    const again = await p.done('php.ensure', { phpVersion: '8.2' })
    expect(again.output).toEqual({ version: expect.stringMatching(/^8\.2\.\d+$/) })
    expect(await show('php8.2-fpm.service', 'ActiveState')).toBe('active')
  })

  test('refuses a version that is not installed, with a message', async () => {
    expect(await p.op('php.ensure', { phpVersion: '7.4' })).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('not installed'),
    })
  })

  test('keeps other pools of Debian’s shared php-fpm when one pool is faulty', async () => {
    const bad = `${p.host.root}/etc/php/8.2/fpm/pool.d/bad.conf`
    writeFileSync(bad, '[bad]\nuser = nosuch\nlisten=/run/php/bad.sock\npm=ondemand\npm.max_children=2\n')
    const ran = await p.host.exec(['systemctl', 'reload', 'php8.2-fpm'])
    expect(ran.code).not.toBe(0)
    expect(await show('php8.2-fpm.service', 'ActiveState')).toBe('active')
    expect((await p.get('first.example')).status).toBe(200)
    rmSync(bad)
    await p.sh('systemctl', 'reload', 'php8.2-fpm')
  })

  test('gives a website with settings its own PHP, inside the limits of its account', async () => {
    await p.done('document-root.ensure', rootOf('own.example'))
    await p.done('nginx-site.ensure', siteOf('own.example'))
    const parameters = { memory_limit: 96, max_input_vars: 3210, 'date.timezone': 'Europe/Oslo', display_errors: true }
    const pool = { ...poolOf(), website: 12, parameters }
    await p.done('php-pool.ensure', pool)
    const before = { state: 'active', before: 'active', beforeOwn: null } as const
    await p.done('nginx-site.ensure', { ...siteOf('own.example'), ...before, own: { pool: 12, bodyMb: 80 } })
    const ask =
      'foreach (["memory_limit", "max_input_vars", "date.timezone", "display_errors"] as $n) echo ini_get($n), " ";'
    expect(await php('own.example', 'web1', ask)).toBe('96M 3210 Europe/Oslo 1 ')
    expect(await php('first.example', 'web1', ask)).toMatch(/^128M 1000 /)
    expect(await show('innkeeper-php8.2@web1-12.service', 'Slice')).toBe('innkeeper-web1-12.slice')
    expect(await show('innkeeper-web1-12.slice', 'ControlGroup')).toContain(
      '/innkeeper-web1.slice/innkeeper-web1-12.slice',
    )
    const compared = await p.done('vhost-files.compare', {
      site: { ...siteOf('own.example'), own: { pool: 12, bodyMb: 81 } },
      pools: [pool],
      gone: [],
    })
    const { files } = compared.output as { files: { file: string; is: string; wanted: string }[] }
    expect(files.map(({ file }) => file)).toEqual(['/etc/nginx/innkeeper/sites/own.example.conf'])
    // a pool in use stays
    expect((await p.op('php-pool.remove', { ...poolOf(), website: 12 })).status).toBe('failed')
    await p.done('nginx-site.ensure', { ...siteOf('own.example'), ...before })
    await p.done('php-pool.remove', { username: 'web1', phpVersion: '8.2', website: 12 })
    expect(await php('own.example', 'web1', ask)).toMatch(/^128M 1000 /)
  })

  test('loads the extensions that a website chose, and those as usual once it chose none', async () => {
    const { output } = await p.done('php-extensions.list', { phpVersion: '8.2' })
    const { extensions } = output as { extensions: { name: string; usual: boolean }[] }
    expect(extensions).toContainEqual({ name: 'curl', usual: true })
    await p.sh('rm', '/etc/php/8.2/fpm/conf.d/20-ftp.ini')
    await p.done('document-root.ensure', rootOf('chosen.example'))
    const key = { ...poolOf(), website: 13 }
    const ensure = (parameters: object) => p.op('php-pool.ensure', { ...key, parameters })
    await p.done('php-pool.ensure', { ...key, parameters: { extensionsOn: ['ftp'], extensionsOff: ['curl', 'intl'] } })
    await p.done('nginx-site.ensure', { ...siteOf('chosen.example'), own: { pool: 13, bodyMb: 64 } })
    const ask = 'foreach (["ftp", "curl", "intl", "mysqli"] as $n) echo (int) extension_loaded($n);'
    expect(await php('chosen.example', 'web1', ask)).toBe('1001')
    expect(await php('first.example', 'web1', ask)).toBe('1111') // the website still runs with the former choice
    // what the server lacks or PHP cannot load is refused, and the last choice stays in force
    expect(await ensure({ extensionsOn: ['xdebug'] })).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('xdebug'),
    })
    expect(await ensure({ extensionsOff: ['dom'] })).toMatchObject({ status: 'failed' })
    expect(await php('chosen.example', 'web1', ask)).toBe('1001')
    await p.done('php-pool.ensure', { ...key, parameters: { max_input_vars: 2000 } })
    expect(await php('chosen.example', 'web1', ask)).toBe('0111')
    await p.sh('ln', '-s', '/etc/php/8.2/mods-available/ftp.ini', '/etc/php/8.2/fpm/conf.d/20-ftp.ini')
    await p.done('nginx-site.ensure', {
      ...siteOf('chosen.example'),
      state: 'active',
      before: 'active',
      beforeOwn: { pool: 13, bodyMb: 64 },
    })
    await p.done('php-pool.remove', { username: 'web1', phpVersion: '8.2', website: 13 })
    expect(await p.sh('ls', '/etc/innkeeper/php/8.2', '/etc/systemd/system')).not.toContain('web1-13')
  })

  test('that has left its folders reads nothing of its neighbours and runs nothing that it wrote', async () => {
    expect((await p.get('second.example', '/?token=hidden')).status).toBe(200)
    // an agent before this one left logs open, also rotated ones
    const logs = '/var/log/nginx'
    await p.sh(
      'sh',
      '-c',
      `cd ${logs} && cp second.example.access.log second.example.access.log.1 && chmod 644 * && chmod 755 .`,
    )
    await p.done('nginx.ensure', {})
    expect(await p.sh('cat', `${logs}/second.example.access.log.1`)).toContain('token=hidden')
    // native code in PHP, as a library of a preloading program would be
    const attack = (script: string) =>
      p.host.exec([
        ...[
          'sh',
          '-c',
          'exec nsenter --target "$(systemctl show -P MainPID "$1")" --mount "$0" --reuid=web1 --regid=web1 --clear-groups sh -c "$2"',
        ],
        ...['setpriv', unit('web1'), script],
      ])
    for (const path of [
      ...[
        `${logs}/second.example.access.log`,
        `${logs}/second.example.access.log.1`,
        `${logs}/second.example.error.log`,
      ],
      ...['/etc/nginx/innkeeper/sites/second.example.conf', '/etc/innkeeper/php/8.2/web2.conf', '/proc/1/cmdline'],
      ...['/home/web2/second.example', '/var/lib/innkeeper', '/root'],
    ])
      expect(await attack(`[ -d ${path} ] && ls -A ${path} || cat ${path}`), path).toMatchObject({
        stdout: '',
      })
    expect((await attack('systemctl list-units')).stdout).toBe('')
    expect((await attack('ps -eo user=')).stdout.trim().split(/\s+/)).not.toContain('root')
    for (const folder of ['/home/web1', '/tmp', '/var/tmp', '/dev/shm', '/run/lock']) {
      const ran = await attack(`cp /bin/true ${folder}/x && ${folder}/x`)
      expect(ran, folder).toMatchObject({ code: 126, stderr: expect.stringContaining('Permission denied') })
    }
    await p.sh('sh', '-c', 'cp /lib/*/libm.so.6 /home/web1/own.so && chown web1: /home/web1/own.so')
    expect((await attack('LD_PRELOAD=/home/web1/own.so /bin/true')).stderr).toContain('cannot be preloaded')
    // applications still set variables of their environment
    expect(await php('first.example', 'web1', 'putenv("LC_ALL=C"); echo getenv("LC_ALL");')).toBe('C')
  })

  test('of an older agent gets its protection when PHP is set up again', async () => {
    const file = '/etc/systemd/system/innkeeper-php8.2@.service'
    await p.sh(
      'sh',
      '-c',
      `sed -i '/Protect\\|Exec[^SR]\\|Inaccessible/d' ${file} && systemctl daemon-reload && systemctl restart ${unit('web1')} && sleep 1.1`,
    )
    await p.done('php.ensure', { phpVersion: '8.2' })
    expect((await p.get('first.example')).status).toBe(200)
    const ran = await p.host.exec([
      'sh',
      '-c',
      `nsenter --target $(systemctl show -P MainPID ${unit('web1')}) --mount findmnt -no OPTIONS /proc`,
    ])
    expect(ran.stdout).toContain('hidepid=invisible')
  })

  test('runs code as the account, confined to its home, without starting programs', async () => {
    const say =
      'echo json_encode([posix_geteuid(), @file_get_contents("/etc/passwd"), @scandir("/home/web2"), function_exists("exec"), ini_get("memory_limit")]);'
    const [uid, passwd, other, exec, memory] = JSON.parse(await php('first.example', 'web1', say))
    expect(uid).toBe(Number(await p.sh('id', '-u', 'web1')))
    expect([passwd, other, exec, memory]).toEqual([false, false, false, '128M'])
  })

  test('offers what applications need: sessions, temporary files, uploads, common extensions', async () => {
    const say = `session_start(); $_SESSION["n"] = 1; session_write_close();
      $f = tempnam(sys_get_temp_dir(), "x"); file_put_contents($f, "y"); mkdir(__DIR__ . "/d"); rename($f, __DIR__ . "/d/y");
      echo json_encode([session_status() !== PHP_SESSION_DISABLED, file_get_contents(__DIR__ . "/d/y"), ini_get("upload_max_filesize"),
        extension_loaded("mbstring") && extension_loaded("gd") && extension_loaded("xml"), error_get_last()]);`
    expect(JSON.parse(await php('first.example', 'web1', say))).toEqual([true, 'y', '64M', true, null])
  })

  test('applies the account’s limits to its websites, and to nothing else', async () => {
    expect(await show(unit('web1'), 'ControlGroup')).toContain('innkeeper-web1.slice')
    const memory = () =>
      p.sh(
        'sh',
        '-c',
        'cat /sys/fs/cgroup/memory/innkeeper.slice/innkeeper-web1.slice/memory.limit_in_bytes 2>/dev/null || cat /sys/fs/cgroup/innkeeper.slice/innkeeper-web1.slice/memory.max',
      )
    expect(Number(await memory())).toBe(256 * 1024 * 1024)
    await p.done('system-user.ensure', { username: 'web1', limits: { ...limits, memoryMb: 300 } })
    expect(Number(await memory())).toBe(300 * 1024 * 1024)
  })

  test('refuses a pool for a system account', async () => {
    const { reason } = await p.op('php-pool.ensure', poolOf('backup'))
    expect(reason).toBe('backup is a system account of this server')
  })

  test('runs a changed pool without losing requests of others', async () => {
    const before = await show(unit('web2'), 'MainPID')
    await p.done('php-pool.ensure', { ...poolOf('web1'), memoryLimitMb: 96 })
    expect(await php('first.example', 'web1', 'echo ini_get("memory_limit");')).toBe('96M')
    expect(await show(unit('web2'), 'MainPID')).toBe(before)
  })

  test('serves the new files and drops its caches after a restart, in websites’ own pools too', async () => {
    const pool = { ...poolOf('web2'), website: 34, parameters: { 'opcache.revalidate_freq': 3600 } }
    await p.done('php-pool.ensure', pool)
    await p.done('nginx-site.ensure', { ...siteOf('second.example', 'web2'), own: { pool: 34, bodyMb: 64 } })
    const file = `${rootOf('second.example', 'web2').path}/page.php`
    const has = async (text: string, day: number) => {
      const page = `printf "<?php echo '%s';" "$1" > "$2.new" && touch -d "2024-01-0$3" "$2.new" && mv "$2.new" "$2"`
      await p.sh('sh', '-c', page, 'sh', text, file, `${day}`)
    }
    const page = async () => (await p.get('second.example', '/page.php')).body
    await has('before', 1)
    expect(await page()).toBe('before')
    await has('after', 2)
    expect(await page()).toBe('before') // the old file is still in the opcode cache, by the website's own setting
    const { said } = await p.done('php-pool.renew', { username: 'web2' })
    expect(said.join()).toMatch(/web2 restarted[\s\S]*web2-34 restarted/)
    expect(await page()).toBe('after')
    // with `back`, only undo restarts PHP
    await has('later', 3)
    const back = { username: 'web2', back: true } as const
    await p.done('php-pool.renew', back)
    expect(await page()).toBe('after')
    await p.done('php-pool.renew', back, { task: 'undo' })
    expect(await page()).toBe('later')
    // a restarted pool is still the same pool
    expect((await p.done('php-pool.ensure', pool)).said.join()).toContain('as it should be')
    expect((await p.op('php-pool.ensure', pool, { inspect: true })).said.join()).toContain('took effect')
    const site = { ...siteOf('second.example', 'web2'), own: { pool: 34, bodyMb: 64 } }
    const compared = await p.done('vhost-files.compare', { site, pools: [pool, poolOf('web2')], gone: [] })
    expect(compared.output).toEqual({ files: [] })
    expect((await p.done('php-pool.renew', { username: 'nobody0' })).said.join()).toContain('no PHP')
    await p.done('nginx-site.ensure', siteOf('second.example', 'web2'))
    await p.done('php-pool.remove', { username: 'web2', phpVersion: '8.2', website: 34 })
  })

  test('refuses a pool that php-fpm rejects, and keeps the last working one', async () => {
    // a folder at the socket's path: the pool file is valid, but loading fails
    await p.done('system-user.ensure', { username: 'web3', limits })
    await p.sh('mkdir', '/run/php/web3-8.2.sock', '/run/php/web3-8.2.sock/x')
    const refused = await p.op('php-pool.ensure', poolOf('web3'))
    expect(refused).toMatchObject({ status: 'failed', reason: expect.stringMatching(/socket|bind|listen|directory/i) })
    expect(await p.sh('ls', '/etc/innkeeper/php/8.2')).not.toContain('web3')
    expect((await p.get('second.example')).status).toBe(200)
    await p.sh('rm', '-r', '/run/php/web3-8.2.sock')
    await p.done('php-pool.ensure', poolOf('web3'))
  })

  test('detects a reload that returns 0 without effect, and restores the last working pool', async () => {
    const text = () => p.sh('cat', '/etc/innkeeper/php/8.2/web2.conf')
    const before = await text()
    // the process is stopped, so the reload signal has no effect
    await p.sh('kill', '-STOP', await show(unit('web2'), 'MainPID'))
    const refused = await p.op('php-pool.ensure', { ...poolOf('web2'), memoryLimitMb: 111 })
    expect(refused).toMatchObject({ status: 'failed', reason: expect.stringContaining('does not answer') })
    expect(await text()).toBe(before)
    expect(await php('second.example', 'web2', 'echo ini_get("memory_limit");')).toBe('128M')
  })

  test('refuses a pool of an unknown account or version', async () => {
    expect((await p.op('php-pool.ensure', poolOf('nobody0'))).reason).toContain('no account')
    expect((await p.op('php-pool.ensure', { ...poolOf('web1'), phpVersion: '8.4' })).reason).toContain('not installed')
  })

  test('refuses hostile values, and writes them to no pool', async () => {
    for (const username of ['x;id', '../e', 'a\n[b]', 'root]', '', 'A'])
      expect(await p.anyOp('php-pool.ensure', { ...poolOf(), username })).toMatchObject({ status: 'failed' })
    for (const more of [{ phpVersion: '8.2/../x' }, { memoryLimitMb: -1 }, { maxChildren: '4\nuser = root' }])
      expect(await p.anyOp('php-pool.ensure', { ...poolOf(), ...more })).toMatchObject({ status: 'failed' })
    expect((await p.sh('ls', '/etc/innkeeper/php/8.2')).trim().split('\n')).toEqual([
      'web1.conf',
      'web2.conf',
      'web3.conf',
    ])
  })

  test('undo of a change restores the former pool, and keeps an existing one', async () => {
    const { id } = await p.done('php-pool.ensure', { ...poolOf('web2'), memoryLimitMb: 200 })
    await p.done('php-pool.ensure', { ...poolOf('web2'), memoryLimitMb: 200 }, { id, task: 'undo' })
    expect(await php('second.example', 'web2', 'echo ini_get("memory_limit");')).toBe('128M')
    const other = await p.done('php-pool.ensure', poolOf('web2'))
    await p.done('php-pool.ensure', poolOf('web2'), { id: other.id, task: 'undo' })
    expect((await p.get('second.example')).status).toBe(200)
  })

  test('refuses to remove a pool in use; later removes it completely, and undo restores it', async () => {
    const key = { username: 'web2', phpVersion: '8.2' }
    expect((await p.op('php-pool.remove', key)).reason).toContain('second.example')
    const { state: _, ...site } = siteOf('second.example', 'web2')
    const gone = await p.done('nginx-site.remove', site)
    const { id } = await p.done('php-pool.remove', key)
    await p.done('php-pool.remove', key, { id })
    expect(
      await p.sh('sh', '-c', 'ls /run/php /etc/innkeeper/php/8.2; systemctl list-units --all --plain "innkeeper-php*"'),
    ).not.toContain('web2')
    await p.done('php-pool.remove', key, { id, task: 'undo' })
    await p.done('nginx-site.remove', site, { id: gone.id, task: 'undo' })
    expect((await p.get('second.example')).status).toBe(200)
  })

  test('inspect answers yes only for a pool that runs with exactly this file', async () => {
    const looked = async () => (await p.op('php-pool.ensure', poolOf('web2'), { inspect: true })).said.join()
    expect(await looked()).toContain('took effect')
    await p.sh('sed', '-i', 's/memory_limit] = .*/memory_limit] = 1M/', '/etc/innkeeper/php/8.2/web2.conf')
    expect(await looked()).toContain('did not take effect')
    await p.sh('systemctl', 'stop', unit('web2'))
    expect(await looked()).toContain('did not take effect')
    expect((await p.get('second.example')).status).toBe(200)
  })

  test('serves the websites after a power cut', async () => {
    await p.host.off()
    await p.host.up()
    expect((await p.get('first.example')).status).toBe(200)
    expect((await p.get('second.example')).status).toBe(200)
  })

  test('completes an attempt that was killed', async () => {
    for (let ms = 10; ms < 120; ms += 20) {
      await p.killAfter(ms, 'php-pool.ensure', { ...poolOf('web1'), memoryLimitMb: 64 + ms })
      await p.done('php-pool.ensure', { ...poolOf('web1'), memoryLimitMb: 64 + ms }, { inspect: true })
      expect(await php('first.example', 'web1', 'echo ini_get("memory_limit");')).toBe(`${64 + ms}M`)
    }
  })
})
