import { mkdtempSync, writeFileSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { readArchive } from './look.ts'
import { type Entry, wpress } from './test/archive.ts'

const folder = mkdtempSync(join(tmpdir(), 'wpress-'))
afterAll(() => rm(folder, { recursive: true }))
let n = 0
const look = async (bytes: Buffer, domain?: string) => {
  const path = join(folder, `${++n}.wpress`)
  writeFileSync(path, bytes)
  const handle = await open(path)
  try {
    return await readArchive(handle, { say: () => {}, stop: new AbortController().signal }, domain)
  } finally {
    await handle.close()
  }
}

const about = (more: Record<string, unknown> = {}) => ({
  name: 'package.json',
  body: JSON.stringify({
    ...{ SiteURL: 'https://www.shop.example', Plugin: { Version: '7.90' }, WordPress: { Version: '6.8.1' } },
    ...{ PHP: { Version: '8.2.29' }, Database: { Prefix: 'wp_' }, ...more },
  }),
})
const allInOne: Entry[] = [
  about(),
  { name: 'plugins/akismet/akismet.php', body: '<?php' },
  { name: 'uploads/2026/a.jpg', body: Buffer.alloc(9000, 3) },
  { name: 'database.sql', body: 'CREATE TABLE `SERVMASK_PREFIX_posts` (id int);' },
]

it('takes an export of All-in-One WP Migration, and says what it lacks', async () => {
  const { inventory, rules } = await look(wpress(allInOne))
  expect(inventory).toMatchObject({
    websites: [{ domain: 'shop.example', phpVersion: '8.2', files: 2, bytes: 9005, mentions: ['shop_example'] }],
    databases: [{ name: 'shop_example', dumpBytes: 46, users: [{ hash: 'none' }] }],
    others: [
      { what: 'WordPress 6.8.1 itself, with its configuration', why: expect.stringContaining('SERVMASK_PREFIX_') },
    ],
  })
  expect(Object.fromEntries(rules)).toEqual({
    '': { kind: 'site', site: 'shop.example', to: 'public/wp-content' },
    'package.json': { kind: 'record' },
    'database.sql': { kind: 'dump', database: 'shop_example' },
  })
  expect((await look(wpress(allInOne), 'other.example')).inventory.websites[0]?.domain).toBe('other.example')
})

it('refuses what a hostile export of that plugin has, and one that cannot be read', async () => {
  const out = await look(
    wpress([...allInOne, { name: '../../etc/cron.d/x', body: 'x' }, { name: '/etc/passwd', body: 'x' }]),
  )
  expect(out.inventory.refused).toEqual({ 'name with ..': 1, 'absolute name': 1 })
  expect(out.inventory.websites[0]?.files).toBe(2)
  const whole = wpress(allInOne)
  await expect(look(whole.subarray(0, -4377))).rejects.toThrow('breaks off')
  await expect(look(whole.subarray(0, -9000))).rejects.toThrow('breaks off')
  await expect(look(wpress([...allInOne, { name: 'a', body: 'x', size: 99_999_999 }]))).rejects.toThrow('breaks off')
  await expect(look(wpress([about(), { name: 'a', body: Buffer.alloc(9000, 7), size: 3 }]))).rejects.toThrow(
    'is damaged',
  )
  await expect(look(wpress([about({ Encrypted: true })]))).rejects.toThrow('has encrypted this export')
  await expect(look(wpress([about({ Compression: { Enabled: true } })]))).rejects.toThrow('has compressed this export')
})
