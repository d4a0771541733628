import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { chmod, chown, lstat, open, readdir, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { Inventory } from '@innkeeper/contract/recovery/archiveImports/inventory'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sumOfFolder } from './fileSums.ts'
import type { Kept } from './kept.ts'
import { readArchive } from './look.ts'
import { Rules } from './rules.ts'
import { type Entry, hestia, pax, tar, wpress, zip } from './test/archive.ts'
import { joined } from './unpack.ts'
import { Programs, Turns, Unpacker } from './unpacker.ts'
import { bytesOf, walk } from './walk.ts'

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000_007)
const runs = Number(process.env.FUZZ_RUNS ?? 60)
const as = { uid: 65_534, gid: 65_534, home: '/' }

const folder = mkdtempSync(join(tmpdir(), 'hostile-'))
const outside = join(folder, 'outside')
beforeAll(async () => {
  console.log(`archives: SEED=${seed} FUZZ_RUNS=${runs}`)
  mkdirSync(outside)
  writeFileSync(join(outside, 'precious'), 'untouched')
  // whoever owns a website may write here, so that only the names protect it
  for (const one of [folder, outside, join(outside, 'precious')]) await chmod(one, 0o777)
  await chown(join(outside, 'precious'), as.uid, as.gid)
})
afterAll(() => rm(folder, { recursive: true }))

const names = fc.oneof(
  fc.constantFrom<string | Buffer>(
    ...['index.php', 'a/b/c', './a', 'a/', 'a//b', 'a/./b', '.', './', '..', '../precious', 'a/../../outside/precious'],
    ...[`${outside}/precious`, '/etc/cron.d/evil', 'link', 'link/precious', 'link/x', 'LINK', '.htaccess', '.user.ini'],
    ...[
      '-rf',
      '--checkpoint-action=exec=id',
      'a\nb',
      'a\tb',
      '\u202egnp.exe',
      'blåbær',
      'C:\\x',
      `${'d/'.repeat(70)}x`,
    ],
    ...[
      'x'.repeat(300),
      'y'.repeat(99),
      `${'z'.repeat(60)}/${'z'.repeat(60)}`,
      'wp-config.php',
      '.env',
      'a.sql',
      'cp/root',
    ],
    ...['hestia/user.conf', 'innkeeper.json', 'innkeeper.end', 'homedir/public_html/x', 'userdata/main', '😀'],
    ...[Buffer.from([0xff, 0xfe, 0x2f, 0x61]), Buffer.from([0x61, 0xc3]), Buffer.from('caf\u00e9', 'latin1')],
  ),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
)
const links = fc.constantFrom(
  ...[outside, `${outside}/precious`, '../../outside', '..', '.', '/', '/etc', 'index.php', 'a/b', 'link', '', '\0'],
  ...['/home/alice/web/a.example/public_html/index.php', '../public_html/index.php', 'x'.repeat(99)],
)
const entry: fc.Arbitrary<Entry> = fc.record({
  name: names,
  body: fc.constantFrom('', 'text', '<?php', "define('DB_NAME', 'a');", 'x'.repeat(5000), '\0'.repeat(100_000)),
  flag: fc.constantFrom(...['0', '0', '0', '5', '2', '1', '3', '4', '6', '7', 'S', 'V', '\0']),
  link: links,
  mode: fc.constantFrom(0o644, 0o755, 0o6755, 0o000, 0o7777, 0o666),
})
const odd: fc.Arbitrary<Entry> = fc.oneof(
  { weight: 8, arbitrary: entry },
  { weight: 1, arbitrary: entry.map((one) => ({ ...one, size: 1_000_000 })) },
  { weight: 1, arbitrary: entry.map((one) => ({ ...one, spoilSum: true })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      pax({ path: '../x' }),
      pax({ size: '-1' }),
      pax({ linkpath: '/etc' }),
      pax({ path: 'ok' }),
    ),
  },
)
const conf = fc.constantFrom(
  ...[
    "SSL='yes'",
    "SUSPENDED='yes'",
    "ALIAS='a.example,*.example'",
    "CUSTOM_DOCROOT='/etc'",
    "FTP_USER='a:b'",
    "AUTH_USER='x'",
  ],
  ...["DOMAIN='../../etc'", "DOMAIN='blåbær.example'", "BACKEND='%quote%'", "REDIRECT='javascript:1'", '\0\0', "X='"],
)
const packed = fc.constantFrom((bytes: Buffer) => bytes, gzipSync, zstdCompressSync)
const cut = fc.oneof(
  { weight: 3, arbitrary: fc.constant(1) },
  { weight: 1, arbitrary: fc.double({ min: 0.1, max: 0.99, noNaN: true }) },
)

const archives = fc
  .tuple(fc.array(odd, { maxLength: 12 }), fc.array(odd, { maxLength: 12 }), conf, packed, cut, fc.nat(5))
  .map(([inner, outer, settings, pack, part, kind]) => {
    const whole = [
      () => pack(hestia({ sites: [{ domain: 'a.example', files: within(inner), conf: settings }], more: outer })),
      () =>
        pack(
          hestia({
            sites: ['a.example', 'b.example'].map((domain) => ({ domain, files: within(inner) })),
            plain: outer,
          }),
        ),
      () => pack(tar([...cpanel, ...inner.map((one) => below('homedir/public_html/', one)), ...outer])),
      () => pack(tar([...inner.map((one) => below('a.example/public/', one)), ...outer])),
      () => zip([...inner, ...outer].filter(({ flag = '0' }) => '0253'.includes(flag))),
      () => wpress([...inner, ...outer].map(({ name, body = '' }) => ({ name, body }))),
    ][kind]?.() as Buffer
    return whole.subarray(0, Math.ceil(whole.length * part))
  })
const below = (place: string, one: Entry): Entry =>
  one.flag === 'x' ? one : { ...one, name: Buffer.concat([Buffer.from(place), Buffer.from(one.name)]) }
const within = (inner: readonly Entry[]) => inner.map((one) => below('public_html/', one))
const cpanel: Entry[] = [
  { name: 'cp/alice', body: 'DNS=a.example\n' },
  { name: 'homedir_paths', body: '/home/alice\n' },
]

/** Everything in a folder that an owner of the website could not have made there. */
async function strange(target: string): Promise<string[]> {
  const found: string[] = []
  const open = [target]
  for (let at = open.pop(); at; at = open.pop())
    for (const one of await readdir(at)) {
      const path = join(at, one)
      const { mode, uid } = await lstat(path)
      const kind = mode & 0o170000
      if (uid !== as.uid) found.push(`${path} of ${uid}`)
      if (kind !== 0o120000 && mode & 0o6000) found.push(`${path} with ${mode.toString(8)}`)
      if (kind === 0o120000) {
        const to = resolve(at, await readlink(path))
        if (to !== target && !to.startsWith(`${target}/`)) found.push(`${path} leads to ${to}`)
      } else if (kind === 0o040000) open.push(path)
      else if (kind !== 0o100000) found.push(`${path} is of the kind ${kind.toString(8)}`)
    }
  return found
}

async function unpackAll(
  handle: Awaited<ReturnType<typeof open>>,
  kept: Kept,
  target: string,
  sums: string[][],
): Promise<void> {
  const rules = new Rules(kept.rules)
  const turns = new Turns()
  const made = new Map<string, Unpacker>()
  const programs = new Programs()
  try {
    for await (const found of walk(bytesOf(handle), kept.wrapping, () => true)) {
      if ('fault' in found) throw new Error(found.fault)
      const placed = found.path === undefined ? undefined : rules.of(found.path)
      if (placed?.rule.kind !== 'site') continue
      const { site, to } = placed.rule
      let unpacker = made.get(site)
      if (!unpacker) {
        const into = join(target, `${made.size}`)
        mkdirSync(into)
        await chown(into, as.uid, as.gid)
        unpacker = new Unpacker({ folder: into, as, base: target, roots: kept.roots[site] ?? [] }, programs)
        made.set(site, unpacker)
      }
      await turns.to(unpacker)
      await unpacker.write(found.member, joined(to, placed.within))
    }
    await turns.end()
    for (const [n, unpacker] of [...made.values()].entries())
      sums.push([await sumOfFolder(join(target, `${n}`), as), unpacker.written.sum])
  } finally {
    await turns.drop()
  }
}

it('looks at and unpacks any archive, writes only below its folder, and never to the archive', async () => {
  let [n, looked, unpacked] = [0, 0, 0]
  const holds = fc.asyncProperty(archives, async (bytes) => {
    const path = join(folder, `${++n}.archive`)
    const target = join(folder, `target-${n}`)
    writeFileSync(path, bytes)
    mkdirSync(target)
    const { mtimeMs, ctimeMs } = statSync(path)
    const sums: string[][] = []
    const handle = await open(path)
    try {
      const kept = await readArchive(handle, { say: () => {}, stop: new AbortController().signal }, 'named.example')
      looked++
      Inventory.parse(JSON.parse(JSON.stringify(kept.inventory)))
      const again = await readArchive(handle, { say: () => {}, stop: new AbortController().signal }, 'named.example')
      expect(again).toEqual(kept)
      await unpackAll(handle, kept, target, sums).then(
        () => unpacked++,
        (error: Error) => expect(error.message).not.toMatch(/TypeError|undefined|is not a function|Cannot read/),
      )
    } catch (error) {
      // the reason is for people: no fault of the program
      expect(error).toBeInstanceOf(Error)
      expect(String(error)).not.toMatch(/TypeError|RangeError|ReferenceError|is not a function|Cannot read properties/)
    } finally {
      await handle.close()
    }
    expect(await strange(target)).toEqual([])
    // what lies there is what came out of the archive
    for (const [there, written] of sums) expect(there).toBe(written)
    expect(await readdir(outside)).toEqual(['precious'])
    expect(readFileSync(join(outside, 'precious'), 'utf8')).toBe('untouched')
    const after = statSync(path)
    expect([after.mtimeMs, after.ctimeMs]).toEqual([mtimeMs, ctimeMs])
    expect(createHash('sha256').update(readFileSync(path)).digest('hex')).toBe(
      createHash('sha256').update(bytes).digest('hex'),
    )
    await Promise.all([rm(path), rm(target, { recursive: true })])
  })
  await fc.assert(holds, { seed, numRuns: runs })
  expect(looked).toBeGreaterThan(0)
  expect(unpacked).toBeGreaterThan(0)
})
