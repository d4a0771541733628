import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { run } from '@innkeeper/lab/run'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clearDisk, fill, free, smallDisk } from '../faults/disk.ts'
import { Innkeeper, scratch } from '../innkeeper.ts'

/** Size in MiB: a new database, the free space that it requires, and a little for the rows of this test. */
const SIZE = 120
const folder = join(scratch, 'full-disk')
const disk = { folder, exec: run }
const cannot = await smallDisk(folder, SIZE).then(
  () => ({}),
  (error: Error) => ({ skip: true, meta: { why: `cannot mount a small disk: ${error.message}` } }),
)

describe('the embedded database on a disk that fills', cannot, () => {
  let innkeeper: Innkeeper
  const acknowledged: string[] = []
  let tried = 0
  beforeAll(async () => {
    innkeeper = await Innkeeper.open({ embedded: true, place: folder })
  })
  afterAll(async () => {
    await innkeeper?.close()
    await clearDisk(folder)
  })

  /** Creates an owner and answers the status. */
  async function add(): Promise<number> {
    const name = `Owner ${tried++}`
    const { status, body } = await innkeeper.call('POST', '/owners', { name, email: `owner${tried}@example.org` })
    if (status === 201) acknowledged.push(name)
    else {
      expect({ status, code: body.code }).toEqual({ status: 507, code: 'disk-full' })
      expect(body.message).toMatch(/^The disk of the database is full\. Nothing was changed/)
    }
    return status
  }
  const addMany = async (count: number) => {
    const found: number[] = []
    for (let n = 0; n < count; n += 5) found.push(...(await Promise.all([add(), add(), add(), add(), add()])))
    return found
  }
  /** All owners, and the number of creations in the action log. */
  async function stored(): Promise<{ names: string[]; logged: number }> {
    const names: string[] = []
    for (let page = 1; ; page++) {
      const { items } = await innkeeper.must('GET', `/groups/owners?page=${page}&itemsPerPage=100`)
      if (!items.length) break
      names.push(...items.map((owner: { name: string }) => owner.name))
    }
    const log = await innkeeper.must('GET', '/logs?service_ids=website&actions=create&results=success')
    return { names: names.sort(), logged: log.total }
  }
  const expectNothingLost = async () => {
    const { names, logged } = await stored()
    expect(names).toEqual(acknowledged.toSorted())
    expect(logged).toBe(acknowledged.length)
  }

  test('refuses writes before its journal has no room, and keeps reading', async () => {
    const pid = innkeeper.pid
    expect(await addMany(50)).toEqual(Array(50).fill(201))
    // another file takes all space except the required reserve and a little more
    spawnSync('sh', [
      '-c',
      `fallocate -l $(($(df --output=avail -B1 ${folder} | tail -n 1) - 34 * 1048576)) ${folder}/others`,
    ])
    let last = 201
    for (let rounds = 0; last === 201 && rounds < 200; rounds++) last = (await addMany(20)).at(-1) ?? 0
    expect(last).toBe(507)
    await expectNothingLost()
    expect(innkeeper.pid).toBe(pid)
  })

  test('fills at once during writes: each write happens completely or not, and no acknowledged write is lost', async () => {
    await disk.exec(['rm', `${folder}/others`])
    expect(await add()).toBe(201)
    let filling = true
    const full = fill(disk).finally(() => {
      filling = false
    })
    while (filling) await addMany(5)
    await full
    expect(await add()).toBe(507)
    await expectNothingLost()
  })

  test('filled to the last byte, it answers every request correctly', async () => {
    expect(await addMany(100)).toEqual(Array(100).fill(507))
    const { status, body } = await innkeeper.call('POST', '/auth/token', { user: 'admin', password: 'wrong' }, '')
    expect({ status, code: body.code }).toEqual({ status: 507, code: 'disk-full' }) // the failed attempt could not be counted
    await expectNothingLost()
  })

  test('killed on the full disk, it names the required space at its start', async () => {
    await innkeeper.kill()
    await expect(innkeeper.start()).rejects.toThrow(/The disk of .* is full: the database needs 32 MiB free/)
  })

  test('with free space again, it has all acknowledged rows and accepts more', async () => {
    await free(disk)
    await innkeeper.start()
    await expectNothingLost()
    expect(await addMany(20)).toEqual(Array(20).fill(201))
    await expectNothingLost()
  })

  test('with free space again, it continues without a restart', async () => {
    await fill(disk)
    expect(await add()).toBe(507)
    await free(disk)
    expect(await add()).toBe(201)
    await expectNothingLost()
  })
})
