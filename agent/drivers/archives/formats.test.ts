import { mkdtempSync, writeFileSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, it } from 'vitest'
import { readArchive } from './look.ts'
import { tablesIn } from './sqlRows.ts'
import { type Entry, hestia, tar, zip } from './test/archive.ts'

const folder = mkdtempSync(join(tmpdir(), 'formats-'))
afterAll(() => rm(folder, { recursive: true }))
let n = 0
async function look(entries: readonly Entry[] | Buffer, domain?: string) {
  const path = join(folder, `${++n}.tar`)
  writeFileSync(path, Buffer.isBuffer(entries) ? entries : gzipSync(tar(entries)))
  const handle = await open(path)
  try {
    return await readArchive(handle, { say: () => {}, stop: new AbortController().signal }, domain)
  } finally {
    await handle.close()
  }
}
const dump = (rows: string) => `-- MySQL dump 10.13\n${rows}\n-- Dump completed\n`
const native = '*9E4A1D9F0B9B4F57F0C4E4F8F2E0C7C9E4D1B2A3'

it('takes a plain folder with a dump, and the user of its database from the configuration', async () => {
  const site: Entry[] = [
    { name: 'backup/', flag: '5' },
    { name: 'backup/shop.sql.gz', body: gzipSync('create table a (id int);') },
    { name: 'backup/htdocs/', flag: '5' },
    {
      name: 'backup/htdocs/wp-config.php',
      body: "define('DB_NAME', 'shop');\ndefine( 'DB_USER', 'shopper' );\ndefine('DB_PASSWORD', 'password');\n",
    },
    { name: 'backup/lib/a.php', body: 'x' },
    { name: 'backup/../../etc/passwd', body: 'x' },
    { name: 'backup/htdocs/out', flag: '2', link: '/etc/shadow' },
    { name: 'backup/htdocs/null', flag: '3' },
  ]
  await expect(look(site)).rejects.toThrow('does not say the name')
  const { inventory, secrets, rules } = await look(site, 'shop.example')
  expect(inventory).toMatchObject({
    ...{ format: 'plain', refused: { 'name with ..': 1 } },
    websites: [
      {
        ...{ domain: 'shop.example', files: 2, links: 0, mentions: ['shop'] },
        refused: { 'device or pipe': 1, 'link that leaves the website': 1 },
      },
    ],
    databases: [{ name: 'shop', users: [{ name: 'shopper', hash: 'mysql-native' }] }],
  })
  expect(secrets.databases).toEqual({ shopper: '*2470C0C06DEE42FD1618BB99005ADCA2EC9D1E19' })
  expect(Object.fromEntries(rules)).toMatchObject({
    backup: { to: '' },
    'backup/htdocs': { to: 'public' },
    'backup/shop.sql.gz': { kind: 'dump', database: 'shop' },
  })
  const named = await look([
    { name: 'one.example/index.html', body: 'x' },
    { name: 'two.example/public/a', body: 'x' },
  ])
  expect(named.inventory.websites.map(({ domain, files }) => `${domain} ${files}`)).toEqual([
    'one.example 1',
    'two.example 1',
  ])
})

it('takes a website with folders that are called as those of a panel for a plain folder', async () => {
  for (const name of ['cp/index.php', 'site/cp/index.php', 'site/homedir/a', 'public_html/hestia/user.conf']) {
    const { inventory } = await look([{ name, body: 'x' }], 'shop.example')
    expect([name, inventory.format, inventory.websites[0]?.files]).toEqual([name, 'plain', 1])
  }
})

/** Rows as mysqldump writes them: all values of a table in one line. */
const control = dump(
  [
    ['client', 'client_id email locked canceled', "(1,'a@b.example','n','n'),(2,'c@d.example','n','n')"],
    ['sys_group', 'groupid client_id', '(5,1),(6,2)'],
    ['server_php', 'server_php_id name', "(1,'PHP 8.2')"],
    ['server_ip', 'server_ip_id ip_address', "(1,'192.0.2.9')"],
    [
      'web_domain',
      'domain_id sys_groupid type domain parent_domain_id document_root web_folder system_user php server_php_id subdomain active ssl nginx_directives',
      "(1,5,'vhost','it\\'s.example',0,'/var/www/clients/client1/web1',NULL,'web1','php-fpm',1,'www','y','n','deny all;\\n')," +
        "(2,5,'alias','also.example',1,'/var/www/clients/client1/web1','','web1','no',0,'none','y','n','')," +
        "(3,5,'vhostsubdomain','blog.example',1,'/var/www/clients/client1/web1','blog','web1','php-fpm',1,'none','n','n','')," +
        "(9,6,'vhost','other.example',0,'/var/www/clients/client2/web9','','web9','php-fpm',1,'none','y','n','')",
    ],
    [
      'web_database',
      'database_id sys_groupid parent_domain_id type database_name database_user_id database_charset active',
      "(1,5,1,'mysql','c1shop',1,'utf8mb4','y')",
    ],
    ['web_database_user', 'database_user_id sys_groupid database_user database_password', `(1,5,'c1shop','${native}')`],
    [
      'mail_domain',
      'domain_id sys_groupid domain dkim dkim_selector dkim_private active',
      "(1,5,'also.example','n','','','y')",
    ],
    [
      'mail_user',
      'mailuser_id sys_groupid email password maildir quota custom_mailfilter postfix',
      `(1,5,'info@also.example','$6$abcdefgh$${'y'.repeat(86)}','/var/vmail/also.example/info',104857600,'keep;','y')`,
    ],
    [
      'mail_forwarding',
      'forwarding_id sys_groupid source destination type active',
      "(1,5,'sales@also.example','info@also.example\\r\\nx@y.example','alias','y'),(2,5,'@also.example','info@also.example','catchall','y')",
    ],
    ['dns_soa', 'id sys_groupid origin active dnssec_wanted', "(1,5,'also.example.','Y','N')"],
    [
      'dns_rr',
      'id zone name type data aux ttl active',
      "(1,1,'also.example.','A','192.0.2.9',0,3600,'Y'),(2,1,'','MX','mail.also.example.',10,3600,'Y')",
    ],
    [
      'cron',
      'id sys_groupid parent_domain_id type command run_min run_hour run_mday run_month run_wday active',
      "(1,5,1,'url','https://also.example/cron.php','*/5','*','*','*','*','y')",
    ],
    ['sys_log', 'id message', `(1,'${'x'.repeat(5000)}')`],
  ]
    .map(
      ([table, columns = '', values]) =>
        `CREATE TABLE \`${table}\` (\n${columns
          .split(' ')
          .map((one) => `  \`${one}\` text,`)
          .join('\n')}\n) ENGINE=InnoDB;\nINSERT INTO \`${table}\` VALUES ${values};`,
    )
    .join('\n'),
)
const files: Entry[] = [
  { name: 'old/dbispconfig.sql.gz', body: gzipSync(control) },
  { name: 'old/c1shop.sql', body: 'create table a (id int);' },
  { name: 'old/var/www/clients/client1/web1/web/index.php', body: 'x' },
  { name: 'old/var/www/clients/client1/web1/blog/index.php', body: 'x' },
  { name: 'old/var/www/clients/client1/web1/log/a.log', body: 'x' },
  { name: 'old/var/vmail/also.example/info/Maildir/cur/1700000000.a:2,S', body: 'Subject: x' },
]

it('takes one client of ISPConfig from the dump of its database', async () => {
  const { inventory, secrets } = await look(files)
  expect(inventory).toMatchObject({
    ...{ format: 'ispconfig', account: { name: 'web1', contact: 'a@b.example' }, addresses: ['192.0.2.9'] },
    websites: [
      {
        ...{ domain: "it's.example", aliases: ["www.it's.example", 'also.example'], phpVersion: '8.2', files: 1 },
        ...{ ownSettings: ['nginx_directives'], suspended: false, mentions: ['c1shop'] },
      },
      { domain: 'blog.example', suspended: true, files: 1 },
    ],
    databases: [{ name: 'c1shop', users: [{ name: 'c1shop', hash: 'mysql-native' }], dumpBytes: 24 }],
    mail: [
      {
        ...{ domain: 'also.example', catchAll: 'info@also.example' },
        mailboxes: [{ name: 'info', quotaMb: 100, messages: 1, hash: 'sha512-crypt' }],
        aliases: [{ name: 'sales', targets: ['info@also.example', 'x@y.example'] }],
        refused: { 'Sieve filter, which Innkeeper does not have': 1 },
      },
    ],
    zones: [{ domain: 'also.example', records: 2 }],
    cron: [{ when: '*/5 * * * *', command: "curl -fsS -o /dev/null 'https://also.example/cron.php'" }],
  })
  expect(secrets.databases).toEqual({ c1shop: native })
  expect(JSON.stringify(inventory)).not.toContain(native)
  const both = [...files, { name: 'old/var/www/clients/client2/web9/web/index.php', body: 'x' }]
  await expect(look(both)).rejects.toThrow('2 clients')
  const torn = [{ name: 'dbispconfig.sql', body: control.replace("(2,5,'alias'", "(2,5,'ali") }, ...files.slice(2)]
  await expect(look(torn)).rejects.toThrow(/breaks off|no folder/)
})

it('reads rows of a dump in pieces of any length, and keeps no other table', async () => {
  const bytes = Buffer.from(control)
  async function* pieces(size: number) {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  for (const size of [1, 7, 4096]) {
    const tables = await tablesIn(pieces(size), new Set(['web_domain', 'cron']))
    expect(Object.keys(tables)).toEqual(['web_domain', 'cron'])
    expect(tables.web_domain?.map((one) => one.domain)).toEqual([
      ...["it's.example", 'also.example', 'blog.example', 'other.example'],
    ])
    expect(tables.web_domain?.[0]).toMatchObject({ web_folder: null, nginx_directives: 'deny all;\n' })
  }
})

it('refuses a manifest of somebody else that leads out of a website, and one that breaks off', async () => {
  const manifest = (to: string) => ({
    name: 'innkeeper.json',
    body: JSON.stringify({
      inventory: {
        ...{ format: 'machine', account: { name: 'a', plan: null, contact: null, suspended: false }, addresses: [] },
        ...{ websites: [], databases: [], mail: [], zones: [], cron: [], ftp: [], others: [], refused: {} },
        ...{ members: 0, bytes: 0 },
      },
      secrets: { mailboxes: {}, databases: {}, ftp: {}, certificates: {} },
      rules: [['sites/a', { kind: 'site', site: 'a.example', to }]],
      roots: {},
    }),
  })
  const end = { name: 'innkeeper.end', body: '' }
  for (const to of ['../x', '/etc', 'a/../../b', 'public/..'])
    await expect(look([manifest(to), end])).rejects.toThrow('cannot be read')
  await expect(look([manifest('public')])).rejects.toThrow('breaks off')
  expect((await look([manifest('public'), end])).inventory.format).toBe('machine')
})

it('keeps an application beside its pages, and the DKIM key of HestiaCP', async () => {
  const { inventory, rules, secrets } = await look(
    hestia({
      sites: [
        {
          domain: 'app.example',
          conf: "CUSTOM_DOCROOT='/home/alice/web/app.example/public_html/public/'",
          files: [
            { name: './public_html/vendor/a.php', body: 'x' },
            { name: './public_html/public/index.php', body: 'x' },
            { name: './public_html/public/.htaccess', body: 'RewriteEngine on' },
          ],
        },
        { domain: 'else.example', conf: "CUSTOM_DOCROOT='/home/alice/web/app.example/public_html/'", files: [] },
      ],
      more: [
        { name: './mail/app.example/hestia/mail.conf', body: "DOMAIN='app.example' DKIM='yes'\n" },
        { name: './mail/app.example/hestia/app.example.pem', body: 'no key' },
      ],
    }),
  )
  expect(inventory.websites).toMatchObject([
    { domain: 'app.example', rootProblem: null, files: 3, htaccess: 1 },
    { domain: 'else.example', rootProblem: expect.stringContaining('not a folder of this website') },
  ])
  const of = Object.fromEntries(rules)
  expect(of['web/app.example/domain_data/public_html']).toMatchObject({ to: '' })
  expect(of['web/app.example/domain_data/public_html/public']).toMatchObject({ to: 'public' })
  expect(inventory.mail[0]).toMatchObject({ dkim: true })
  expect(secrets.dkim).toEqual({})
})

it('takes an archive of DirectAdmin: pointers, subdomains, mail with hashes, databases and FTP users', async () => {
  const crypt = `$6$saltsalt$${'a'.repeat(86)}`
  const at = 'backup/shop.example'
  const { inventory, secrets, rules } = await look([
    { name: 'backup/user.conf', body: 'username=alice\npackage=gold\nemail=a@b.example\nsuspended=no\n' },
    { name: `${at}/domain.conf`, body: 'domain=shop.example\nip=192.0.2.9\nssl=ON\nsuspended=no\n' },
    { name: `${at}/domain.pointers`, body: 'also.example=alias\n' },
    { name: `${at}/subdomain.list`, body: 'blog\n../evil\n' },
    { name: `${at}/shop.example.db`, body: '$TTL 3600\n@ IN SOA a. b. 1 2 3 4 5\n@ 3600 IN A 192.0.2.9\n' },
    {
      name: `${at}/ftp.passwd`,
      body: `alice=passwd=x&path=/home/alice&type=system\nup@shop.example=passwd=${crypt}&path=/home/alice/domains/shop.example/public_html/up&type=custom\n`,
    },
    { name: `${at}/email/passwd`, body: `info:${crypt}\n` },
    { name: `${at}/email/quota`, body: 'info:104857600\n' },
    { name: `${at}/email/aliases`, body: 'alice:alice\nsales:info, a@b.example\nrun:"|/bin/sh"\n' },
    { name: `${at}/email/email.conf`, body: 'catchall=:fail:\n' },
    { name: 'backup/crontab.conf', body: '1=5 4 * * * php a.php\n2=odd\n' },
    {
      name: 'backup/alice_shop.conf',
      body: `accesshosts=0=localhost\nalice_u=passwd=${native.replace('*', '%2A')}&select_priv=Y\n`,
    },
    { name: 'backup/alice_shop.sql', body: 'create table a (id int);' },
    { name: 'domains/shop.example/public_html/index.html', body: 'x' },
    { name: 'domains/shop.example/public_html/blog/index.html', body: 'y' },
    { name: 'domains/shop.example/public_html/out', flag: '2', link: '/etc/shadow' },
    { name: 'imap/shop.example/info/Maildir/cur/1700000000.M1.host:2,S', body: 'From: a\n\nb' },
  ])
  expect(inventory).toMatchObject({
    ...{ format: 'directadmin', account: { name: 'alice', plan: 'gold' }, addresses: ['192.0.2.9'] },
    websites: [
      { domain: 'shop.example', aliases: ['also.example'], files: 1, refused: { 'link that leaves the website': 1 } },
      { domain: 'blog.shop.example', files: 1 },
    ],
    databases: [{ name: 'alice_shop', users: [{ name: 'alice_u', hash: 'mysql-native' }], dumpBytes: 24 }],
    mail: [
      {
        ...{ domain: 'shop.example', catchAll: null, refused: { 'alias to a program': 1 } },
        mailboxes: [{ name: 'info', hash: 'sha512-crypt', quotaMb: 100, messages: 1 }],
        aliases: [{ name: 'sales', targets: ['info@shop.example', 'a@b.example'] }],
      },
    ],
    zones: [{ domain: 'shop.example', records: 2 }],
    cron: [{ when: '5 4 * * *', command: 'php a.php' }],
    ftp: [{ name: 'up@shop.example', website: 'shop.example', path: 'public_html/up', hash: 'sha512-crypt' }],
    others: [
      { what: 'Subdomains of shop.example', count: 1 },
      { what: 'Cron jobs', count: 1 },
    ],
  })
  expect(secrets.databases).toEqual({ alice_u: native })
  expect(Object.fromEntries(rules)).toMatchObject({
    'domains/shop.example/public_html': { site: 'shop.example', to: 'public' },
    'domains/shop.example/public_html/blog': { site: 'blog.shop.example', to: 'public' },
    'imap/shop.example/info/Maildir': { kind: 'mail', account: 'info' },
  })
})

const duplicator: Entry[] = [
  { name: 'index.php', body: '<?php // wordpress' },
  { name: 'wp-content/', flag: '5' },
  { name: 'wp-content/uploads/a.jpg', body: 'a picture' },
  { name: 'dup-installer/main.installer.php', body: 'x' },
  { name: '20261129_shop_installer-backup.php', body: 'x' },
  {
    name: 'dup-installer/dup-wp-config-arc__ab12-3.txt',
    body: "define('DB_NAME', 'shop');\ndefine('DB_USER', 'shopper');\ndefine('DB_PASSWORD', 'password');\n",
  },
  { name: 'dup-installer/dup-database__ab12-3.sql', body: 'create table wp_posts (id int);' },
]

it('takes an archive of Duplicator, and leaves its installer', async () => {
  const { inventory, rules, secrets } = await look(zip(duplicator), 'shop.example')
  expect(inventory).toMatchObject({
    websites: [{ domain: 'shop.example', files: 3, mentions: ['shop'] }],
    databases: [{ name: 'shop', users: [{ name: 'shopper', hash: 'mysql-native' }] }],
    others: [{ what: 'installer of Duplicator' }],
  })
  expect(secrets.databases.shopper).toMatch(/^\*[0-9A-F]{40}$/)
  expect(Object.fromEntries(rules)).toMatchObject({
    'dup-installer': { kind: 'skip' },
    '20261129_shop_installer-backup.php': { kind: 'skip' },
    'dup-installer/dup-wp-config-arc__ab12-3.txt': { kind: 'site', to: 'public/wp-config.php' },
    'dup-installer/dup-database__ab12-3.sql': { kind: 'dump', database: 'shop' },
  })
})

it('refuses what a hostile zip archive has', async () => {
  const page: Entry = { name: 'index.html', body: 'a page' }
  const of = (more: Parameters<typeof zip>[0][number]) => look(zip([page, more]), 'shop.example')
  const { inventory } = await look(
    zip([
      page,
      { name: '../../etc/passwd', body: 'x' },
      { name: '/etc/passwd', body: 'x' },
      { name: Buffer.from([0x61, 0xff, 0x62]), body: 'x' },
      { name: 'out', flag: '2', link: '/etc/shadow' },
      { name: 'in', flag: '2', link: 'index.html' },
      { name: 'null', flag: '3' },
      { name: 'secret.txt', body: 'x', listed: { flags: 1 } },
    ]),
    'shop.example',
  )
  expect(inventory.refused).toEqual({ 'name with ..': 1, 'absolute name': 1, 'name is not UTF-8': 1 })
  expect(inventory.websites).toMatchObject([
    {
      ...{ files: 1, links: 1 },
      refused: {
        ...{ 'link that leaves the website': 1, 'device or pipe': 1 },
        'encrypted, or packed in a way that is not known': 1,
      },
    },
  ])
  const config = (listed: object) => of({ name: 'wp-config.php', body: 'x'.repeat(500), listed })
  await expect(config({ packed: 5_000_000 })).rejects.toThrow('lie on each other')
  await expect(look(zip([page], { end: false }), 'shop.example')).rejects.toThrow('breaks off')
  await expect(look(zip([page]).subarray(0, -30), 'shop.example')).rejects.toThrow('breaks off')
  await expect(config({ at: 7 })).rejects.toThrow('not where its list says')
  await expect(config({ size: 5 })).rejects.toThrow('larger than its list says')
})
