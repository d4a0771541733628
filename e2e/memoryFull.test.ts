import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { letPass } from '../bin/pass.ts'
import { onHosts } from './hosts.ts'
import { create, created, ends, type Started, visit } from './sites.ts'
import { openStage, type Stage } from './stage.ts'
import { until } from './until.ts'

const ROWS = 60_000

describe('a server whose memory is full', onHosts, () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage('full1', { layer: 'databases' })
  })
  afterAll(() => stage?.close())

  /** Kills MariaDB as the kernel does, up to `most` times while the workflow runs. Answers how often. */
  async function killedDuring({ workflowId }: Started, most: number): Promise<number> {
    let isOver = false
    const ended = ends(stage.innkeeper, workflowId, 'done').finally(() => {
      isOver = true
    })
    ended.catch(() => {}) // awaited below
    let kills = 0
    while (kills < most && !isOver) {
      if ((await stage.host.exec(['pkill', '-KILL', '-x', 'mariadbd'])).code === 0) kills++
      await letPass(400, 'the workflow goes on, or MariaDB comes back')
    }
    await ended
    return kills
  }

  test('websites, copies and dumps are made although the kernel kills MariaDB in their steps', async () => {
    const { innkeeper, server, host } = stage
    const first = await created(innkeeper, server, 'one.example', { database: true })
    const kills = await killedDuring(await create(innkeeper, server, 'two.example', { database: true }), 3)
    expect(kills).toBeGreaterThan(0)
    const [database] = (await innkeeper.must('GET', `/database/websites/${first.id}`)).items
    const fill = `create table t (id int primary key auto_increment, x text);
      insert into t (x) select repeat(md5(seq), 20) from seq_1_to_${ROWS}`
    await until('MariaDB takes rows', async () => (await host.exec(['mariadb', database.name, '-e', fill])).code === 0)

    const copy: Started = await innkeeper.must('POST', `/websites/${first.id}/staging`, { websiteId: first.id })
    expect(await killedDuring(copy, 3)).toBeGreaterThan(0)
    const count = ['mariadb', '-N', 'staging_1_one_example', '-e', 'select count(*), count(distinct x) from t']
    expect((await host.exec(count)).stdout.trim().split('\t')).toEqual([`${ROWS}`, `${ROWS}`])

    const dump: Started = await innkeeper.must('POST', `/database/databases/${database.id}/exports`, {})
    await killedDuring(dump, 2)
    for (const name of ['one.example', 'two.example', copy.data.domain])
      expect([name, (await visit(host.address, name)).status]).toEqual([name, 200])
  })
})
