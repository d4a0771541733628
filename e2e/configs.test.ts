import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onHosts } from './hosts.ts'
import { created, ends, visitor } from './sites.ts'
import { openStage, type Stage } from './stage.ts'
import { until } from './until.ts'

const versions = '/config-orchestrator/config-restore/configs'
const own = '/etc/nginx/conf.d/by-hand.conf'
const good = 'server { listen 80; server_name hand.example; return 200 "by hand"; }\n'

describe('the configuration of a server', onHosts, () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage('configs1')
  })
  afterAll(() => stage?.close())

  const at = (path: string) => `${stage.host.root}${path}`
  const call = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown) =>
    stage.innkeeper.must(method, path, body)
  /** Retries the collection until it succeeds, because a busy agent may answer late. */
  const collect = () =>
    until('the server is collected', async () => {
      await call('POST', '/config-orchestrator/collect', { serverIds: [stage.server] })
      const ended = await until('the collection ends', async () => {
        const now = await call('GET', `/config-orchestrator/servers/${stage.server}`)
        return !now.collecting && now
      })
      return ended.problem === null && ended
    })
  const newest = async () =>
    (await call('GET', `${versions}?server=${stage.server}&service=nginx&current=true`)).items[0]
  const said = (name: string) =>
    stage.host.exec(['curl', '-s', '-H', `Host: ${name}`, 'http://127.0.0.1/']).then(({ stdout }) => stdout)

  it('is collected with authors; a line that a person broke is shown, announced and reset, and nginx serves again', async () => {
    const { innkeeper, server, host } = stage
    const website = await created(innkeeper, server, 'shop.example')
    await collect() // files that are older than the first collection have an unknown author
    writeFileSync(at(own), good)
    expect((await host.exec(['systemctl', 'reload', 'nginx'])).code).toBe(0)
    await collect()
    const first = await newest()
    const { items } = await call('GET', `${versions}/${first.id}`)
    const by = (path: string) => items.find((file: { path: string }) => file.path === path)?.by
    const site = '/etc/nginx/innkeeper/sites/shop.example.conf'
    expect([by('/etc/nginx/nginx.conf'), by(site), by(own)]).toEqual(['package', 'innkeeper', 'person'])

    const text = readFileSync(at(site), 'utf8')
    writeFileSync(at(site), text.replace('server {', 'server {\n  retrun 444;'))
    writeFileSync(at(own), good.replace('by hand', 'by mistake'))
    const { drift, problem } = await collect()
    expect([drift, problem]).toMatchObject([[{ path: site }], null])
    const second = await newest()
    expect(second).toMatchObject({ number: first.number + 1, by: ['person'], changed: 2 })
    const { files } = await call('GET', `${versions}/${second.id}/diff`)
    const linesOf = (path: string) => files.find((file: { path: string }) => file.path === path).lines
    expect(linesOf(own)).toEqual([`-${good.trim()}`, `+${good.trim().replace('by hand', 'by mistake')}`])
    expect(linesOf(site)).toContain('+  retrun 444;')

    const plan = await call('GET', `${versions}/${first.id}/reset`)
    const changing = plan.files.filter(({ act }: { act: string }) => act === 'write')
    expect(changing.map(({ path }: { path: string }) => path)).toEqual([own, site])
    const { workflowId } = await call('POST', `${versions}/${first.id}/reset`, { paths: [own, site] })
    await ends(innkeeper, workflowId, 'done')
    expect((await host.exec(['nginx', '-t'])).code).toBe(0)
    expect([await said('hand.example'), readFileSync(at(site), 'utf8')]).toEqual(['by hand', text])
    expect(await said(website.domain)).not.toBe('')
  })

  it('resets nginx and PHP under visitors, none of whom fails', async () => {
    const { innkeeper, server, host } = stage
    const website = await created(innkeeper, server, 'busy.example')
    const page = `${website.documentRoot}/index.php`
    const put = await host.exec(['dd', `of=${page}`, 'status=none'], { input: '<?php usleep(300000); echo "whole";' })
    expect(put.code).toBe(0)
    const limits = '/etc/php/8.2/fpm/conf.d/99-by-hand.ini'
    for (const text of ['memory_limit = 128M\n', 'memory_limit = 256M\n']) {
      writeFileSync(at(own), good.replace('by hand', text.trim()))
      writeFileSync(at(limits), text)
      await collect()
    }
    const before = async (service: string) =>
      (await call('GET', `${versions}?server=${server}&service=${service}`)).items
    const visits = visitor(host.address, website.domain)
    for (const [service, path] of [
      ['nginx', own],
      ['php', limits],
    ] as const) {
      const [later, earlier] = await before(service)
      for (const { id } of [earlier, later, earlier]) {
        const { workflowId } = await call('POST', `${versions}/${id}/reset`, { paths: [path] })
        await ends(innkeeper, workflowId, 'done')
      }
      expect(readFileSync(at(path), 'utf8')).toContain('128M')
    }
    const { visits: n, failures } = await visits.stop()
    expect(n).toBeGreaterThan(20)
    expect(failures).toEqual([])
    writeFileSync(at(own), good)
  })

  it('undoes a reset to a version that the service refuses, and frees the server', async () => {
    const { innkeeper, server } = stage
    writeFileSync(at(own), 'server { listen 80; server_name hand.example; retrun 200; }\n')
    await collect()
    const broken = await newest()
    writeFileSync(at(own), good)
    const { workflowId } = await call('POST', `${versions}/${broken.id}/reset`, { paths: [own] })
    await ends(innkeeper, workflowId, 'rolled-back')
    expect([readFileSync(at(own), 'utf8'), await said('hand.example')]).toEqual([good, 'by hand'])
    const [log] = (await call('GET', `/config-orchestrator/logs?server=${server}`)).items
    expect(log).toMatchObject({ status: 'failed', message: expect.stringContaining('retrun') })
  })

  it('a reset never restores a website that was deleted since', async () => {
    const { innkeeper, server } = stage
    const gone = await created(innkeeper, server, 'gone.example')
    await collect()
    const before = await newest()
    const { workflowId } = await call('DELETE', `/websites/${gone.id}`, {})
    await ends(innkeeper, workflowId, 'done')
    const path = '/etc/nginx/innkeeper/sites/gone.example.conf'
    const { files } = await call('GET', `${versions}/${before.id}/reset`)
    expect(files.find((file: { path: string }) => file.path === path)).toMatchObject({
      ...{ act: 'kept', reason: 'Innkeeper removed this file since' },
    })
  })
})
