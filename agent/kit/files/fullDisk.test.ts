import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { explainFullDisk } from './fullDisk.ts'
import '@innkeeper/lab/testing'
import { append, replace } from './files.ts'

const PAGE = 4096
const root = process.getuid?.() === 0
const why = 'needs root, to mount a small disk'

describe('a disk that is full at any write', { skip: !root, meta: { why } }, () => {
  const disk = mkdtempSync(join(tmpdir(), 'innkeeper-full-'))
  const ballast = join(disk, 'ballast')
  const file = join(disk, 'site.conf')
  beforeAll(() => execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', disk]))
  afterAll(() => {
    execFileSync('umount', [disk])
    rmSync(disk, { recursive: true })
  })
  /** Leaves room for some pages only. */
  function leave(pages: number): void {
    rmSync(ballast, { force: true })
    const { bavail, bsize } = statfsSync(disk)
    writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - pages * PAGE)))
  }
  const refusal = async (work: Promise<unknown>): Promise<string> => {
    const error: unknown = await work.then(
      () => undefined,
      (one: unknown) => one,
    )
    return error instanceof Error ? explainFullDisk(error, error.message, { places: [disk] }) : ''
  }
  const former = 'a'.repeat(3 * PAGE)
  const next = 'b'.repeat(6 * PAGE)

  it('leaves the former file whole, says where and how much is free, and takes the write once there is room', async () => {
    let refused = 0
    for (let pages = 0; pages <= 8; pages++) {
      rmSync(ballast, { force: true })
      await replace(file, former)
      leave(pages)
      const said = await refusal(replace(file, next))
      if (!said) {
        expect(readFileSync(file, 'utf8')).toBe(next)
        continue
      }
      refused++
      expect(said).toMatch(`Disk full: ${disk} has `)
      expect(said).toMatch(/ \d+ bytes free\. Make room and try again\./)
      expect(readFileSync(file, 'utf8'), `with ${pages} pages`).toBe(former)
      expect(readdirSync(disk).toSorted()).toEqual(['ballast', 'site.conf'])
      rmSync(ballast)
      await replace(file, next)
      expect(readFileSync(file, 'utf8')).toBe(next)
    }
    expect(refused).toBe(6)
  })
  it('keeps what a list had before an entry that did not fit', async () => {
    rmSync(ballast, { force: true })
    await replace(file, former)
    leave(1)
    expect(await refusal(append(file, former.length, next))).toMatch('Disk full')
    rmSync(ballast)
    await append(file, former.length, 'next')
    expect(readFileSync(file, 'utf8')).toBe(`${former}next`)
  })
  it('names the account that has used up its quota, although its disk has room', async () => {
    const said = await explainFullDisk(Object.assign(new Error('x'), { path: '/home/shop/a' }), 'EDQUOT: write', {
      places: [disk],
    })
    expect(said).toBe(
      'The account shop is at its disk limit. Make room in it, or give it a plan with more, and try again. (EDQUOT: write)',
    )
    const rsync = 'rsync: write failed on "/home/web_1/x/public/big": Disk quota exceeded (122)'
    expect(await explainFullDisk(new Error(rsync), rsync)).toMatch('The account web_1 is at its disk limit')
    // tar says this of full accounts and full disks
    const tar = 'tar ended with 2: tar: big: Wrote only 6144 of 10240 bytes'
    const about = { places: [tmpdir()], account: 'shop' }
    const saidBy = (more: object) => explainFullDisk(new Error(tar), tar, { ...about, ...more })
    expect(await saidBy({})).toMatch('The account shop may be at its disk')
    expect(await saidBy({ useOf: async () => ({ hardKb: 0 }) })).toMatch('The account shop may be at its disk')
    expect(await saidBy({ useOf: async () => ({ hardKb: 65_536 }) })).toMatch('The account shop is at its disk')
    const engine = "Can't create table (errcode: 122)"
    expect(await explainFullDisk(new Error(engine), engine)).toMatch('An account is at its disk limit')
  })
  it('is named by its inodes when these are used up, and other errors stay as they are', async () => {
    const few = join(disk, 'few')
    rmSync(ballast, { force: true })
    mkdirSync(few)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m,nr_inodes=2', 'tmpfs', few])
    try {
      writeFileSync(join(few, 'one'), '')
      const said = await replace(join(few, 'two'), 'x').catch((error: Error) => explainFullDisk(error, error.message))
      expect(said).toMatch(`Disk full: ${few} has no free inodes`)
    } finally {
      execFileSync('umount', [few])
    }
    expect(await explainFullDisk(new Error('x'), 'nginx: configuration file test failed')).not.toMatch('Disk full')
  })
})
