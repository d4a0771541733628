import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readArchive } from '../agent/drivers/archives/look.ts'
import { Rules } from '../agent/drivers/archives/rules.ts'
import { joined } from '../agent/drivers/archives/unpack.ts'
import { Programs, Turns, Unpacker } from '../agent/drivers/archives/unpacker.ts'
import { bytesOf, openArchive, walk } from '../agent/drivers/archives/walk.ts'
import { median } from './load.ts'
import type { Options } from './options.ts'
import { atLeast, atMost, known, type Line, short } from './table.ts'

const SITES = 200
/** Of one website: small files as WordPress has them, and pictures. */
const SMALL = { count: 90, bytes: 9_000 }
const LARGE = { count: 4, bytes: 1_100_000 }
const MB = 1_048_576
const as = { uid: 65_534, gid: 65_534, home: '/' }

/** Measures an archive of HestiaCP with 200 websites against rsync and tar by hand, with the disk and the memory it takes. */
export async function* archives(_: string, { rounds }: Options): AsyncGenerator<Line> {
  const folder = mkdtempSync('/var/tmp/bench-archives-')
  try {
    const archive = made(folder)
    const bytes = SITES * (SMALL.count * SMALL.bytes + LARGE.count * LARGE.bytes)
    const handle = await openArchive(archive)
    try {
      const { size } = await handle.stat()
      const looking = watched()
      const kept = await readArchive(handle, { say: () => {}, stop: new AbortController().signal })
      const look = looking.end()
      if (kept.inventory.websites.length !== SITES) throw new Error('the look found other websites')
      yield atMost('archives', `look at ${SITES} websites`, look.seconds, 60, ' s', `${short(size / MB)} MB of archive`)
      yield atMost('archives', 'memory of the look', look.memory, 256, ' MB', 'above what the process had')
      const times: Record<'ours' | 'rsync' | 'tar', number[]> = { ours: [], rsync: [], tar: [] }
      let peak = { memory: 0, disk: 0 }
      const target = join(folder, 'ours')
      const ways = {
        async ours() {
          const run = watched()
          await unpack(handle, kept, target)
          sync()
          const { seconds, memory, disk } = run.end()
          peak = { memory: Math.max(peak.memory, memory), disk: Math.max(peak.disk, disk) }
          if (!times.ours.length) same(join(folder, 'tree'), target)
          rmSync(target, { recursive: true })
          return seconds
        },
        rsync: async () => byHand(folder, ['rsync', '--archive', 'tree/', 'hand/']),
        tar: async () => byHand(folder, ['sh', '-ec', byTar]),
      }
      const order = ['ours', 'rsync', 'tar'] as const
      for (let n = 0; n < rounds; n++)
        // each is first, second and last in turn: what the one before left to the disk is nobody's advantage
        for (let i = 0; i < order.length; i++) {
          const way = order[(n + i) % order.length] ?? 'ours'
          sync()
          times[way].push(await ways[way]())
        }
      const rate = (way: keyof typeof times) => bytes / MB / median(times[way])
      const behind = (way: keyof typeof times) =>
        `${short(rate('ours'))} MB/s, ${way} ${short(rate(way))} MB/s, ${short(bytes / MB)} MB`
      for (const way of ['rsync', 'tar'] as const)
        yield atLeast('archives', `unpack, of ${way} by hand`, rate('ours') / rate(way), 0.8, behind(way))
      yield atMost('archives', 'memory of the unpacking', peak.memory, 256, ' MB', 'above what the process had')
      yield known(
        'archives',
        'disk of the unpacking',
        `${short(peak.disk)} MB`,
        `${short(bytes / MB)} MB are the websites`,
      )
    } finally {
      await handle.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** As `v-backup-user` packs it, by the programs of Debian. */
function made(folder: string): string {
  for (let n = 0; n < SITES; n++) {
    const pages = join(folder, 'tree', `s${n}.example`, 'public')
    mkdirSync(pages, { recursive: true })
    const put = (name: string, bytes: number, random: number) =>
      writeFileSync(
        join(pages, name),
        Buffer.concat([randomBytes(random), Buffer.alloc(bytes - random, '<?php // a line\n')]),
      )
    for (let i = 0; i < SMALL.count; i++) put(`page${i}.php`, SMALL.bytes, 2000)
    for (let i = 0; i < LARGE.count; i++) put(`picture${i}.jpg`, LARGE.bytes, LARGE.bytes)
    const web = join(folder, 'archive', 'web', `s${n}.example`)
    mkdirSync(join(web, 'hestia'), { recursive: true })
    writeFileSync(
      join(web, 'hestia/web.conf'),
      `DOMAIN='s${n}.example' ALIAS='' IP='192.0.2.1' BACKEND='PHP-8_2' SUSPENDED='no'\n`,
    )
    const into = join(web, 'domain_data.tar.zst')
    must(['tar', '--zstd', '-cf', into, '--transform=s,^\\./public,./public_html,', '-C', join(pages, '..'), '.'])
  }
  mkdirSync(join(folder, 'archive/hestia'))
  writeFileSync(join(folder, 'archive/hestia/user.conf'), "NAME='bench' PACKAGE='default' CONTACT='' SUSPENDED='no'\n")
  writeFileSync(join(folder, 'archive/.zstd'), '')
  const archive = join(folder, 'bench.tar')
  must(['tar', '-cf', archive, '-C', join(folder, 'archive'), './hestia', './.zstd', './web'])
  rmSync(join(folder, 'archive'), { recursive: true })
  return archive
}

/** What people do by hand: one folder for each website, from the archive as it lies there. */
const byTar = `mkdir hand parts; tar -xf bench.tar -C parts
  for one in parts/web/*; do mkdir "hand/\${one##*/}"; tar --zstd -xf "$one/domain_data.tar.zst" -C "hand/\${one##*/}"; done
  rm -r parts`

function byHand(folder: string, argv: string[]): number {
  const began = performance.now()
  must(argv, folder)
  sync()
  const seconds = (performance.now() - began) / 1000
  rmSync(join(folder, 'hand'), { recursive: true })
  return seconds
}

type Kept = Awaited<ReturnType<typeof readArchive>>
async function unpack(handle: Awaited<ReturnType<typeof openArchive>>, kept: Kept, target: string): Promise<void> {
  const rules = new Rules(kept.rules)
  const unpackers = new Map<string, Unpacker>()
  const turns = new Turns()
  const programs = new Programs()
  mkdirSync(target)
  must(['chmod', '755', join(target, '..')])
  for await (const found of walk(bytesOf(handle), kept.wrapping, () => true)) {
    if ('fault' in found) throw new Error(found.fault)
    const placed = found.path === undefined ? undefined : rules.of(found.path)
    if (placed?.rule.kind !== 'site') continue
    const { site, to } = placed.rule
    let unpacker = unpackers.get(site)
    if (!unpacker) {
      const into = join(target, site)
      mkdirSync(into)
      chownSync(into, as.uid, as.gid)
      unpacker = new Unpacker({ folder: into, as, base: target, roots: kept.roots[site] ?? [] }, programs)
      unpackers.set(site, unpacker)
    }
    await turns.to(unpacker)
    await unpacker.write(found.member, joined(to, placed.within))
  }
  await turns.end()
}

/** Compares by a program that shares nothing with ours. */
function same(tree: string, target: string): void {
  const { stdout } = spawnSync('rsync', ['-nrc', '--delete', '--out-format=%n', `${tree}/`, `${target}/`], {
    encoding: 'utf8',
  })
  const files = stdout.split('\n').filter((name) => name && !name.endsWith('/'))
  if (files.length) throw new Error(`${files.length} files differ, such as ${files[0]}`)
}

function watched() {
  const used = () => {
    const { blocks, bfree, bsize } = statfsSync('/var/tmp')
    return ((blocks - bfree) * bsize) / MB
  }
  const rss = () => process.memoryUsage().rss / MB
  const [began, first, disk] = [performance.now(), rss(), used()]
  let peak = { memory: 0, disk: 0 }
  const look = () => {
    peak = { memory: Math.max(peak.memory, rss() - first), disk: Math.max(peak.disk, used() - disk) }
  }
  const timer = setInterval(look, 100)
  return {
    end() {
      clearInterval(timer)
      look()
      return { ...peak, seconds: (performance.now() - began) / 1000 }
    },
  }
}

const sync = () => must(['sync', '-f', '/var/tmp'])

function must(argv: string[], cwd = '/'): void {
  const [program = '', ...args] = argv
  const { status, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`)
}
