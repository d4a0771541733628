import {
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { chown, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, expect, it } from 'vitest'
import { FileSums, sumOfFolder } from './fileSums.ts'
import { readArchive } from './look.ts'
import { type Member, members } from './tar.ts'
import { type Entry, hestia, pax, tar } from './test/archive.ts'
import { unpacked } from './unpacked.ts'
import { Unpacker } from './unpacker.ts'
import { openArchive } from './walk.ts'

const folder = mkdtempSync(join(tmpdir(), 'archives-'))
afterAll(() => rm(folder, { recursive: true }))
let n = 0
const fileOf = (bytes: Buffer) => {
  const path = join(folder, `${++n}.tar`)
  writeFileSync(path, bytes)
  return path
}
/** In parts of odd lengths, so that headers lie across their ends. */
async function* chunked(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 333) yield bytes.subarray(at, at + 333)
}
async function listed(bytes: Buffer) {
  const found: (Pick<Member, 'path' | 'refusal' | 'type' | 'size'> & { text?: string })[] = []
  for await (const { body, path, refusal, type, size } of members(unpacked(chunked(bytes)))) {
    const parts = []
    if (path?.endsWith('.txt')) for await (const part of body()) parts.push(part)
    found.push({ path, refusal, type, size, text: Buffer.concat(parts).toString() })
  }
  return found
}
const look = async (bytes: Buffer) => {
  const handle = await open(fileOf(bytes))
  try {
    return await readArchive(handle, { say: () => {}, stop: new AbortController().signal })
  } finally {
    await handle.close()
  }
}

it('reads names of ustar, GNU tar and pax, in all compressions', async () => {
  const long = `${'folder/'.repeat(20)}a.txt`
  const bytes = tar([
    { name: './a.txt', body: 'one' },
    { name: long, body: 'two' },
    pax({ path: 'blåbær/æ.txt' }),
    { name: 'short', body: 'three' },
    { name: 'b.bin', body: Buffer.alloc(2000, 1) },
  ])
  for (const packed of [bytes, gzipSync(bytes), zstdCompressSync(bytes)])
    expect((await listed(packed)).map(({ path, text }) => [path, text])).toEqual([
      ['a.txt', 'one'],
      [long, 'two'],
      ['blåbær/æ.txt', 'three'],
      ['b.bin', ''],
    ])
})

it('refuses names that lead elsewhere, and archives that are damaged or break off', async () => {
  const refused = await listed(
    tar([
      { name: '/etc/passwd', body: 'x' },
      { name: 'a/../../b', body: 'x' },
      { name: Buffer.from([0x61, 0xff, 0x62]), body: 'x' },
      { name: 'new\nline', body: 'x' },
      { name: 'p', flag: '6' },
      { name: 'd', flag: '3' },
      { name: 's', flag: 'S', body: 'x' },
    ]),
  )
  expect(refused.map(({ refusal, type }) => refusal ?? type)).toEqual([
    ...['absolute name', 'name with ..', 'name is not UTF-8', 'name with control characters'],
    ...['device', 'device', 'other'],
  ])
  const whole = tar([{ name: 'a.txt', body: Buffer.alloc(5000, 7) }])
  await expect(listed(whole.subarray(0, 2000))).rejects.toThrow('breaks off')
  await expect(listed(gzipSync(whole).subarray(0, 40))).rejects.toThrow('truncated or damaged')
  await expect(listed(tar([{ name: 'a', spoilSum: true }]))).rejects.toThrow('checksum')
  await expect(listed(tar([{ name: 'a', flag: 'L', size: 2_000_000 }]))).rejects.toThrow('longer than 1 MB')
  const zeros = unpacked(chunked(gzipSync(Buffer.alloc(20_000_000))), { free: 1_000_000 })
  await expect(Array.fromAsync(zeros)).rejects.toThrow('bomb')
})

it('opens no link and no device', async () => {
  const file = fileOf(tar([]))
  symlinkSync(file, join(folder, 'link'))
  symlinkSync(folder, join(folder, 'way'))
  await expect(openArchive(join(folder, 'link'))).rejects.toThrow('it is a link')
  await expect(openArchive(join(folder, 'way/1.tar'))).rejects.toThrow('not a folder of its own')
  await expect(openArchive('/dev/null')).rejects.toThrow('not an ordinary file')
})

it('finds websites, databases, mail, zones and jobs of HestiaCP, and keeps hashes apart', async () => {
  const native = `*${'AB'.repeat(20)}`
  const { inventory, secrets } = await look(
    hestia({
      sites: [
        {
          domain: 'shop.example',
          conf: "FTP_USER='alice_up' FTP_MD5='$1$abc$ABCDEFGHIJKLMNOPQRSTUV' FTP_PATH='/public_html/in'",
          files: [
            { name: './public_html/wp-config.php', body: "define('DB_NAME', 'alice_shop');" },
            { name: './public_html/out', flag: '2', link: '/etc/passwd' },
            { name: './public_html/null', flag: '3' },
            { name: './logs/x.log', body: 'not carried' },
          ],
        },
      ],
      more: [
        {
          name: './db/alice_shop/hestia/db.conf',
          body: `DB='alice_shop' DBUSER='alice_shop' MD5='${native}' TYPE='mysql' CHARSET='UTF8MB4'\n`,
        },
        { name: './db/alice_shop/alice_shop.mysql.sql.gz', body: gzipSync('select 1;') },
        {
          name: './mail/post.example/hestia/mail.conf',
          body: "DOMAIN='post.example' CATCHALL='info@post.example' DKIM='yes'\n",
        },
        {
          name: './mail/post.example/hestia/post.example.conf',
          body: `ACCOUNT='info' ALIAS='sales,hello' QUOTA='unlimited' MD5='{SHA512-CRYPT}$6$abcdefgh$${'y'.repeat(86)}'\nACCOUNT='old' FWD='a@b.example' FWD_ONLY='yes' QUOTA='100' MD5='{MD5}abc'\n`,
        },
        {
          name: './mail/post.example/accounts.tar.gz',
          body: gzipSync(
            tar([
              { name: 'info/cur/1700000000.a:2,S', body: 'Subject: x' },
              { name: 'info/tmp/2', body: 'y' },
            ]),
          ),
        },
        { name: './dns/post.example/hestia/dns.conf', body: "DOMAIN='post.example' IP='192.0.2.9' TTL='3600'\n" },
        {
          name: './dns/post.example/hestia/post.example.conf',
          body: "ID='1' RECORD='@' TYPE='A' VALUE='192.0.2.9'\nID='2' RECORD='@' TYPE='MX' PRIORITY='10' VALUE='mail.post.example.'\nID='3' RECORD='@' TYPE='TXT' VALUE='\"it%quote%s\"' TTL='60'\n",
        },
        {
          name: './cron/cron.conf',
          body: "JOB='1' MIN='*/5' HOUR='*' DAY='*' MONTH='*' WDAY='*' CMD='echo %quote%a%quote%' SUSPENDED='no'\n",
        },
      ],
    }),
  )
  expect(inventory.account).toMatchObject({ name: 'alice', plan: 'default' })
  expect(inventory.websites).toMatchObject([
    {
      ...{ domain: 'shop.example', aliases: ['www.shop.example'], phpVersion: '8.2', files: 1, links: 0 },
      ...{ mentions: ['alice_shop'], refused: { 'device or pipe': 1, 'link that leaves the website': 1 }, fault: null },
    },
  ])
  expect(inventory.databases).toMatchObject([
    { name: 'alice_shop', charset: 'utf8mb4', users: [{ name: 'alice_shop', hash: 'mysql-native' }] },
  ])
  expect(inventory.mail[0]).toMatchObject({
    catchAll: 'info@post.example',
    mailboxes: [
      { name: 'info', hash: 'sha512-crypt', quotaMb: null, messages: 1, newest: 1_700_000_000 },
      { name: 'old', hash: 'other', quotaMb: 100, forwards: ['a@b.example'], keepCopy: false },
    ],
    aliases: [{ name: 'sales' }, { name: 'hello' }],
  })
  expect(inventory.zones[0]?.text).toBe(
    '@\t3600\tIN\tA\t192.0.2.9\n@\t3600\tIN\tMX\t10 mail.post.example.\n@\t60\tIN\tTXT\t"it\'s"\n',
  )
  expect(inventory.cron).toEqual([{ when: '*/5 * * * *', command: "echo 'a'", suspended: false }])
  expect(inventory.ftp).toEqual([
    { name: 'alice_up', website: 'shop.example', path: 'public_html/in', hash: 'md5-crypt' },
  ])
  expect(secrets.databases).toEqual({ alice_shop: native })
  expect(Object.keys(secrets.mailboxes)).toEqual(['info@post.example'])
  expect(JSON.stringify(inventory)).not.toContain(native)
})

it('finds an archive that breaks off in a part that nobody reads', async () => {
  const whole = hestia({
    sites: [{ domain: 'shop.example', files: [] }],
    more: [{ name: './user_dir/large.tar.gz', body: Buffer.alloc(3_000_000, 7) }],
  })
  expect((await look(whole)).inventory.members).toBeGreaterThan(4)
  await expect(look(whole.subarray(0, 2_500_000))).rejects.toThrow('breaks off')
  await expect(look(whole.subarray(0, whole.length - 1100))).rejects.toThrow('breaks off')
})

it('says which website breaks off', async () => {
  const bad = gzipSync(tar([{ name: './public_html/a', body: Buffer.alloc(9000, 5) }])).subarray(0, 60)
  const good = { domain: 'good.example', files: [{ name: './public_html/a', body: 'x' }] }
  const more = [
    { name: './web/bad.example/hestia/web.conf', body: "DOMAIN='bad.example'\n" },
    { name: './web/bad.example/domain_data.tar.gz', body: bad },
  ]
  const { inventory } = await look(hestia({ sites: [good], more }))
  expect(inventory.websites.map(({ domain, fault, files }) => [domain, fault !== null, files])).toEqual([
    ['good.example', false, 1],
    ['bad.example', true, 0],
  ])
})

it('finds an account of cPanel in both forms of its home folder', async () => {
  const home: Entry[] = [
    { name: 'public_html/index.html', body: 'main' },
    { name: 'public_html/addon/index.html', body: 'addon' },
    { name: 'mail/main.example/info/cur/1.a:2,S', body: 'Subject: x' },
    { name: 'etc/main.example/shadow', body: `info:$6$abcdefgh$${'y'.repeat(86)}:1::::::\n` },
    { name: 'etc/main.example/quota', body: 'info:104857600\n' },
  ]
  const rest: Entry[] = [
    { name: 'cp/bob', body: 'DNS=main.example\nPLAN=gold\nIP=192.0.2.7\n' },
    {
      name: 'userdata/main',
      body: '---\nmain_domain: main.example\naddon_domains:\n  addon.example: addon.main.example\nparked_domains:\n  - parked.example\nsub_domains:\n  - addon.main.example\n',
    },
    {
      name: 'userdata/main.example',
      body: 'documentroot: /home/bob/public_html\nphpversion: ea-php81\nserveralias: www.main.example mail.main.example\n',
    },
    { name: 'userdata/addon.main.example', body: 'documentroot: /home/bob/public_html/addon\n' },
    { name: 'mysql/bob_db.sql', body: '-- dump' },
    {
      name: 'mysql.sql',
      body: "GRANT USAGE ON *.* TO 'bob_u'@'localhost' IDENTIFIED BY PASSWORD '*AAAABBBBCCCCDDDDEEEEAAAABBBBCCCCDDDDEEEE';\nGRANT ALL PRIVILEGES ON `bob\\_db`.* TO 'bob_u'@'localhost';\n",
    },
    { name: 'va/main.example', body: '*: info@main.example\nsales@main.example: info@main.example, x@y.example\n' },
    { name: 'cron/bob', body: 'SHELL="/bin/bash"\n0 3 * * * php /home/bob/public_html/job.php\n' },
  ]
  const under = (top: string, entries: readonly Entry[]) =>
    entries.map((one) => ({ ...one, name: `${top}${one.name}` }))
  const open_ = gzipSync(tar([...under('cpmove-bob/', rest), ...under('cpmove-bob/homedir/', home)]))
  const closed = tar([...under('bob/', rest), { name: 'bob/homedir.tar', body: tar(home) }])
  for (const bytes of [open_, closed]) {
    const { inventory, secrets } = await look(bytes)
    expect(inventory.websites).toMatchObject([
      { domain: 'main.example', aliases: ['parked.example', 'www.main.example'], phpVersion: '8.1', files: 1 },
      { domain: 'addon.example', files: 1 },
    ])
    expect(inventory.databases).toMatchObject([{ name: 'bob_db', users: [{ name: 'bob_u', hash: 'mysql-native' }] }])
    expect(inventory.mail).toMatchObject([
      {
        domain: 'main.example',
        catchAll: 'info@main.example',
        mailboxes: [{ name: 'info', quotaMb: 100, messages: 1 }],
        aliases: [{ name: 'sales' }],
      },
    ])
    expect(inventory.cron).toHaveLength(1)
    expect(secrets.databases.bob_u).toMatch(/^\*A{4}/)
  }
})

it('writes only below its folder, and through no link', async () => {
  const target = mkdtempSync(join(folder, 'site-'))
  const as = { uid: 65_534, gid: 65_534, home: '/' }
  await chown(target, as.uid, as.gid)
  await chown(folder, as.uid, as.gid)
  const outside = join(folder, 'outside')
  writeFileSync(outside, 'untouched')
  const unpacker = new Unpacker({ folder: target, as, roots: [{ from: '/home/a/web/x/public_html', to: 'public' }] })
  const long = `public/${'f'.repeat(200)}/é.txt`
  const entries: Entry[] = [
    { name: 'public/a.txt', body: 'a', mode: 0o4755 },
    { name: 'public/a.txt', body: 'twice' },
    { name: 'public/evil', flag: '2', link: '../../outside' },
    { name: 'public/way', flag: '2', link: '..' },
    { name: 'public/way/b.txt', body: 'through' },
    { name: 'public/there', flag: '2', link: '/home/a/web/x/public_html/a.txt' },
    { name: 'public/hard', flag: '1', link: 'public/a.txt' },
    { name: 'public/lost', flag: '1', link: 'public/none' },
    { name: long, body: 'long' },
    { name: 'public/big', body: Buffer.alloc(3_000_000, 9) },
  ]
  for await (const member of members(chunked(tar(entries))))
    await unpacker.write(member, member.path ?? '', member.target)
  await unpacker.close()
  expect(unpacker.written).toEqual({
    ...{ files: 4, bytes: 3_000_005, links: 2, sum: await sumOfFolder(target, as) },
    refused: {
      ...{ 'setuid or setgid bit is dropped': 1, 'name occurs twice': 1, 'link that leaves the website': 1 },
      ...{ 'member below a link': 1, 'hard link to a file that is not carried': 1 },
    },
  })
  expect(readdirSync(join(target, 'public')).sort()).toEqual(['a.txt', 'big', 'f'.repeat(200), 'hard', 'there', 'way'])
  expect(readFileSync(join(target, long), 'utf8')).toBe('long')
  expect(readlinkSync(join(target, 'public/there'))).toBe('a.txt')
  expect(statSync(join(target, 'public/a.txt'))).toMatchObject({ uid: as.uid, mode: 0o100755, nlink: 2 })
  expect(readFileSync(outside, 'utf8')).toBe('untouched')
  // one byte, or one name, is another sum
  const sum = unpacker.written.sum
  writeFileSync(join(target, 'public/a.txt'), 'b')
  expect(await sumOfFolder(target, as)).not.toBe(sum)
  writeFileSync(join(target, 'public/a.txt'), 'a')
  expect(await sumOfFolder(target, as)).toBe(sum)
  renameSync(join(target, 'public/big'), join(target, 'public/bigger'))
  expect(await sumOfFolder(target, as)).not.toBe(sum)
})

it('sums names and contents in any order, whatever the names are, and a content once for all its names', async () => {
  const at = mkdtempSync(join(folder, 'sums-'))
  const as = { uid: 65_534, gid: 65_534, home: '/' }
  await chown(at, as.uid, as.gid)
  expect(await sumOfFolder(at, as)).toBe(new FileSums().text)
  const names = ['back\\slash', '-rf', ' two  spaces ', "it's", '$(id)', 'blåbær']
  const sums = new FileSums()
  for (const name of names.toReversed()) {
    sums.name(name)
    for await (const part of sums.through(chunked(Buffer.from(`of ${name}`)))) expect(part.length).toBeGreaterThan(0)
  }
  for (const name of names) writeFileSync(join(at, name), `of ${name}`, { mode: 0o644 })
  expect(await sumOfFolder(at, as)).toBe(sums.text)
  linkSync(join(at, '-rf'), join(at, 'also'))
  sums.name('also')
  expect(await sumOfFolder(at, as)).toBe(sums.text)
})
