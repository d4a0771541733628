import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { run } from '@innkeeper/lab/run'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clearDisk, fill, free, smallDisk } from '../faults/disk.ts'
import { Innkeeper, scratch } from '../innkeeper.ts'

/** MiB: a new database, what it wants free before it writes, and a few for what is written here. */
const SIZE = 120
const folder = join(scratch, 'full-disk')
const disk = { folder, exec: run }
const cannot = await smallDisk(folder, SIZE).then(
  () => ({}),
  (error: Error) => ({ skip: true, meta: { why: `no small disk can be mounted here: ${error.message}` } }),
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

  /** One more owner, by its answer's status. */
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
  /** Every owner that is there, and how often the log says that one was created. */
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

  test('says so before its journal has no room, and goes on reading', async () => {
    const pid = innkeeper.pid
    expect(await addMany(50)).toEqual(Array(50).fill(201))
    // somebody else's file takes all but what the database wants, and a little
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

  test('in one go, while it is written to: all or nothing, and nothing that was acknowledged is lost', async () => {
    await disk.exec(['rm', `${folder}/others`])
    expect(await add()).toBe(201)
    const [statuses] = await Promise.all([addMany(100), fill(disk)])
    expect(statuses.at(-1)).toBe(507)
    await expectNothingLost()
  })

  test('to the last byte, and again and again asked: each answer is an honest one', async () => {
    expect(await addMany(100)).toEqual(Array(100).fill(507))
    const { status, body } = await innkeeper.call('POST', '/auth/token', { user: 'admin', password: 'wrong' }, '')
    expect({ status, code: body.code }).toEqual({ status: 507, code: 'disk-full' }) // a guess that could not be counted
    await expectNothingLost()
  })

  test('killed on the full disk, it says at its start what it wants', async () => {
    await innkeeper.kill()
    await expect(innkeeper.start()).rejects.toThrow(/The disk of .* is full: the database wants 32 MiB free/)
  })

  test('with room again it has all that it acknowledged, and takes more', async () => {
    await free(disk)
    await innkeeper.start()
    await expectNothingLost()
    expect(await addMany(20)).toEqual(Array(20).fill(201))
    await expectNothingLost()
  })

  test('and with room while it runs, without a start', async () => {
    await fill(disk)
    expect(await add()).toBe(507)
    await free(disk)
    expect(await add()).toBe(201)
    await expectNothingLost()
  })
})
