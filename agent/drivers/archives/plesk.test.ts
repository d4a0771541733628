import { mkdtempSync, writeFileSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { Inventory } from '@innkeeper/contract/recovery/archiveImports/inventory'
import { afterAll, expect, it } from 'vitest'
import { readArchive } from './look.ts'
import { type Entry, tar } from './test/archive.ts'
import { everywhere, settingOf, xmlIn } from './xmlTree.ts'

const folder = mkdtempSync(join(tmpdir(), 'plesk-'))
afterAll(() => rm(folder, { recursive: true }))
let n = 0
async function look(entries: readonly Entry[]) {
  const path = join(folder, `${++n}.tar`)
  writeFileSync(path, tar(entries))
  const handle = await open(path)
  try {
    const kept = await readArchive(handle, { say: () => {}, stop: new AbortController().signal })
    Inventory.parse(kept.inventory)
    return kept
  } finally {
    await handle.close()
  }
}

const described = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE migration-dump [<!ENTITY secret SYSTEM "file:///etc/shadow">]>
<migration-dump agent-name="PleskX" dump-format="panel">
  <!-- <domain name="comment.example"/> -->
  <domain name="shop.example" guid="1" www="true">
    <preferences><domain-alias name="also.example" web="true"/></preferences>
    <properties>
      <ip><ip-type>shared</ip-type><ip-address>192.0.2.9</ip-address></ip>
      <dns-zone>
        <dnsrec type="A" src="shop.example." dst="192.0.2.9"/>
        <dnsrec type="MX" src="shop.example." dst="mail.shop.example." opt="10"/>
        <dnsrec type="TXT" src="note" dst="a &quot;b&quot; &amp; c; d"/>
        <dnsrec type="PTR" src="192.0.2.9" dst="shop.example."/>
      </dns-zone>
    </properties>
    <databases>
      <database name="shop" type="mysql" version="10.6"><dbuser name="shop_u"><password type="sym">$AES-128-CBC$x</password></dbuser></database>
      <database name="old" type="mysql"><dbuser name="old_u"><password type="plain">a &lt; b</password></dbuser></database>
      <database name="other" type="postgresql"/>
    </databases>
    <phosting www-root="httpdocs" https="true">
      <preferences><sysuser name="shop_sys"/><pdir name="/staff"><pduser name="erik"/></pdir></preferences>
      <sites>
        <site name="Blog.example" parent-domain-name="shop.example"><phosting><www-root>blog.example/public</www-root></phosting></site>
        <site name="odd.example"><phosting www-root="../../etc"/></site>
      </sites>
    </phosting>
  </domain>
</migration-dump>`

const files: Entry[] = [
  { name: './httpdocs/index.php', body: 'x' },
  {
    name: './httpdocs/wp-config.php',
    body: "define('DB_NAME', 'shop');\ndefine('DB_USER', 'shop_u');\ndefine('DB_PASSWORD', 'password');\n",
  },
  { name: './httpdocs/out', flag: '2', link: '/etc/shadow' },
  { name: './blog.example/public/index.html', body: 'blog' },
  { name: './blog.example/composer.json', body: '{}' },
  { name: './.ssh/id_rsa', body: 'key' },
]
const dump = (name: string) => zstdCompressSync(tar([{ name, body: 'create table a (id int);' }]))
const backup = (prefix = ''): Entry[] => [
  { name: `${prefix}backup_info_2610010203.xml`, body: described },
  { name: `${prefix}backup_user-data_2610010203.tzst`, body: zstdCompressSync(tar(files)) },
  { name: `${prefix}databases/shop_1/backup_sqldump_2610010203.tzst`, body: dump('backup_sqldump_2610010203') },
  {
    name: `${prefix}databases/old_2/backup_sqldump_2610010203.tgz`,
    body: gzipSync(tar([{ name: 'x', body: 'select 1;' }])),
  },
  { name: `${prefix}backup_domainmail_2610010203.tzst`, body: dump('mail') },
  { name: `${prefix}.discovered/backup_info_2610010203/status_OK`, body: '' },
]

it('takes websites, files, databases and the zone of a backup of Plesk, and says what it does not read', async () => {
  for (const prefix of ['', 'domains/shop.example/', 'clients/kari/domains/shop.example/']) {
    const { inventory, secrets, rules } = await look(backup(prefix))
    expect(inventory).toMatchObject({
      ...{ format: 'plesk', account: { name: 'shop_sys' }, addresses: ['192.0.2.9'] },
      websites: [
        {
          ...{ domain: 'shop.example', aliases: ['also.example'], files: 2, mentions: [], protectedBy: ['/staff'] },
          ...{ root: '/var/www/vhosts/shop.example/httpdocs', refused: { 'link that leaves the website': 1 } },
        },
        { domain: 'blog.example', files: 2, rootProblem: null },
        { domain: 'odd.example', files: 0, rootProblem: '../../etc' },
      ],
      databases: [
        { name: 'shop', dumpBytes: 24, users: [{ name: 'shop_u', hash: 'mysql-native' }] },
        { name: 'old', dumpBytes: 9, users: [{ name: 'old_u', hash: 'mysql-native' }] },
        { name: 'other', engine: 'postgresql', dumpBytes: null },
      ],
      zones: [
        {
          domain: 'shop.example',
          text: 'shop.example. 3600 IN A 192.0.2.9\nshop.example. 3600 IN MX 10 mail.shop.example.\nnote 3600 IN TXT "a \\"b\\" & c; d"\n',
        },
      ],
    })
    expect(inventory.others.map(({ what }) => what)).toEqual([
      'Mailboxes',
      'Suspension, PHP versions, cron jobs and FTP users',
    ])
    expect(Object.keys(secrets.databases)).toEqual(['shop_u', 'old_u'])
    expect(Object.fromEntries(rules)).toMatchObject({
      [`${prefix}backup_user-data_2610010203/httpdocs`]: { site: 'shop.example', to: 'public' },
      [`${prefix}backup_user-data_2610010203/blog.example`]: { site: 'blog.example', to: '' },
      [`${prefix}backup_user-data_2610010203/blog.example/public`]: { site: 'blog.example', to: 'public' },
      [`${prefix}databases/shop_1/backup_sqldump_2610010203`]: { kind: 'dump', database: 'shop' },
    })
  }
})

it('names parts that break off, and refuses backups of which it would read half', async () => {
  const short = backup().map((one) =>
    one.name.toString().includes('user-data') || one.name.toString().includes('shop_1')
      ? { ...one, body: Buffer.from(one.body ?? '').subarray(0, 40) }
      : one,
  )
  const { inventory } = await look(short)
  expect(inventory.websites[0]?.fault).not.toBeNull()
  expect(inventory.databases[0]).toMatchObject({ name: 'shop', dumpBytes: null })
  await expect(look([...backup(), { name: 'domains/b.example/backup_user-data_1.tgz', body: 'x' }])).rejects.toThrow(
    '2 subscriptions',
  )
  await expect(look(backup().slice(1))).rejects.toThrow('is missing')
  await expect(
    look([...backup().slice(0, 1), { name: 'backup_user-data_2610010203_2610020203.tzst', body: 'x' }]),
  ).rejects.toThrow('increment')
  await expect(look([{ name: 'backup_info_1.xml', body: '<a><b' }])).rejects.toThrow('breaks off')
})

it('reads XML without files, entities or depth of somebody else', () => {
  const root = xmlIn(`<a x='1 > 2'><![CDATA[<b/>]]>&lt;&#65;&#x42;&secret;&#0;<c y="&amp;"/></a></a><d>`)
  expect(root.children.map(({ name, text }) => [name, text])).toEqual([
    ['a', '<b/><AB&secret;\ufffd'],
    ['d', ''],
  ])
  expect(settingOf(everywhere(root, 'c')[0], 'y')).toBe('&')
  expect(() => xmlIn('<a>'.repeat(100))).toThrow('too deep')
  for (const text of ['<'.repeat(100_000), '<a b='.repeat(50_000), '&lt'.repeat(100_000), '<!--'.repeat(50_000)])
    expect(() => {
      try {
        xmlIn(text)
      } catch (error) {
        if (!/breaks off|too/.test(String(error))) throw error
      }
    }).not.toThrow()
})
