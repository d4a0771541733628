import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Website } from '@innkeeper/contract/hosting/websites'
import type { Backup, Repository, TreeEntry } from '@innkeeper/contract/recovery/backups/shapes'
import type { Host } from '@innkeeper/lab/host'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { letPass } from '../bin/pass.ts'
import { enrol, freshHost, onHosts } from './hosts.ts'
import type { Innkeeper } from './innkeeper.ts'
import { created, ends, visit } from './sites.ts'
import { openStage, type Stage } from './stage.ts'
import { until } from './until.ts'

const page = `<?php
require __DIR__ . '/wp-config.php';
$db = new mysqli(DB_HOST, DB_USER, DB_PASSWORD, DB_NAME);
$n = $db->query('select count(*) from orders')->fetch_row()[0];
echo "orders=$n files=", count(glob(__DIR__ . '/uploads/*')), ' of ', defined('WP_HOME') ? WP_HOME : 'nothing';
`
const config = (name: string, user: string, password: string) => `<?php
define( 'DB_NAME', '${name}' );
define( 'DB_USER', '${user}' );
define( 'DB_PASSWORD', '${password}' );
define( 'DB_HOST', 'localhost' );
require_once __DIR__ . '/wp-settings.php';
`

const startOf = 'select words from orders where id = 1'

describe('backups of a web server on a backup server', onHosts, () => {
  let stage: Stage
  let innkeeper: Innkeeper
  let web: Host
  let keeper: Host
  let keeperId: number
  let backupServerId: number
  let shop: Website
  let good: Backup
  let database: { id: number; name: string }

  beforeAll(async () => {
    stage = await openStage('e2e-shop', { layer: 'databases' })
    innkeeper = stage.innkeeper
    web = stage.host
    keeper = await freshHost(stage.lab, 'e2e-vault')
    keeperId = await enrol(innkeeper, keeper, 'backup')
  })
  afterAll(async () => {
    await keeper?.wipe()
    await stage?.close()
  })

  const call = (method: 'GET' | 'POST' | 'DELETE' | 'PATCH', path: string, body?: unknown) =>
    innkeeper.must(method, path, body)
  const done = async (method: 'POST' | 'DELETE', path: string, body: unknown = {}) => {
    const begun = await call(method, path, body)
    await ends(innkeeper, begun.workflowId, 'done')
    return begun.data
  }
  const root = async (host: Host, ...argv: string[]) => {
    const ran = await host.exec(argv)
    if (ran.code !== 0) throw new Error(`${argv.join(' ')}: ${ran.stdout}${ran.stderr}`)
    return ran.stdout
  }
  const as = ({ username }: { username: string }, script: string) =>
    root(web, 'setpriv', `--reuid=${username}`, `--regid=${username}`, '--clear-groups', 'bash', '--norc', '-c', script)
  const put = ({ username, documentRoot }: Website, file: string, input: string) =>
    web.exec(
      [
        ...['setpriv', `--reuid=${username}`, `--regid=${username}`, '--clear-groups'],
        ...['dd', `of=${documentRoot}/${file}`, 'status=none'],
      ],
      { input },
    )
  const sql = async (name: string, text: string) => (await root(web, 'mariadb', '-N', name, '-e', text)).trim()
  const shown = async (domain: string) => (await visit(web.address, domain)).body
  /** Names, modes, owners, links, times and content of everything in the folder. */
  const state = (folder: string) =>
    root(
      web,
      'bash',
      '-c',
      `cd ${folder} && find . -mindepth 1 -printf '%P %y %m %u %g %n %l %T@\\n' | sort && find . -type f -exec sha256sum {} + | sort`,
    )
  const folderOf = ({ documentRoot }: Website) => documentRoot.replace(/\/public$/, '')
  const backUp = async (website: Website) => {
    const { id } = await done('POST', '/backups/backups', { websiteId: website.id, backupServerId })
    return (await call('GET', `/backups/backups/${id}`)) as Backup
  }
  const repositoryOf = async (): Promise<Repository> => (await call('GET', '/backups/repositories'))[0][0]
  /** Runs plain restic on the backup server, with the address and password that Innkeeper shows. */
  const restic = async (...words: string[]) => {
    const { id, account } = await repositoryOf()
    const { password } = await call('POST', `/backups/repositories/${id}/password`, {})
    return keeper.exec([
      ...['setpriv', '--reuid=innkeeper-backup', '--regid=innkeeper-backup', '--clear-groups', 'env', 'HOME=/tmp'],
      ...[`RESTIC_PASSWORD=${password}`, '/opt/innkeeper/backup/restic', '--no-cache'],
      ...['-r', `/srv/innkeeper/backups/${account}`, ...words],
    ])
  }
  const restored = async (body: object) => {
    const data = await done('POST', '/backups/restores', body)
    return call('GET', `/backups/tasks/restores/${data.id}`)
  }

  test('a website is backed up, damaged and restored exactly as it was', async () => {
    const made = await call('POST', '/backups/servers', { serverId: keeperId })
    backupServerId = made.data.id
    await ends(innkeeper, made.workflowId, 'done')
    shop = await created(innkeeper, stage.server, 'shop.example', { database: true })
    database = (await call('GET', `/database/websites/${shop.id}`)).items[0]
    const user = (await call('GET', `/database/websites/${shop.id}`)).items[0].users[0]
    const { username, password } = await call('POST', `/database/users/${user.id}/reveal`)
    await sql(
      database.name,
      `create table orders (id int primary key auto_increment, words varchar(200));
       create table people (id int primary key, name varchar(60));
       insert into orders (words) select repeat(md5(seq), 5) from seq_1_to_5000;
       update orders set words = 'http://shop.example/start' where id = 1; insert into people values (1, 'Åse'), (2, 'Bo');
       create view newest as select max(id) as id from orders; create trigger t before insert on people for each row set new.name = upper(new.name);`,
    )
    await put(shop, 'wp-config.php', config(database.name, username, password))
    await put(shop, 'wp-settings.php', '<?php\n')
    await put(shop, 'index.php', page)
    await as(
      shop,
      `cd ${shop.documentRoot} && mkdir -p uploads/2026 && for n in $(seq 300); do echo file $n > uploads/file-$n.txt; done &&
       ln uploads/file-1.txt uploads/2026/linked.txt && ln -s ../index.php uploads/2026/soft && printf x > 'uploads/new
line' && printf y > uploads/$(printf 'latin\\351') && chmod 640 uploads/file-2.txt && truncate -s 30M uploads/2026/sparse`,
    )
    await until('PHP answers', async () => (await shown('shop.example')).startsWith('orders=5000'))
    const before = await state(folderOf(shop))
    const seen = await shown('shop.example')
    good = await backUp(shop)
    expect(good).toMatchObject({ status: 2, error: null })
    expect(JSON.parse((await restic('snapshots', '--json')).stdout)).toHaveLength(3) // files, database, settings
    expect((await restic('check', '--read-data')).code).toBe(0)

    await as(shop, `rm -rf ${shop.documentRoot}/uploads ${shop.documentRoot}/index.php`)
    await put(shop, 'index.html', 'defaced')
    await sql(database.name, 'drop table orders; delete from people')
    expect((await restored({ backupId: good.id })).result).toBe('success')
    expect(await state(folderOf(shop))).toBe(before)
    expect(await shown('shop.example')).toBe(seen)
    expect(
      await sql(
        database.name,
        'select count(*) from orders; select name from people order by id; select id from newest',
      ),
    ).toBe('5000\nÅse\nBo\n5000')
  })

  test('one table and one folder are restored, and nothing else', async () => {
    await sql(database.name, "delete from orders where id > 10; update people set name = 'kept'")
    await as(shop, `cd ${shop.documentRoot} && rm uploads/file-3.txt && echo new > later.txt`)
    const tables = [{ database: database.id, tables: ['orders'] }]
    const common = { backupId: good.id, scope: 'server only' }
    await restored({ ...common, paths: ['public/uploads'], databases: [database.id], tables })
    expect(
      await sql(database.name, 'select count(*) from orders; select distinct name from people; show triggers'),
    ).toMatch(/^5000\nkept\nt\t/i)
    const { documentRoot } = shop
    expect(await root(web, 'cat', `${documentRoot}/uploads/file-3.txt`, `${documentRoot}/later.txt`)).toBe(
      'file 3\nnew\n',
    )
  })

  test('a backup is restored into the folder and database of another website, and the first website stays unchanged', async () => {
    const other = await created(innkeeper, stage.server, 'other.example', { database: true })
    const present = await call('POST', `/backups/backups/${good.id}/present`, { websiteId: other.id })
    expect(present.files).toBeGreaterThanOrEqual(0)
    const restore = await restored({ backupId: good.id, websiteId: other.id, userId: other.ownerId })
    expect(restore).toMatchObject({ result: 'success', domain: 'other.example', fromDomain: 'shop.example' })
    const theirs = (await call('GET', `/database/websites/${other.id}`)).items[0]
    expect(await shown('other.example')).toBe('orders=5000 files=303 of http://other.example')
    expect(await sql(theirs.name, startOf)).toBe('http://other.example/start')
    await sql(theirs.name, 'delete from orders where id > 7')
    expect(await shown('other.example')).toContain('orders=7 ')
    expect(await shown('shop.example')).toContain('orders=5000 ')
    const owners = await root(web, 'find', folderOf(other), '-not', '-user', other.username)
    expect(owners).toBe('')
  })

  test('a backup becomes a new website, also after the first website was deleted', async () => {
    const doomed = await created(innkeeper, stage.server, 'doomed.example')
    await put(doomed, 'index.php', '<?php echo "still here";')
    const backup = await backUp(doomed)
    await done('DELETE', `/websites/${doomed.id}`, {})
    await restored({ backupId: backup.id, domain: 'doomed.example', originServer: stage.server })
    expect(await shown('doomed.example')).toBe('still here')
    const copy = await restored({ backupId: good.id, domain: 'copy.example', originServer: stage.server })
    expect(copy.result).toBe('success')
    expect(await shown('copy.example')).toBe('orders=5000 files=303 of http://copy.example')
    const { items } = await call('GET', `/database/websites/${copy.websiteId}`)
    expect(items[0].name).not.toBe(database.name)
    expect(await sql(items[0].name, startOf)).toBe('http://copy.example/start')
  })

  test('DNS records, certificate, cron jobs and FTP users are restored only if chosen', async () => {
    const { id: zone } = await call('POST', '/dns/zones', { domain: 'kept.example' })
    const record = (content: string) => ({ name: 'note', type: 'TXT', content })
    await call('PATCH', '/dns/records', { zoneId: zone, create: [record('then')] })
    const site = await created(innkeeper, stage.server, 'kept.example')
    const selfSigned = await call('POST', '/ssl-controller/certificate/self-signed', { websiteId: site.id })
    await ends(innkeeper, selfSigned.workflowId, 'done')
    const shownNow = async () => (await web.exec(['sh', '-c', `${tlsOf} | openssl x509 -noout -fingerprint`])).stdout
    const tlsOf = `echo | openssl s_client -connect 127.0.0.1:443 -servername kept.example 2>/dev/null`
    await root(web, 'apt-get', 'install', '-y', 'cron')
    const jobs = (text: string) => web.exec(['crontab', '-u', site.username, '-'], { input: text })
    const cron = async () => (await web.exec(['crontab', '-u', site.username, '-l'])).stdout
    await jobs(`MAILTO=me@kept.example\n5 3 * * * php ${site.documentRoot}/nightly.php\n`)
    const addFtp = async (name: string) => {
      const made = await call('POST', '/ftp/ftp-users', { websiteId: site.id, name, folder: 'public' })
      await ends(innkeeper, made.workflowId, 'done')
      return { ...made.data, password: made.password } as { id: number; username: string; password: string }
    }
    const upload = async ({ username, password }: { username: string; password: string }, file: string) => {
      const argv = [
        'curl',
        '-sS',
        '-k',
        '--ssl-reqd',
        '-m',
        '20',
        '-u',
        `${username}:${password}`,
        '-T',
        '/etc/hostname',
      ]
      const { code, stderr } = await web.exec([...argv, `ftp://127.0.0.1/${file}`])
      if (code !== 0 && code !== 67) throw new Error(stderr) // 67: the sign-in was refused
      return code === 0
    }
    const kari = await addFtp('kari')
    const lars = await addFtp('lars')
    expect(await upload(kari, 'before.txt')).toBe(true)
    const fingerprint = await shownNow()
    expect(fingerprint).toContain('Fingerprint=')

    const backup = await backUp(site)
    const kept = backup.parts.find(({ resource }) => resource === 'settings')
    expect(kept?.holds?.map(({ kind }) => kind)).toEqual(['ftp-user', 'dns-record', 'certificate', 'crontab'])
    const dumped = JSON.parse((await restic('dump', kept?.snapshot ?? '', '/settings.json')).stdout)
    expect(dumped.settings.website.domain).toBe('kept.example')
    expect(dumped.settings.kept.certificate.key).toContain('PRIVATE KEY')

    const text = async () =>
      (await call('GET', `/dns/records?zoneId=${await zoneId()}&itemsPerPage=200`)).items
        .filter(({ type }: { type: string }) => type === 'TXT')
        .map(({ content }: { content: string }) => content)
        .join()
    const zoneId = async () => (await call('GET', '/dns/zones?search=kept.example')).items[0]?.id
    const [old] = (await call('GET', `/dns/records?zoneId=${zone}&itemsPerPage=200&search=then`)).items
    await call('PATCH', '/dns/records', { zoneId: zone, delete: [old.id], create: [record('now')] })
    const off = await call('DELETE', `/ssl-controller/websites/${site.id}`)
    await ends(innkeeper, off.workflowId, 'done')
    const [certificate] = (await call('GET', `/ssl-controller/certificates/${site.id}`)).items
    await call('DELETE', `/ssl-controller/certificate/${certificate.id}`, {})
    await jobs('1 1 * * * true\n')
    await done('DELETE', `/ftp/ftp-users/${kari.id}`)
    expect(await upload(kari, 'gone.txt')).toBe(false)
    const { workflowId, password } = await call('POST', `/ftp/ftp-users/${lars.id}/password`, {})
    await ends(innkeeper, workflowId, 'done')

    const none = { backupId: backup.id, scope: 'server only', paths: [], databases: [] }
    const preview = await call('GET', `/backups/backups/${backup.id}/restore`)
    expect(preview.settings.map(({ closed }: { closed: unknown }) => closed)).toEqual([null, null, null, null])
    await restored({ backupId: backup.id })
    expect([await text(), await cron(), await shownNow()]).toEqual(['"now"', '1 1 * * * true\n', ''])
    await restored({ ...none, settings: ['crontab'] })
    expect(await cron()).toBe(`MAILTO=me@kept.example\n5 3 * * * php ${site.documentRoot}/nightly.php\n`)
    expect([await text(), await shownNow()]).toEqual(['"now"', ''])
    await restored({ ...none, settings: ['dns-record'] })
    expect([await text(), await shownNow()]).toEqual(['"then"', ''])
    await call('DELETE', `/dns/zones`, { zoneId: zone })
    expect(await zoneId()).toBeUndefined()
    await restored({ ...none, settings: ['dns-record', 'certificate'] })
    expect([await text(), await shownNow()]).toEqual(['"then"', fingerprint])
    const [again] = (await call('GET', `/ssl-controller/certificates/${site.id}`)).items
    expect(again).toMatchObject({ kind: 'self-signed', status: 'active' })

    expect(await upload(kari, 'still-gone.txt')).toBe(false)
    await restored({ ...none, settings: ['ftp-user'] })
    expect(await upload(kari, 'again.txt')).toBe(true)
    // an FTP user that exists keeps the password of today
    expect([await upload(lars, 'old.txt'), await upload({ ...lars, password }, 'new.txt')]).toEqual([false, true])
    const second = await restored({
      backupId: backup.id,
      domain: 'kept2.example',
      originServer: stage.server,
      settings: ['ftp-user'],
    })
    const { items } = await call('GET', `/ftp/ftp-users?websiteIds=${second.websiteId}`)
    expect(items.map(({ name }: { name: string }) => name)).toEqual(['kari2', 'lars2']) // the websites share an account
    expect(await upload({ ...kari, username: items[0].username }, 'second.txt')).toBe(true)
    expect(await upload({ ...lars, username: items[1].username }, 'third.txt')).toBe(true) // its password of the backup
    const there = await root(web, 'find', '/home', '-name', 'second.txt', '-printf', '%p %u')
    expect(there).toMatch(/^\/home\/(\w+)\/kept2\.example\/public\/second\.txt \1$/)
  })

  test('the tree is searched, a file has its versions, and files and folders are downloaded', async () => {
    await as(shop, `echo changed > ${shop.documentRoot}/uploads/file-9.txt`)
    const second = await backUp(shop)
    await backUp(shop)
    const path = '/public/uploads/file-9.txt'
    const found = await call('GET', `/backups/backups/${good.id}/find?text=FILE-29`)
    expect(found.items.map((one: TreeEntry) => one.name)).toContain('file-299.txt')
    expect(found.items).toHaveLength(11)
    const { items } = await call('GET', `/backups/backups/${good.id}/versions?path=${path}`)
    expect(items).toMatchObject([
      { backups: 2, size: 8 },
      { backupId: good.id, backups: 1, size: 7 },
    ])
    const fetched = async (id: number, query: string) => {
      const answer = await fetch(`${innkeeper.url}/api/backups/backups/${id}/download?${query}`, {
        headers: { authorization: `Bearer ${innkeeper.token}` },
      })
      return { answer, bytes: Buffer.from(await answer.arrayBuffer()) }
    }
    expect((await fetched(good.id, `path=${path}`)).bytes.toString()).toBe('file 9\n')
    expect((await fetched(second.id, `path=${path}`)).bytes.toString()).toBe('changed\n')
    const whole = await fetched(good.id, 'path=/public&archive=tar')
    expect(whole.answer.status, whole.bytes.toString('utf8', 0, 500)).toBe(200)
    expect(whole.answer.headers.get('content-disposition')).toContain('shop.example-public-')
    const folder = mkdtempSync(join(tmpdir(), 'innkeeper-archive-'))
    try {
      writeFileSync(join(folder, 'a.tar'), whole.bytes)
      execFileSync('tar', ['-C', folder, '-xf', join(folder, 'a.tar'), '--no-same-owner'])
      expect(readFileSync(join(folder, 'public/uploads/file-300.txt'), 'utf8')).toBe('file 300\n')
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
    const none = await fetched(good.id, 'path=/public/none')
    expect(none.answer.status).toBe(404)
    const [logs] = await call('GET', '/backups/logs/backups?search=downloads')
    expect(logs[0].message).toContain('/public of the backup of shop.example')
  })

  test('kill -9 of restic, a stopped rest-server and a wrong password fail clearly and leave no lock', async () => {
    await as(shop, `dd if=/dev/urandom of=${shop.documentRoot}/big bs=1M count=300 status=none`)
    const begin = async () =>
      (await call('POST', '/backups/backups', { websiteId: shop.id, backupServerId })) as { workflowId: number }
    const running = () =>
      until('restic runs', async () => (await web.exec(['pgrep', '-f', 'restic .*backup --json'])).code === 0, 20)
    const killed = await begin()
    // whichever part restic is at; a quick machine ends the database's part within a look
    const kill = ['pkill', '-KILL', '-f', '/opt/innkeeper/backup/restic .*backup --json']
    await until('restic is killed', async () => (await web.exec(kill)).code === 0, 20)
    const failed = await ends(innkeeper, killed.workflowId, 'rolled-back')
    expect(failed.actions.map(({ reason }) => reason).join(' ')).toMatch(/restic ended with/)

    const cut = await begin()
    await running()
    await keeper.exec(['systemctl', 'stop', 'innkeeper-rest-server'])
    await letPass(5000, 'restic meets the absent server and tries again')
    await keeper.exec(['systemctl', 'start', 'innkeeper-rest-server'])
    await ends(innkeeper, cut.workflowId, 'done') // restic retries

    const { account } = await repositoryOf()
    const passwords = '/etc/innkeeper-backup/htpasswd'
    const kept = await root(keeper, 'cat', passwords)
    await keeper.exec(['sed', '-i', `s/^${account}:.*/${account}:nothing/`, passwords])
    await keeper.exec(['systemctl', 'restart', 'innkeeper-rest-server'])
    const refused = await begin()
    const why = await ends(innkeeper, refused.workflowId, 'rolled-back')
    expect(why.actions.map(({ reason }) => reason).join(' ')).toMatch(/401|password|Unauthorized/i)
    await keeper.exec(['dd', `of=${passwords}`, 'status=none'], { input: kept })
    await keeper.exec(['systemctl', 'restart', 'innkeeper-rest-server'])

    expect((await backUp(shop)).status).toBe(2)
    // the lock of the killed process blocks nobody, and is removed automatically or by the next unlock
    const { id } = await repositoryOf()
    await done('POST', `/backups/repositories/${id}/check`, { share: 5 })
    expect((await restic('check')).code).toBe(0)
  })

  test('a drill proves a backup, and a corrupted pack is found', async () => {
    await done('POST', `/backups/backups/${good.id}/drill`)
    expect((await call('GET', `/backups/backups/${good.id}`)).provenAt).not.toBeNull()
    const { account } = await repositoryOf()
    const corrupt = `for f in $(find /srv/innkeeper/backups/${account}/data -type f -size +0); do chmod u+w $f; printf XXXXXXXX | dd of=$f bs=1 seek=40 conv=notrunc status=none; done`
    await root(keeper, 'sh', '-c', corrupt)
    const begun = await call('POST', `/backups/backups/${good.id}/drill`, {})
    await ends(innkeeper, begun.workflowId, 'rolled-back')
    expect((await call('GET', `/backups/backups/${good.id}`)).provenAt).toBeNull()
    const [tasks] = await call('GET', '/backups/tasks?type=drill&status=failed')
    expect(tasks.length).toBeGreaterThan(0)
    const before = await shown('shop.example')
    const begins = await call('POST', '/backups/restores', { backupId: good.id })
    await ends(innkeeper, begins.workflowId, 'failed')
    expect(await shown('shop.example')).toBe(before)
  })
})
