import { rmSync, writeFileSync } from 'node:fs'
import type { Website } from '@innkeeper/contract/hosting/websites'
import type { Host } from '@innkeeper/lab/host'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { letPass } from '../bin/pass.ts'
import { onHosts } from './hosts.ts'
import type { Innkeeper } from './innkeeper.ts'
import { act, addOwner, create, created, ends, visit, visitor } from './sites.ts'
import { openStage, type Stage } from './stage.ts'
import { nginxIsGood, none, once, traces } from './traces.ts'
import { until } from './until.ts'
import { workflow } from './workflows.ts'

const steps = ['system-user.ensure', 'document-root.ensure', 'php-pool.ensure', 'nginx-site.ensure', 'website.probe']

describe('a website on a practice server', onHosts, () => {
  let stage: Stage
  let innkeeper: Innkeeper
  let host: Host
  let server: number
  /** A permanent website: warms the host up and shows side effects. */
  let steady: Website

  beforeAll(async () => {
    stage = await openStage('e2e1', { people: { second: ['website:website:status', 'website:website:read'] } })
    innkeeper = stage.innkeeper
    host = stage.host
    server = stage.server
    steady = await created(innkeeper, server, 'steady.example')
  })
  afterAll(() => stage?.close())

  /** An invalid nginx file, as a person might leave it. */
  const plant = () =>
    writeFileSync(`${host.root}/etc/nginx/conf.d/by-hand.conf`, 'server { listen 80; nonsense on; }\n')
  const weed = () => rmSync(`${host.root}/etc/nginx/conf.d/by-hand.conf`, { force: true })

  /** Entries of the host's trash that contain the word. */
  const trashOf = async (word: string) =>
    (await host.exec(['ls', '/var/lib/innkeeper/trash'])).stdout
      .split('\n')
      .map((name) => name.replace(/^\w+-\d+-/, ''))
      .filter((name) => new RegExp(`\\b${word}[-.]`).test(name))

  test('a new website answers 200 with PHP', async () => {
    const owner = await addOwner(innkeeper)
    const { data, workflowId } = await create(innkeeper, server, 'first.example', { userId: owner })
    expect(data).toMatchObject({ domain: 'first.example', status: 'creating', serverName: 'e2e1', username: 'first' })
    const page = await until('first.example answers 200', async () => {
      const answer = await visit(host.address, 'first.example')
      return answer.status === 200 && answer
    })
    expect(page.body).toContain('<h1>first.example</h1>') // PHP prints the name

    const done = await ends(innkeeper, workflowId, 'done')
    expect(done.actions.map((a) => [a.name, a.status, a.attempt])).toEqual(steps.map((name) => [name, 'done', 1]))
    expect((await innkeeper.must('GET', `/websites/${data.id}`)).status).toBe('active')
    expect(await traces(host, data)).toEqual(once)
    const nginxSite = done.actions.find((a) => a.name === 'nginx-site.ensure')
    const output = await innkeeper.must('GET', `/workflows/${workflowId}/output?actionId=${nginxSite?.id}`)
    expect(output.items.map((line: { text: string }) => line.text).join('\n')).toContain('first.example')
  })

  test('lists, toggles, creations and resources include a new website', async () => {
    const { id, ownerId } = steady
    for (const query of ['domain=steady', `ids=${id}`, `userid=${ownerId}`, `server=${server}&domain=steady.example`]) {
      const { Websites, total } = await innkeeper.must('GET', `/websites?${query}`)
      expect([query, total, Websites.map((w: Website) => w.domain)]).toEqual([query, 1, ['steady.example']])
    }
    expect((await innkeeper.must('GET', '/websites?domain=absent')).Websites).toEqual([])
    expect(await innkeeper.must('GET', `/websites/${id}/toggles`)).toMatchObject({ maintenance: false, ssl: false })
    const creations = await innkeeper.must('GET', `/websites/${id}/creations`)
    expect(creations).toMatchObject({
      total: 1,
      items: [{ kind: 'website.create', status: 'done', done: 5, count: 5 }],
    })
    const { items } = await innkeeper.must('GET', `/websites/${id}/orchestrator`)
    expect(items.map((r: { resourceType: string; status: string }) => [r.resourceType, r.status])).toEqual([
      ['system-user', 'active'],
      ['document-root', 'active'],
      ['php-pool', 'active'],
      ['nginx-site', 'active'],
      ['website', 'active'],
    ])
    const one = await innkeeper.must('GET', `/websites/${id}/orchestrator/nginx-site/${id}`)
    expect(one).toMatchObject({ name: 'steady.example', actions: [{ name: 'nginx-site.ensure', status: 'done' }] })
  })

  test('a suspended website answers 503 with a page, an active one its own pages', async () => {
    const site = await created(innkeeper, server, 'paused.example')
    const change = async (status: string) => {
      const { workflowId } = await innkeeper.must('PATCH', `/websites/${site.id}`, { status })
      await ends(innkeeper, workflowId, 'done')
      expect((await innkeeper.must('GET', `/websites/${site.id}`)).status).toBe(status)
      return visit(host.address, 'paused.example')
    }
    const suspended = await change('suspended')
    expect(suspended.status).toBe(503)
    expect(suspended.body).toMatch(/<h1>.+<\/h1>/)
    expect((await visit(host.address, 'paused.example', '/index.php')).status).toBe(503)
    expect((await change('active')).body).toContain('<h1>paused.example</h1>')
    expect((await innkeeper.call('PATCH', `/websites/${site.id}`, { status: 'active' })).status).toBe(422)
  })

  test('of two simultaneous requests for a domain one succeeds', async () => {
    const userId = await addOwner(innkeeper)
    const requested = { originServer: server, domain: 'wanted.example', plan: 'Business', userId }
    const both = await Promise.all([1, 2].map(() => innkeeper.call('POST', '/websites', requested)))
    expect(both.map((a) => a.status).sort()).toEqual([201, 409])
    await ends(innkeeper, both.find((a) => a.status === 201)?.body.workflowId, 'done')
  })

  test('without an agent a workflow waits with a reason, and a second request names the holder of the lock', async () => {
    const site = await created(innkeeper, server, 'waits.example')
    await host.exec(['systemctl', 'stop', 'innkeeper-agent'])
    try {
      const { workflowId } = await innkeeper.must('PATCH', `/websites/${site.id}`, { status: 'suspended' })
      const token = await innkeeper.signIn('second')
      const other = await innkeeper.call('PATCH', `/websites/${site.id}`, { status: 'suspended' }, token)
      expect(other.status).toBe(409)
      expect(other.body.message).toMatch(/^waits\.example is being suspended by First Administrator since /)
      const waiting = await until('the workflow shows that it waits', async () => {
        const now = await workflow(innkeeper, workflowId)
        return now.status === 'waiting' && now
      })
      expect(waiting.waitsFor).toMatch(/^e2e1 has not been heard from since /)
      expect((await visit(host.address, 'waits.example')).status).toBe(200)
      await host.exec(['systemctl', 'start', 'innkeeper-agent'])
      await ends(innkeeper, workflowId, 'done')
      expect((await visit(host.address, 'waits.example')).status).toBe(503)
    } finally {
      await host.exec(['systemctl', 'start', 'innkeeper-agent'])
    }
  })

  test('a server set Down gets no work and no new website, and continues when set Up', async () => {
    const site = await created(innkeeper, server, 'held.example')
    const impact = await innkeeper.must('GET', `/cloud-management/servers/${server}/impact`)
    expect(impact.websites).toBe((await innkeeper.must('GET', `/websites?server=${server}`)).total)
    await innkeeper.must('PATCH', `/cloud-management/servers/${server}/status`, { status: 'Down' })
    const { workflowId } = await innkeeper.must('PATCH', `/websites/${site.id}`, { status: 'suspended' })
    const waiting = await until('it waits', async () => {
      const now = await workflow(innkeeper, workflowId)
      return now.status === 'waiting' && now
    })
    expect(waiting.waitsFor).toBe('e2e1 is set down')
    const userId = await addOwner(innkeeper)
    const requested = { originServer: server, domain: 'refused.example', plan: 'Business', userId }
    const refused = await innkeeper.call('POST', '/websites', requested)
    expect([refused.status, refused.body.fields]).toEqual([422, { originServer: 'e2e1 is set down' }])
    await innkeeper.must('PATCH', `/cloud-management/servers/${server}/status`, { status: 'up' })
    await ends(innkeeper, workflowId, 'done')
  })

  test('an invalid nginx file of a person fails the action without side effects, and a retry continues', async () => {
    const watch = visitor(host.address, steady.domain)
    plant()
    try {
      const { data, workflowId } = await create(innkeeper, server, 'broken.example')
      const failed = await ends(innkeeper, workflowId, 'failed')
      expect(failed.actions.map((a) => a.status)).toEqual(['done', 'done', 'done', 'failed', 'pending'])
      expect(failed.actions[3]?.reason).toContain('/etc/nginx/conf.d/by-hand.conf')
      expect((await innkeeper.must('GET', `/websites/${data.id}`)).status).toBe('failed')
      expect(await traces(host, data)).toMatchObject({ siteFiles: 0, served: 0 })
      weed()
      const retried = await innkeeper.call('PATCH', `/websites/${data.id}/retry/nginx-site/nginx-site.ensure`)
      expect(retried.status).toBe(202)
      const done = await ends(innkeeper, workflowId, 'done')
      expect(done.actions.map((a) => a.attempt)).toEqual([1, 1, 1, 2, 1])
      expect((await visit(host.address, 'broken.example')).status).toBe(200)
      expect(await traces(host, data)).toEqual(once)
    } finally {
      weed()
      const { visits, failures } = await watch.stop()
      expect(visits).toBeGreaterThan(5)
      expect(failures).toEqual([])
    }
  })

  test('skip requires a reason, and a roll back undoes all actions in reverse order', async () => {
    plant()
    try {
      const { data, workflowId } = await create(innkeeper, server, 'undone.example')
      await ends(innkeeper, workflowId, 'failed')
      const bare = await act(innkeeper, workflowId, 'nginx-site.ensure', { actionType: 'skip' })
      expect([bare.status, bare.body.fields]).toEqual([422, { reason: 'Required' }])
      weed()
      const skip = { actionType: 'skip', status: 'skipped', reason: 'served by another machine' }
      const skipped = await act(innkeeper, workflowId, 'nginx-site.ensure', skip)
      expect(skipped.status).toBe(200)
      const unserved = await ends(innkeeper, workflowId, 'failed') // the probe visits the real site
      expect(unserved.actions[3]).toMatchObject({
        status: 'skipped',
        reason: 'skipped by First Administrator: served by another machine',
      })
      expect(unserved.actions[4]?.reason).toContain('http://undone.example/ was expected to be served')

      const back = await act(innkeeper, workflowId, 'website.probe', { actionType: 'rollback', reason: 'not wanted' })
      expect(back.status).toBe(200)
      const undone = await ends(innkeeper, workflowId, 'rolled-back')
      const ended = undone.actions.filter((a) => a.status === 'undone').map((a) => a.endedAt ?? '')
      expect(ended.length).toBeGreaterThanOrEqual(3)
      expect(ended).toEqual(ended.toSorted().reverse())
      expect(await traces(host, data)).toEqual(none)
      expect(await nginxIsGood(host)).toBe(true)
      expect((await innkeeper.call('GET', `/websites?domain=undone`)).body.total).toBe(0)
    } finally {
      weed()
    }
  })

  test('an optional action can be left out, a required one cannot', async () => {
    const userId = await addOwner(innkeeper)
    const requested = { originServer: server, domain: 'unasked.example', plan: 'Business', userId }
    const refused = await innkeeper.call('POST', '/websites', { ...requested, excludeActions: ['php-pool.ensure'] })
    expect([refused.status, refused.body.fields]).toEqual([422, { excludeActions: 'PHP pool cannot be left out' }])
    expect((await innkeeper.must('GET', '/websites?domain=unasked')).total).toBe(0)
    const { workflowId } = await innkeeper.must('POST', '/websites', {
      ...requested,
      excludeActions: ['website.probe'],
    })
    const done = await ends(innkeeper, workflowId, 'done')
    expect(done.actions.at(-1)).toMatchObject({ name: 'website.probe', status: 'skipped', attempt: 0 })
    expect((await visit(host.address, 'unasked.example')).status).toBe(200)
  })

  test('two websites of an owner share an account, which stays when the first is deleted', async () => {
    const userId = await addOwner(innkeeper)
    const one = await created(innkeeper, server, 'one.example', { userId })
    const two = await created(innkeeper, server, 'two.example', { userId })
    expect(two.username).toBe(one.username)
    const watch = visitor(host.address, 'two.example')
    const { workflowId } = await innkeeper.must('DELETE', `/websites/${one.id}`, {})
    await ends(innkeeper, workflowId, 'done')
    expect((await watch.stop()).failures).toEqual([])
    expect(await traces(host, one)).toMatchObject({ folder: 0, siteFiles: 0, served: 0, account: 1, pools: 1 })
    expect(await traces(host, two)).toEqual(once)
  })

  test('an agent killed in a driver leaves an unknown action, and the next attempt inspects and completes it once', async () => {
    const agent = (...verb: string[]) => host.exec(['systemctl', ...verb, 'innkeeper-agent.service'])
    const signal = (name: string) => agent('kill', '--kill-who=main', `--signal=${name}`)
    const { data, workflowId } = await create(innkeeper, server, 'cut.example')
    const running = async () => (await workflow(innkeeper, workflowId)).actions.find((a) => a.status === 'running')
    for (;;) {
      await until('the agent works', running, 50)
      await signal('STOP')
      await letPass(3000, 'an answer that was on its way arrives')
      if (await running()) break
      await signal('CONT') // the agent was between two actions
    }
    await signal('KILL')
    await agent('stop') // systemd would restart it in 2 s
    const resources = async () => (await innkeeper.must('GET', `/websites/${data.id}/orchestrator`)).items
    const unknown = await until('the screen shows it as unknown', async () =>
      (await resources()).find((one: { status: string }) => one.status === 'unknown'),
    )
    const { id, reason } = unknown.action
    expect(reason).toContain('no sign of life')
    await agent('start')
    const done = await ends(innkeeper, workflowId, 'done')
    const settled = done.actions.find((a) => a.id === id)
    expect(settled?.attempt).toBeGreaterThan(1)
    const output = await innkeeper.must('GET', `/workflows/${workflowId}/output?actionId=${id}`)
    expect(output.items.map((line: { text: string }) => line.text).join('\n')).toMatch(/looked: the last attempt/)
    expect(await traces(host, data)).toEqual(once)
  })

  test('a deleted website leaves only its trash, and its name is free', async () => {
    const site = await created(innkeeper, server, 'gone.example')
    await host.exec(['sh', '-c', `echo kept > /home/${site.username}/gone.example/public/kept.txt`])
    const { data, workflowId } = await innkeeper.must('DELETE', `/websites/${site.id}`, {})
    expect(data.status).toBe('deleting')
    await ends(innkeeper, workflowId, 'done')
    expect(await traces(host, site)).toEqual(none)
    expect((await visit(host.address, 'gone.example')).status).toBe(0)
    expect((await host.exec(['id', site.username])).code).not.toBe(0)
    const trash = await host.exec(['sh', '-c', 'cat /var/lib/innkeeper/trash/*-gone.example/public/kept.txt'])
    expect(trash.stdout).toBe('kept\n')
    expect((await innkeeper.must('GET', '/websites?domain=gone.example')).total).toBe(0)
    const again = await created(innkeeper, server, 'gone.example')
    expect(again.id).not.toBe(site.id)
    expect((await visit(host.address, 'gone.example', '/kept.txt')).body).not.toContain('kept')
    expect(await traces(host, again)).toEqual(once)
  })

  test('a deleted website is restored with its files, account id and logs', async () => {
    const site = await created(innkeeper, server, 'undo.example')
    const file = `/home/${site.username}/undo.example/public/kept.txt`
    await host.exec(['sh', '-c', `echo kept > ${file} && chown ${site.username}: ${file} && chmod 640 ${file}`])
    const facts = async () => (await host.exec(['stat', '--format=%u %g %a %s', file])).stdout
    const before = await facts()
    await visit(host.address, 'undo.example', '/?before=1')
    const deletion = await innkeeper.must('DELETE', `/websites/${site.id}`, {})
    await ends(innkeeper, deletion.workflowId, 'done')
    expect((await visit(host.address, 'undo.example')).status).toBe(0)

    const { workflowId } = await innkeeper.must('POST', `/websites/${site.id}/restore`, {})
    await ends(innkeeper, workflowId, 'done')
    expect((await innkeeper.must('GET', `/websites/${site.id}`)).status).toBe('active')
    expect((await visit(host.address, 'undo.example')).body).toContain('<h1>undo.example</h1>')
    expect(await facts()).toBe(before)
    expect(await traces(host, site)).toEqual(once)
    const log = await host.exec(['grep', '-c', 'before=1', '/var/log/nginx/undo.example.access.log'])
    expect(log.stdout).toBe('1\n')
    expect(await trashOf('undo')).toEqual(['undo-8.2.conf', 'undo-8.2.conf.json']) // the pool was created again
  })

  test('a rolled back restore is in the trash again, and a purge deletes it', async () => {
    const site = await created(innkeeper, server, 'purge.example')
    await ends(innkeeper, (await innkeeper.must('DELETE', `/websites/${site.id}`, {})).workflowId, 'done')
    plant()
    const restore = await innkeeper.must('POST', `/websites/${site.id}/restore`, {})
    const stopped = await ends(innkeeper, restore.workflowId, 'failed')
    weed()
    const action = stopped.actions.find((a) => a.status === 'failed')
    expect(action?.name).toBe('nginx-site.ensure')
    await innkeeper.must('PATCH', `/workflows/${restore.workflowId}/actions/${action?.id}`, { actionType: 'rollback' })
    await ends(innkeeper, restore.workflowId, 'rolled-back')
    expect(await traces(host, site)).toEqual(none)
    const again = await innkeeper.must('POST', `/websites/${site.id}/restore`, {})
    await ends(innkeeper, again.workflowId, 'done')
    expect(await traces(host, site)).toEqual(once)

    await ends(innkeeper, (await innkeeper.must('DELETE', `/websites/${site.id}`, {})).workflowId, 'done')
    const purge = await innkeeper.must('DELETE', `/websites/${site.id}/trash`, { domain: 'purge.example' })
    await ends(innkeeper, purge.workflowId, 'done')
    expect(await trashOf('purge')).toEqual([])
    expect((await innkeeper.call('GET', `/websites/${site.id}`)).status).toBe(404)
  })

  test('the permanent website was never affected', async () => {
    expect((await visit(host.address, steady.domain)).body).toContain('<h1>steady.example</h1>')
    expect(await traces(host, steady)).toEqual(once)
    expect(await nginxIsGood(host)).toBe(true)
  })
})
