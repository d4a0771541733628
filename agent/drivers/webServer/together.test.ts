import { writeFileSync } from 'node:fs'
import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rootOf, siteOf } from '../../test/fixtures.ts'
import { labDir, type Practice, practice } from '../../test/practice.ts'
import { webs } from './test/webs.ts'

const verdict = await can(labDir)
const title = verdict.able ? '$web sites at once' : `$web sites at once (${verdict.reason})`
describe.skipIf(!verdict.able).for(webs)(title, ({ web, etc, broken, ...its }) => {
  const ensure = `${web}-site.ensure` as const
  const sites = `${etc}/innkeeper/sites`
  let p: Practice<Host>
  beforeAll(async () => {
    p = await practice(await openLab({ dir: labDir }), `${web}-once`)
    await p.provision(web)
    await p.website('first.example')
  })
  afterAll(() => p?.end())

  const generation = async () => Number(await p.sh('curl', '-s', 'http://127.0.0.1:4479/'))
  const prepare = async (...domains: string[]) => {
    for (const domain of domains) await p.done('document-root.ensure', rootOf(domain))
  }
  const statuses = (domains: readonly string[]) =>
    Promise.all(domains.map(async (domain) => (await p.get(domain)).status))
  const many = ['one', 'two', 'three', 'four', 'five', 'six'].map((name) => `${name}.example`)

  test('share a test and a reload, and a visitor of another website sees no error', async () => {
    await prepare(...many)
    const before = await generation()
    const visits: number[] = []
    const until = { stop: false }
    const visiting = (async () => {
      while (!until.stop) visits.push((await p.get('first.example')).status)
    })()
    const all = await Promise.all(many.map((domain) => p.done(ensure, siteOf(domain))))
    until.stop = true
    await visiting
    expect(await statuses(many)).toEqual(many.map(() => 200))
    // the first begins alone, and all others have come while it runs
    expect(await generation()).toBeLessThanOrEqual(before + 3)
    expect(all.map(({ said }) => said.join()).join()).toMatch(/with \d other changes/)
    for (const [n, { said }] of all.entries()) expect(said.join()).toContain(`http://${many[n]}/ answers 200`)
    expect(visits.length).toBeGreaterThan(3)
    expect(visits.filter((status) => status !== 200)).toEqual([])
    expect(await p.sh('ls', '-A', `${etc}/innkeeper`, sites)).not.toMatch(/last-good|\.new/)
  })

  test('one that is refused, and one that answers wrong, leave the others', async () => {
    const names = ['good.example', 'named.example', 'mute.example', 'fine.example']
    await prepare(...names)
    const [good, named, mute, fine] = names.map((domain) => siteOf(domain))
    const ended = await Promise.all([
      p.op(ensure, { ...siteOf('first.example'), aliases: ['also.example'] }),
      p.op(ensure, good!),
      p.op(ensure, { ...named!, aliases: ['one.example'] }),
      p.op(ensure, { ...mute!, own: { pool: 4711, bodyMb: 64 } }),
      p.op(ensure, fine!),
    ])
    expect(ended.map(({ status }) => status)).toEqual(['done', 'done', 'failed', 'failed', 'done'])
    expect(ended[2]!.reason).toContain('one.example is claimed by')
    expect(ended[3]!.reason).toContain(`answers ${its.gateway}`)
    expect(await statuses([...many, 'also.example', 'good.example', 'fine.example'])).toEqual(
      Array.from({ length: 9 }, () => 200),
    )
    expect(await statuses(['named.example', 'mute.example'])).toEqual([its.refuses, its.refuses])
    expect(await p.sh('ls', '-A', `${etc}/innkeeper`, sites)).not.toMatch(/last-good|\.new|mute|named/)
  })

  test('one that answers wrong beside others is taken back alone, and an undo leaves the others', async () => {
    await prepare('wrong.example', 'right.example', 'left.example')
    const before = siteOf('wrong.example')
    await p.done(ensure, before)
    const [, wrong, right] = await Promise.all([
      p.op(ensure, siteOf('left.example')),
      p.op(ensure, { ...before, own: { pool: 4711, bodyMb: 64 } }),
      p.op(ensure, siteOf('right.example')),
    ])
    expect([wrong.status, right.status]).toEqual(['failed', 'done'])
    expect(await statuses(['wrong.example', 'right.example', 'left.example'])).toEqual([200, 200, 200])
    expect(await p.sh('cat', `${sites}/wrong.example.conf`)).not.toContain('4711')
    // what was written is what is served
    const again = await p.done(ensure, siteOf('right.example'))
    expect(again.said.join()).toContain('already')
    const made = await Promise.all(many.map((domain) => p.done(ensure, { ...siteOf(domain), state: 'suspended' })))
    expect(await statuses(many)).toEqual(many.map(() => 503))
    await Promise.all(made.slice(0, 3).map(({ id }, n) => p.done(ensure, siteOf(many[n]!), { id, task: 'undo' })))
    expect(await statuses(many)).toEqual([its.refuses, its.refuses, its.refuses, 503, 503, 503])
  })

  test('what a killed agent has not tested is taken back when it is why the web server refuses others', async () => {
    const was = await p.sh('cat', `${sites}/right.example.conf`)
    const put = (file: string, text: string) => writeFileSync(`${p.host.root}${sites}/${file}`, text)
    put('.right.example.conf.last-good', was)
    put('right.example.conf', broken)
    put('.new.example.conf.last-good', '# there was no such file\n')
    put('new.example.conf', broken)
    await prepare('later.example')
    await p.done(ensure, siteOf('later.example'))
    expect(await statuses(['later.example', 'right.example'])).toEqual([200, 200])
    expect(await p.sh('cat', `${sites}/right.example.conf`)).toBe(was)
    expect(await p.sh('ls', '-A', sites)).not.toMatch(/last-good|new\.example/)
    // a file that somebody wrote by hand stays, and says why
    put('by-hand.conf', broken)
    const refused = await p.op(ensure, { ...siteOf('later.example'), aliases: ['even.example'] })
    expect([refused.status, refused.reason]).toEqual(['failed', expect.stringContaining('by-hand.conf')])
    await p.sh('rm', `${sites}/by-hand.conf`)
  })
})
