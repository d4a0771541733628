import type { Website } from '@innkeeper/contract/hosting/websites'
import type { ActionStatus } from '@innkeeper/contract/machines/workflows'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sliced, sliceName } from '../bin/slice.ts'
import { killAgent, onHosts } from './hosts.ts'
import { addOwner, create, created, ends, visit, visitor } from './sites.ts'
import { openStage, type Stage } from './stage.ts'
import { nginxIsGood, once, traces } from './traces.ts'
import { until } from './until.ts'
import { workflow } from './workflows.ts'

const steps = ['system-user', 'document-root', 'php-pool', 'nginx-site', 'website.probe'] as const
const moments = ['running', 'done'] as const
/** Each action of the slice while it runs, and right after it is done. `npm run test:long` takes all actions. */
const boundariesOf = (some: readonly string[]) =>
  sliced(some.map((step, k) => ({ step, k }))).flatMap((one) => moments.map((moment) => ({ ...one, moment })))
const reached: Record<(typeof moments)[number], ActionStatus[]> = {
  running: ['running', 'done', 'failed', 'unknown'],
  done: ['done', 'failed'],
}

/** Starts a creation and returns as soon as its action `k` has the status `moment`. */
async function startUntil({ innkeeper, server }: Stage, domain: string, k: number, moment: (typeof moments)[number]) {
  const started = await create(innkeeper, server, domain)
  const look = async () => {
    const { actions } = await workflow(innkeeper, started.workflowId)
    return reached[moment].includes(actions[k]?.status ?? 'pending')
  }
  await until(`action ${k} of ${domain} is ${moment}`, look, 0)
  return started
}

/** The website exists once and completely. */
async function expectWhole({ innkeeper, host }: Stage, site: Website, workflowId: number): Promise<void> {
  const { actions } = await ends(innkeeper, workflowId, 'done')
  expect(actions.map((a) => a.status)).toEqual(steps.map(() => 'done'))
  expect((await innkeeper.must('GET', `/websites/${site.id}`)).status).toBe('active')
  expect(await traces(host, site)).toEqual(once)
  expect(await nginxIsGood(host)).toBe(true)
  expect((await visit(host.address, site.domain)).body).toContain(`<h1>${site.domain}</h1>`)
}

/** Runs `during` and checks that visitors of another website notice nothing. */
async function unnoticed({ host }: Stage, steady: Website, during: () => Promise<void>): Promise<void> {
  const watch = visitor(host.address, steady.domain)
  try {
    await during()
  } finally {
    const { visits, failures } = await watch.stop()
    expect(visits).toBeGreaterThan(5)
    expect(failures).toEqual([])
  }
}

/** Faults on the managed server, with a second website that must not be affected. */
function onTheManagedServer(given: () => { stage: Stage; steady: Website }): void {
  test.for(boundariesOf(steps.slice(0, -1)))('kill -9 of the agent, $step $moment: done, once', async ({
    step,
    k,
    moment,
  }) => {
    const { stage, steady } = given()
    await unnoticed(stage, steady, async () => {
      const { data, workflowId } = await startUntil(stage, `a${k}${moment}.example`, k, moment)
      expect(await killAgent(stage.host)).toBe(true)
      const began = performance.now()
      await expectWhole(stage, data, workflowId)
      console.log(`agent killed, ${step} ${moment}: recovered after ${Math.round(performance.now() - began)} ms`)
    })
  })

  test('a power cut while nginx loads a site: done once, and other websites return', async () => {
    const { stage, steady } = given()
    const { data, workflowId } = await startUntil(stage, 'power.example', 3, 'running')
    await stage.host.off()
    await stage.host.up()
    await expectWhole(stage, data, workflowId)
    expect((await visit(stage.host.address, steady.domain)).body).toContain('<h1>steady.example</h1>')
    expect(await traces(stage.host, steady)).toEqual(once)
  })

  test('a network cut while the agent works: its result is reported afterwards and not repeated', async () => {
    const { stage } = given()
    const { innkeeper, host } = stage
    const { data, workflowId } = await startUntil(stage, 'cable.example', 2, 'running')
    await host.cut()
    await until('the pool runs', async () => (await traces(host, data)).masters === 1)
    expect((await workflow(innkeeper, workflowId)).actions[2]).toMatchObject({ status: 'running', attempt: 1 })
    await host.heal()
    await expectWhole(stage, data, workflowId)
    expect((await workflow(innkeeper, workflowId)).actions.map((a) => a.attempt)).toEqual([1, 1, 1, 1, 1])
  })
}

const databases = [
  { name: 'PostgreSQL', host: 'fault1', embedded: false },
  { name: 'the embedded database', host: 'fault2', embedded: true },
]
for (const { name, host: hostName, embedded } of databases) {
  const without = !embedded && !process.env.TEST_POSTGRES && { skip: true, meta: { why: 'TEST_POSTGRES is not set' } }
  describe(`faults on ${name}, slice ${sliceName}`, onHosts.skip ? onHosts : without || {}, () => {
    let stage: Stage
    let steady: Website
    beforeAll(async () => {
      stage = await openStage(hostName, { embedded })
      steady = await created(stage.innkeeper, stage.server, 'steady.example')
    })
    afterAll(() => stage?.close())

    test.for(boundariesOf(steps))('kill -9 of the server, $step $moment: done, once', async ({ step, k, moment }) => {
      await unnoticed(stage, steady, async () => {
        const { data, workflowId } = await startUntil(stage, `s${k}${moment}.example`, k, moment)
        await stage.innkeeper.kill()
        const began = performance.now()
        await stage.innkeeper.start()
        await expectWhole(stage, data, workflowId)
        console.log(`server killed, ${step} ${moment}: recovered after ${Math.round(performance.now() - began)} ms`)
      })
    })

    test('kill -9 of the server during its answer: the website exists completely or not at all', async () => {
      const { innkeeper, server, host } = stage
      const userId = await addOwner(innkeeper)
      const asked = create(innkeeper, server, 'answering.example', { userId }).catch(() => undefined) // the answer is lost
      await innkeeper.kill()
      await asked
      await innkeeper.start()
      const { Websites } = await innkeeper.must('GET', '/websites?domain=answering.example')
      const made = Websites[0] ?? (await create(innkeeper, server, 'answering.example', { userId })).data
      const site = await innkeeper.must('GET', `/websites/${made.id}`)
      await expectWhole({ ...stage, host }, site, site.workflowId)
    })

    if (embedded) describe('faults on the managed server', () => onTheManagedServer(() => ({ stage, steady })))
  })
}
