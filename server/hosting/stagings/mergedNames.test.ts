import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answers, call, carryOut, copyOf, live, merge, openStagings, planOf, stagingsOf, t } from './test/stagings.ts'

beforeAll(openStagings)
afterAll(() => t.close())
const served = (before: boolean) => {
  answers['website.probe-before'] = { served: before }
}

describe('after a merge', () => {
  it('tables have the name of the website instead of that of the copy, and no redirect may lead to the copy', async () => {
    const id = await live('network.example')
    const { body } = await merge({ websiteId: await copyOf(id) })
    const plan = await planOf(body.workflowId)
    const names = { from: 'staging-1.network.example', to: 'network.example', name: 'network_example' }
    expect(plan.find(({ name }) => name === 'database.own-names')?.input).toMatchObject(names)
    const last = plan.find(({ name }) => name === 'website.probe')?.input
    expect(last?.others).toEqual(['staging-1.network.example'])
    // the websites of a network that answered before the merge
    expect(last?.sites).toMatchObject({ $output: 'sites', of: { name: 'website.probe-before' }, otherwise: [] })
    await carryOut()
    const [made] = (await stagingsOf(id)).merges
    // a revert brings no strange name unless the website was renamed
    const back = await planOf((await call('POST', `/stagings/merges/${made.id}/revert`)).body.workflowId)
    expect(back.map(({ name }) => name)).not.toContain('database.own-names')
    await carryOut()
  })

  it('a website that answered before and no longer does is rolled back by itself', async () => {
    const id = await live('down.example')
    const copy = await copyOf(id)
    served(true)
    const { body } = await merge({ websiteId: copy })
    await carryOut('website.probe')
    const of = (name: string, plan: Awaited<ReturnType<typeof planOf>>) => plan.find((one) => one.name === name)?.status
    const plan = await planOf(body.workflowId)
    for (const name of ['database.load', 'database.own-names', 'merge.swap'])
      expect(of(name, plan), name).toBe('undone')
    expect(of('merge.keep', plan)).toBe('skipped')
    const [made] = (await stagingsOf(id)).merges
    expect(made).toMatchObject({ status: 'undone', notRevertible: expect.stringContaining('former content') })
    expect((await call('GET', `/websites/${id}`)).body.status).toBe('active')
  })

  it('a website that did not answer before stays merged for people, who read what they can do', async () => {
    const id = await live('broken.example')
    const copy = await copyOf(id)
    served(false)
    await merge({ websiteId: copy })
    await carryOut('website.probe')
    const [made] = (await stagingsOf(id)).merges
    expect(made).toMatchObject({ status: 'failed', notRevertible: expect.stringContaining('roll it back') })
    const refused = await call('POST', `/stagings/merges/${made.id}/revert`)
    expect([refused.status, refused.body.message]).toEqual([409, made.notRevertible])
  })
})
