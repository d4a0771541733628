import type { Website } from '@innkeeper/contract/hosting/websites'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { letPass } from '../bin/pass.ts'
import { onHosts } from './hosts.ts'
import { created, ends, visit } from './sites.ts'
import { openStage, type Stage } from './stage.ts'
import { until } from './until.ts'

/** A guest book that reads its database through a view, with the password of its configuration file. */
const application = `<?php
require __DIR__ . '/wp-config.php';
mysqli_report(MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT);
$db = new mysqli('localhost', DB_USER, DB_PASSWORD, DB_NAME);
if (isset($_GET['mail'])) { var_dump(mail('guest@example.org', 'Order ' . $_GET['mail'], 'Thank you')); exit; }
if (isset($_GET['upload'])) {
  if (!is_dir(__DIR__ . '/uploads')) mkdir(__DIR__ . '/uploads');
  exit(file_put_contents(__DIR__ . '/uploads/' . (int) $_GET['upload'], 'x') ? 'saved' : 'failed');
}
// like a network of WordPress, the book answers only under the names that its tables contain
if ($db->query("show tables like 'blogs'")->num_rows && !$db->query("select 1 from blogs where domain = '{$_SERVER['HTTP_HOST']}'")->num_rows) {
  http_response_code(500); exit('no such network');
}
echo 'database=', DB_NAME, ' theme=', trim(file_get_contents(__DIR__ . '/theme.txt')), "\\n";
foreach ($db->query('select who, words, md5(picture) as picture from latest order by id') as $row) echo implode('|', $row), "\\n";
echo 'noted=', $db->query('select count(*) from noted')->fetch_row()[0], "\\n";
`
const configuration = (name: string, user: string, password: string) => `<?php
define( 'DB_NAME', '${name}' );
define( 'DB_USER', '${user}' );
define( 'DB_PASSWORD', '${password}' );
`
const tables = `create table guests (id int primary key auto_increment, who varchar(80), words text, picture longblob);
create table noted (id int primary key auto_increment, who varchar(80));
create trigger note after insert on guests for each row insert into noted (who) values (new.who);
create view latest as select * from guests;
insert into guests (who, words, picture) values ('Kari', 'Hei 🫐 ''quoted''\\nline', unhex('00ff270a0d5c')), ('Lars', null, repeat(unhex('0027'), 50000));`

describe('a PHP and MariaDB application', onHosts, () => {
  let stage: Stage
  let live: Website
  let copy: Website
  let database: { id: number; name: string; users: { id: number; username: string }[] }
  let password: string

  const sh = async (script: string, input?: string) => {
    const ran = await stage.host.exec(['sh', '-c', script], { input })
    if (ran.code !== 0) throw new Error(`${script}: ${ran.stderr}`)
    return ran.stdout
  }
  const page = async (domain: string, path = '/') => (await visit(stage.host.address, domain, path)).body
  const api = (method: 'GET' | 'POST' | 'DELETE' | 'PATCH', path: string, body?: unknown) =>
    stage.innkeeper.must(method, path, body)
  /** Writes a file as the website's account, like the application. */
  const sql = (text: string) =>
    sh(
      `mariadb --default-character-set=utf8mb4 --user=${database.users[0]?.username} --password=${password} ${database.name}`,
      text,
    )
  const stagings = () => api('GET', `/websites/${live.id}/stagings`)
  /** Reads the changes on the live website and confirms them with a merge. */
  const merge = async (parts: object = {}) => {
    const { digest } = await api('POST', `/stagings/${copy.id}/changes`, parts)
    const { workflowId } = await api('POST', '/stagings', { websiteId: copy.id, ...parts, seen: digest })
    await ends(stage.innkeeper, workflowId, 'done')
  }

  beforeAll(async () => {
    stage = await openStage('copies1', { layer: 'databases' })
    live = await created(stage.innkeeper, stage.server, 'guests.example', { database: true })
    database = (await api('GET', `/database/websites/${live.id}`)).items[0]
    password = (await api('POST', `/database/users/${database.users[0]?.id}/reveal`)).password
    const root = `/home/${live.username}/guests.example/public`
    const write = (file: string, text: string) =>
      sh(`cat > '${root}/${file}' && chown ${live.username}: '${root}/${file}'`, text)
    await write('index.php', application)
    await write('wp-config.php', configuration(database.name, database.users[0]?.username ?? '', password))
    await write('theme.txt', 'plain')
    await write('notes.txt', `backup of ${database.name} every night`)
    await sh(`cd ${root} && ln -s /etc/passwd secret && ln -s theme.txt also.txt
      printf x > "$(printf 'two\\nlines')" && printf y > "$(printf 'caf\\351')" && chown -h ${live.username}: *`)
    await sql(tables)
    const { workflowId } = await api('PATCH', `/origin-vhost/vhosts/${live.id}/wildcard`, { wildcard: true })
    await ends(stage.innkeeper, workflowId, 'done')
  })
  afterAll(() => stage?.close())

  const shown = (name: string, theme: string) => `database=${name} theme=${theme}\nKari|Hei 🫐 'quoted'\nline|`

  test('reads and writes its own database', async () => {
    // PHP checks every two seconds whether a file has changed
    await until('the first page is gone', async () => (await page('guests.example')).startsWith('database='))
    expect(await page('guests.example')).toContain(shown('guests_example', 'plain'))
    expect(await page('guests.example')).toContain('noted=2')
  })

  test('is copied with its own name, account and database', async () => {
    const { data, workflowId } = await api('POST', `/websites/${live.id}/staging`, { websiteId: live.id })
    await ends(stage.innkeeper, workflowId, 'done')
    copy = await api('GET', `/websites/${data.id}`)
    expect(copy).toMatchObject({ domain: 'staging-1.guests.example', kind: 'staging', status: 'active' })
    expect(copy.username).not.toBe(live.username)
    expect(await page(copy.domain)).toContain(shown('staging_1_guests_example', 'plain'))
    expect(await page(`blog.${copy.domain}`)).toContain(shown('staging_1_guests_example', 'plain'))
    const [seen] = (await stagings()).items
    expect(seen.report.changed).toMatchObject([
      { file: 'public/wp-config.php', application: 'WordPress', was: 'guests_example' },
    ])
    expect(seen.report.proposals).toMatchObject([{ file: 'public/notes.txt', line: 1, what: 'guests_example' }])
    expect(seen.report.left).toMatchObject([{ path: 'public/secret', why: 'leads out of the website, to /etc/passwd' }])
  })

  test('is copied with identical files and without symlinks that leave the website', async () => {
    const list = (site: Website) =>
      sh(
        `cd /home/${site.username}/${site.domain} && find . -name wp-config.php -prune -o ! -name secret '(' -type f -printf '%P %s %T@\\n' -o -type l -printf '%P %l\\n' -o -type d -printf '%P/\\n' ')' | sort | od -c | md5sum`,
      )
    expect(await list(copy)).toBe(await list(live))
    expect(await sh(`ls /home/${copy.username}/${copy.domain}/public`)).not.toContain('secret')
    expect(await sh(`find /home/${copy.username}/${copy.domain} ! -user ${copy.username}`)).toBe('')
  })

  test('has a copy that is hidden from search engines and whose mail is captured', async () => {
    const ran = await sh(`curl -s -i -H 'Host: ${copy.domain}' http://127.0.0.1/robots.txt http://127.0.0.1/`)
    expect(ran.match(/X-Robots-Tag: noindex/gi)).toHaveLength(2)
    expect(ran).toContain('Disallow: /')
    expect(await page(copy.domain, '/?mail=17')).toContain('bool(true)')
    expect(await api('GET', `/stagings/${copy.id}/held-mail`)).toMatchObject({
      total: 1,
      items: [{ to: 'guest@example.org', subject: 'Order 17' }],
    })
  })

  test('has a copy that cannot send mail by sendmail or SMTP, also after a reboot', async () => {
    const as = ({ username }: Website, script: string) =>
      `setpriv --reuid=${username} --regid=${username} --clear-groups sh -c '${script}'`
    await sh(as(copy, 'printf "To: guest@example.org\\nSubject: By hand\\n\\nHei\\n" | sendmail -t'))
    expect(await api('GET', `/stagings/${copy.id}/held-mail`)).toMatchObject({
      total: 2,
      items: [{ subject: 'By hand' }, {}],
    })
    const takes = `require("net").createServer((s) => { let data = false
      s.write("220 here\\r\\n"); s.on("data", (d) => { for (const l of String(d).split("\\r\\n").slice(0, -1)) {
        if (data && l !== ".") continue
        data = l === "DATA"
        s.write(data ? "354 go on\\r\\n" : l === "QUIT" ? "221 bye\\r\\n" : "250 yes\\r\\n") } }) }).listen(25)`
    await sh(`systemd-run --quiet --collect --unit=takes-mail /opt/innkeeper/current/node -e '${takes}'
      for i in $(seq 100); do ss -ltn | grep -q ':25 ' && exit 0; sleep 0.1; done; exit 1`)
    const send =
      'curl -s -m 10 smtp://127.0.0.1 --mail-from a@example.org --mail-rcpt b@example.org -T /etc/os-release; echo $?'
    expect(await sh(as(live, send))).toBe('0\n')
    expect(await sh(as(copy, send))).toBe('7\n') // the connection is refused
    await sh('nft delete table inet innkeeper_mail; systemctl is-enabled innkeeper-held-mail')
    await sh('systemctl restart innkeeper-held-mail') // like the boot of the machine
    expect(await sh(as(copy, send))).toBe('7\n')
  })

  test('has a copy that cannot access the live website', async () => {
    const theirs = await sh(`grep DB_PASSWORD /home/${copy.username}/${copy.domain}/public/wp-config.php`)
    expect(theirs).not.toContain(password)
    const seen = await sh(
      `mariadb -N --user=staging_1_guests_example --password=$(grep -o "'[A-Za-z0-9]*' )" /home/${copy.username}/${copy.domain}/public/wp-config.php | tail -1 | tr -d "') ") -e 'show databases'`,
    )
    expect(seen).not.toMatch(/^guests_example$/m)
  })

  test('shows changes since the copy was made', async () => {
    await sql(`insert into guests (who) values ('Late order');`)
    await sh(`echo changed >> /home/${live.username}/guests.example/public/notes.txt`)
    const changes = await api('GET', `/stagings/${copy.id}/changes`)
    expect(changes).toMatchObject({ known: true, changed: 1, files: [{ path: 'public/notes.txt', what: 'changed' }] })
    expect(changes.tables.map(({ name, what }: { name: string; what: string }) => `${name} ${what}`)).toEqual([
      'guests changed',
      'noted changed',
    ])
  })

  test('refuses a merge over changes that nobody has seen, or that visitors made after people read the changes', async () => {
    const ask = (body: object) => stage.innkeeper.call('POST', '/stagings', { websiteId: copy.id, ...body })
    const unseen = await ask({})
    expect(unseen).toMatchObject({ status: 409, body: { current: { changed: 1 }, code: 'conflict' } })
    await sql(`insert into guests (who) values ('Later order');`)
    const stale = await ask({ seen: unseen.body.current.digest })
    expect(stale.status).toBe(409)
    expect(stale.body.message).toContain('since you looked')
    await sql(`delete from guests where who = 'Later order'; delete from noted where who = 'Later order';`)
  })

  test('merges chosen paths only, with unusual names, and reverts the merge', async () => {
    const [mine, theirs] = [live, copy].map(({ username, domain }) => `/home/${username}/${domain}/public`)
    await sh(`cd ${theirs} && mkdir -p new/deep kit && echo 1 > new/deep/one && echo 2 > "$(printf 'kit/two\\nlines')" &&
      printf 3 > "$(printf 'kit/caf\\351')" && echo theirs > kit/shared && chown -R ${copy.username}: new kit`)
    await sh(
      `cd ${mine} && mkdir kit && echo mine > kit/shared && echo mine > kit/own && chown -R ${live.username}: kit`,
    )
    const { differences } = await api('GET', `/stagings/${copy.id}/changes`)
    const seen = Object.fromEntries(differences.files.map((one: { path: string }) => [one.path, one]))
    expect(seen['public/kit/own']).toMatchObject({ what: 'gone', liveBytes: 5, nameable: true })
    expect(seen['public/kit/shared']).toMatchObject({ what: 'changed', bytes: 7, liveBytes: 5 })
    expect(seen['public/kit/two\\x0alines']).toMatchObject({ what: 'added', nameable: false })
    const list = () =>
      sh(`cd ${mine} && find . -type f -printf '%P %u %s\n' -o -type l -printf '%P %l\n' | sort | od -c | md5sum`)
    const before = await list()
    await merge({ paths: ['public/kit', 'public/new/deep/one'], tables: 'none' })
    expect(await sh(`cd ${mine} && cat kit/shared new/deep/one "$(printf 'kit/two\\nlines')"`)).toBe('theirs\n1\n2\n')
    expect(await sh(`cd ${mine} && ls kit | wc -l; stat -c %U kit new/deep/one; cat theme.txt`)).toBe(
      `4\n${live.username}\n${live.username}\nplain`, // one name that contains a line break
    )
    const [made] = (await stagings()).merges
    expect(made).toMatchObject({ status: 'merged', paths: ['public/kit', 'public/new/deep/one'] })
    const reverting = await api('POST', `/stagings/merges/${made.id}/revert`)
    await ends(stage.innkeeper, reverting.workflowId, 'done')
    expect(await list()).toBe(before)
    await sh(`rm -rf ${mine}/kit ${theirs}/kit ${theirs}/new`)
  })

  test('merges files and chosen tables, keeps its configuration, and reverts the merge', async () => {
    await sh(`echo festive > /home/${copy.username}/${copy.domain}/public/theme.txt`)
    await sh(
      `mariadb staging_1_guests_example`,
      `update guests set who = 'Kari of the copy' where id = 1; delete from noted;`,
    )
    const before = await page('guests.example')
    const tables = [{ databaseId: database.id, tables: ['guests'] }]
    await merge({ tables })
    const after = await page('guests.example')
    expect(after).toContain('database=guests_example theme=festive\nKari of the copy|')
    expect(after).not.toContain('Late order')
    expect(after).toContain('noted=3') // not chosen, so unchanged
    await sql(`insert into noted (who) values ('Meanwhile');`)
    expect(await page('guests.example', '/?upload=4001')).toBe('saved') // into a folder that did not exist before
    const [made] = (await stagings()).merges
    expect(made.status).toBe('merged')
    const reverting = await api('POST', `/stagings/merges/${made.id}/revert`)
    await ends(stage.innkeeper, reverting.workflowId, 'done')
    expect(await sh(`cd /home/${live.username}/guests.example/public && ls uploads && rm -r uploads`)).toBe('4001\n')
    // rows that visitors wrote to other tables are kept
    expect(await page('guests.example')).toBe(before.replace('noted=3', 'noted=4'))
    await sql(`delete from noted where who = 'Meanwhile';`)
  })

  test('merges the whole copy; visitors get old pages, the notice or new pages, and their uploads stay', async () => {
    const old = await page('guests.example')
    const { digest } = await api('POST', `/stagings/${copy.id}/changes`, {})
    const { workflowId } = await api('POST', '/stagings', { websiteId: copy.id, seen: digest })
    const [pages, saved]: [{ status: number; body: string }[], number[]] = [[], []]
    let over = false
    const repeat = async (work: (n: number) => Promise<unknown>, everyMs: number) => {
      const open: Promise<unknown>[] = []
      for (let n = 1; !over; n++, await letPass(everyMs, 'between two writes')) open.push(work(n))
      await Promise.all(open)
    }
    const visiting = repeat(async () => pages.push(await visit(stage.host.address, 'guests.example')), 100)
    const uploading = repeat(async (n) => {
      if ((await page('guests.example', `/?upload=${n}`)) === 'saved') saved.push(n)
    }, 150)
    await ends(stage.innkeeper, workflowId, 'done').finally(() => {
      over = true
    })
    await Promise.all([visiting, uploading])
    const now = await page('guests.example')
    const kinds = pages.map(({ status, body }) =>
      status === 503 ? 'closed' : status !== 200 ? `${status}` : body === old ? 'old' : body === now ? 'new' : body,
    )
    const count = (kind: string) => kinds.filter((one) => one === kind).length
    console.log(
      `${pages.length} visits: ${count('old')} old, ${count('closed')} closed, ${count('new')} new; ${saved.length} uploads`,
    )
    expect(kinds.filter((kind) => !['old', 'closed', 'new'].includes(kind))).toEqual([])
    const there = await sh(`ls /home/${live.username}/guests.example/public/uploads`)
    expect(there.trim().split('\n').map(Number).sort()).toEqual(saved.sort())
    expect(await page('guests.example')).toContain('database=guests_example theme=festive\nKari of the copy|')
    expect(await page('guests.example')).toContain('noted=0')
    await sql(`insert into guests (who) values ('after');`) // the definer of the trigger exists
    expect(await page('guests.example')).toContain('noted=1')
  })

  /** Visits and uploads every 150 ms until the workflow has ended. Answers the uploads that were accepted. */
  const underVisitors = async (workflowId: number, end: 'done' | 'rolled-back') => {
    const saved: number[] = []
    let over = false
    const uploading = (async () => {
      for (let n = 5001; !over; n++, await letPass(150, 'between two writes'))
        if ((await page('guests.example', `/?upload=${n}`)) === 'saved') saved.push(n)
    })()
    await ends(stage.innkeeper, workflowId, end).finally(() => {
      over = true
    })
    await uploading
    const there = (await sh(`ls /home/${live.username}/guests.example/public/uploads`)).trim().split('\n')
    expect(saved.filter((n) => !there.includes(`${n}`))).toEqual([])
    return saved
  }

  test('merges the tables of a network under the name of the live website', async () => {
    const network = `create table blogs (blog_id int primary key, domain varchar(200), path varchar(100));
      insert into blogs values (1, 'guests.example', '/'), (2, 'guests.example', '/book/');
      create table options (name varchar(50) primary key, value longtext);
      insert into options values ('widget', 'a:1:{s:3:"url";s:22:"http://guests.example/";}');`
    await sql(network)
    await sh('mariadb staging_1_guests_example', network)
    const replaced = await api('POST', `/database/websites/${copy.id}/replacements`, {
      ...{ from: 'guests.example', to: copy.domain, how: 'domain' },
    })
    await ends(stage.innkeeper, replaced.workflowId, 'done')
    expect((await visit(stage.host.address, copy.domain)).status).toBe(200)
    const parts = { tables: [{ databaseId: database.id, tables: ['blogs', 'options'] }], files: false }
    const { digest } = await api('POST', `/stagings/${copy.id}/changes`, parts)
    const { workflowId } = await api('POST', '/stagings', { websiteId: copy.id, ...parts, seen: digest })
    await underVisitors(workflowId, 'done')
    expect((await visit(stage.host.address, 'guests.example')).status).toBe(200)
    expect(await sql('select distinct domain from blogs; select value from options')).toBe(
      'domain\nguests.example\nvalue\na:1:{s:3:"url";s:22:"http://guests.example/";}\n',
    )
  })

  test('rolls back by itself a merge after which the website does not answer, and keeps what visitors uploaded', async () => {
    const place = `/home/${copy.username}/${copy.domain}/public`
    await sh(
      `cp -p ${place}/index.php ${place}/good && sed -i '2i http_response_code(isset($_GET["upload"]) ? 200 : 500);' ${place}/index.php`,
    )
    const { digest } = await api('POST', `/stagings/${copy.id}/changes`, {})
    const { workflowId } = await api('POST', '/stagings', { websiteId: copy.id, seen: digest })
    expect(await underVisitors(workflowId, 'rolled-back')).not.toEqual([])
    expect((await stagings()).merges[0]).toMatchObject({ status: 'undone' })
    expect(await visit(stage.host.address, 'guests.example')).toMatchObject({
      ...{ status: 200, body: expect.stringContaining('database=guests_example') },
    })
    await sh(`mv ${place}/good ${place}/index.php`)
    await sql('drop table blogs; drop table options;')
    await sh('mariadb staging_1_guests_example', 'drop table blogs; drop table options;')
  })

  test('restores a deleted database with its rows and accounts', async () => {
    const trigger = 'trigger_name, event_object_table, action_statement, definer from information_schema.triggers'
    const asIts = `select count(*), md5(group_concat(who order by id)) from guests; select ${trigger};`
    const before = await sql(asIts)
    const gone = await api('DELETE', `/database/databases/${database.id}`, { name: database.name })
    await ends(stage.innkeeper, gone.workflowId, 'done')
    expect(await sh('mariadb -N -e "show databases"')).not.toMatch(/^guests_example$/m)
    await expect(sql(asIts)).rejects.toThrow('Access denied')
    const back = await api('POST', `/database/databases/${database.id}/restore`, {})
    await ends(stage.innkeeper, back.workflowId, 'done')
    expect(await sql(asIts)).toBe(before)
    expect(await page('guests.example')).toContain('database=guests_example theme=festive\nKari of the copy|')
  })

  test('is deleted and restored together with its database', async () => {
    const before = await page('guests.example')
    const gone = await api('DELETE', `/websites/${copy.id}`, {})
    await ends(stage.innkeeper, gone.workflowId, 'done')
    expect(await sh('nft list tables; ls /usr/sbin')).not.toMatch(/innkeeper_mail|^sendmail/m)
    const deleted = await api('DELETE', `/websites/${live.id}`, {})
    await ends(stage.innkeeper, deleted.workflowId, 'done')
    expect(await sh('mariadb -N -e "show databases"')).not.toContain('guests')
    const back = await api('POST', `/websites/${live.id}/restore`, {})
    await ends(stage.innkeeper, back.workflowId, 'done')
    expect(await page('guests.example')).toBe(before)
  })
})
