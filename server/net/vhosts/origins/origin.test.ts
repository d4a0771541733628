import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { answerRead, answerReads, enrolled } from '../../../test/work.ts'
import { sitesOf } from '../test/sites.ts'
import { lookRound } from './lookRound.ts'

let t: TestApp
let server: number
let other: number
let apache: number
let s: ReturnType<typeof sitesOf>
const address = '10.77.1.11'
beforeAll(async () => {
  t = await openTestApp()
  const admin = await t.somebody('admin')
  const provisionedAt = new Date().toISOString()
  server = await enrolled(t.app.db, 'web-1', { provisionedAt, address })
  other = await enrolled(t.app.db, 'web-2', { provisionedAt, address: '10.77.1.12' })
  apache = await enrolled(t.app.db, 'web-apache', { provisionedAt, address: '10.77.1.13', webServer: 'apache' })
  s = sitesOf(t, admin.token, () => [server, other, apache])
})
afterAll(() => t.close())

const php = (id: number, body: unknown) => s.call('PATCH', `/origin-vhost/vhosts/${id}/php`, body)
const one = async (id: number) => (await s.call('GET', `/origin-vhost/vhosts/${id}`)).body

describe('The origin vhost of a website', () => {
  it('exists for every website, as its server serves it', async () => {
    const id = await s.site('plain.example', server)
    expect(await one(id)).toMatchObject({
      ...{ id, websiteId: id, domain: 'plain.example', names: ['plain.example', 'www.plain.example'] },
      ...{ wildcard: false, phpModule: 'php8.2', phpParameters: {}, own: false, seen: null },
    })
    const { body } = await s.call('GET', '/origin-vhost/vhosts?search=plain&page=1')
    expect([body.total, body.items[0].id]).toEqual([1, id])
    expect((await s.call('GET', `/origin-vhost/vhosts/websites/${id}`)).body).toMatchObject({ total: 1 })
    expect((await s.call('GET', '/origin-vhost/vhosts/999999')).status).toBe(404)
  })

  it('shows and is found by the web server of its server, which gets the changes', async () => {
    const id = await s.site('by-apache.example', apache)
    expect(await one(id)).toMatchObject({ webServer: 'apache', serverName: 'web-apache' })
    const { body } = await s.call('GET', '/origin-vhost/vhosts?webServer=apache&page=1')
    expect(body.items.map((item: { id: number }) => item.id)).toEqual([id])
    const { workflowId } = (await php(id, { phpParameters: { memory_limit: '256M' } })).body
    expect(await s.stepsOf(workflowId)).toContain('apache-site.ensure')
    await s.carryOut()
  })

  it('gets its own PHP pool with its settings, after a preview and with a probe at the end', async () => {
    const id = await s.site('own.example', server)
    const { status, body } = await php(id, { phpParameters: { memory_limit: '256M', post_max_size: '1G' } })
    expect([status, await s.stepsOf(body.workflowId)]).toEqual([
      202,
      ['vhost.look', 'php-pool.ensure', 'nginx-site.ensure', 'vhost.probe'],
    ])
    expect(await s.inputOf(body.workflowId, 'php-pool.ensure')).toMatchObject({
      website: id,
      parameters: { memory_limit: 256, post_max_size: 1024 },
    })
    expect(await s.inputOf(body.workflowId, 'nginx-site.ensure')).toMatchObject({
      own: { pool: id, bodyMb: 1024 },
      beforeOwn: null,
    })
    expect((await one(id)).own).toBe(false)
    await s.carryOut()
    expect(await one(id)).toMatchObject({ own: true, phpParameters: { memory_limit: 256, post_max_size: 1024 } })
    // null restores the default; missing fields stay
    await php(id, { phpParameters: { memory_limit: null } })
    await s.carryOut()
    expect((await one(id)).phpParameters).toEqual({ post_max_size: 1024 })
    const { body: gone } = await s.call('DELETE', `/origin-vhost/vhosts/${id}`, {})
    expect(await s.stepsOf(gone.workflowId)).toEqual([
      'vhost.look',
      'nginx-site.ensure',
      'vhost.probe',
      'php-pool.remove',
    ])
    await s.carryOut()
    expect(await one(id)).toMatchObject({ own: false, phpParameters: {} })
    expect((await s.call('DELETE', `/origin-vhost/vhosts/${id}`, {})).status).toBe(422)
  })

  it('is restored automatically when the website stops answering', async () => {
    const id = await s.site('breaks.example', server)
    const { body } = await php(id, { phpParameters: { memory_limit: 64 } })
    await s.carryOut('vhost.probe')
    const { body: workflow } = await s.call('GET', `/workflows/${body.workflowId}`)
    expect([workflow.status, workflow.undo]).toEqual(['rolled-back', true])
    expect(await one(id)).toMatchObject({
      ...{ own: false, phpParameters: {}, problem: 'Probe: it did not come out well' },
    })
    const { body: runs } = await s.call('GET', `/origin-vhost/vhosts/${id}/runs`)
    expect(runs.items.map((run: { id: number }) => run.id)).toEqual([body.workflowId])
    expect((await s.call('DELETE', `/origin-vhost/logs/${body.workflowId}`)).status).toBe(204)
    expect((await s.call('GET', `/origin-vhost/vhosts/${id}/runs`)).body.total).toBe(0)
    expect((await s.call('DELETE', `/origin-vhost/logs/${body.workflowId}`)).status).toBe(404)
  })

  it('accepts no parameter that is unknown, out of range, multi-line or beyond its plan', async () => {
    const id = await s.site('strict.example', server)
    for (const [phpParameters, field] of [
      [{ auto_prepend_file: '/etc/passwd' }, 'phpParameters'],
      [{ 'date.timezone': 'UTC\nphp_admin_value[open_basedir] = /' }, 'phpParameters.date.timezone'],
      [{ 'date.timezone': 'Mars/Olympus' }, 'phpParameters.date.timezone'],
      [{ memory_limit: '256M\n' }, undefined],
      [{ memory_limit: '64M; extension=x' }, 'phpParameters.memory_limit'],
      [{ memory_limit: 1 }, 'phpParameters.memory_limit'],
      [{ extensionsOn: ['../../tmp/x'] }, 'phpParameters.extensionsOn.0'],
      [{ max_execution_time: 100_000 }, 'phpParameters.max_execution_time'],
      [{ display_errors: 'maybe' }, 'phpParameters.display_errors'],
    ] as const) {
      const { status, body } = await php(id, { phpParameters })
      if (field === undefined) {
        expect(status).toBe(202) // the line break around a number is trimmed
        await s.carryOut()
      } else expect([status, Object.keys(body.fields)], JSON.stringify(phpParameters)).toEqual([400, [field]])
    }
    for (const [phpParameters, field] of [
      [{ memory_limit: 4096 }, 'phpParameters.memory_limit'],
      [{ upload_max_filesize: 200 }, 'phpParameters.post_max_size'],
      [{ extensionsOn: ['redis'], extensionsOff: ['redis'] }, 'phpParameters.extensionsOn'],
    ] as const)
      expect(await php(id, { phpParameters })).toMatchObject({
        status: 422,
        body: { fields: { [field]: expect.any(String) } },
      })
    expect((await php(id, { phpModule: 'php8.4' })).body.fields).toEqual({
      phpModule: 'web-1 has no PHP 8.4: install it there first',
    })
  })

  it('refuses a stale change, and a second change while the first runs', async () => {
    const id = await s.site('stale.example', server)
    const { version } = await one(id)
    expect((await php(id, { phpParameters: { memory_limit: 64 }, version })).status).toBe(202)
    const stale = await php(id, { phpParameters: { memory_limit: 65 }, version })
    expect([stale.status, stale.body.current.id]).toEqual([409, id])
    const busy = await php(id, { phpParameters: { memory_limit: 65 } })
    expect([busy.status, busy.body.message]).toEqual([409, expect.stringContaining('is getting another PHP')])
    await s.carryOut()
    expect((await php(id, { phpParameters: { memory_limit: 64 } })).body.workflowId).toBeNull()
  })

  it('is deleted and restored with its website, and shrinks with its account’s plan', async () => {
    const id = await s.site('follows.example', server)
    await php(id, { phpParameters: { max_input_vars: 5000 } })
    await s.carryOut()
    const { body: deleted } = await s.call('DELETE', `/websites/${id}`, {})
    const gone = await s.stepsOf(deleted.workflowId)
    expect(gone.indexOf('php-pool.remove')).toBeGreaterThan(gone.indexOf('nginx-site.remove'))
    expect(gone.filter((name) => name === 'php-pool.remove')).toHaveLength(2)
    await s.carryOut()
    const { body: restored } = await s.call('POST', `/websites/${id}/restore`, {})
    expect((await s.stepsOf(restored.workflowId)).filter((name) => name === 'php-pool.ensure')).toHaveLength(2)
    await s.carryOut()
    expect((await one(id)).phpParameters).toEqual({ max_input_vars: 5000 })
    const { systemUserId } = (await s.call('GET', `/websites/${id}`)).body
    const plan = (await s.call('POST', '/system-user/plans', { name: 'Vhost plan', memoryMb: 256 })).body
    const { body } = await s.call('PATCH', `/system-user/system-users/${systemUserId}/plan`, { planId: plan.id })
    expect((await s.stepsOf(body.workflowId)).filter((name) => name === 'php-pool.ensure')).toHaveLength(2)
    await s.carryOut()
  })

  it('serves all names below its own by an alias, and no others', async () => {
    const id = await s.site('wild.example', server)
    const on = await s.call('PATCH', `/origin-vhost/vhosts/${id}/wildcard`, { wildcard: true })
    expect(on.status).toBe(202)
    await s.carryOut()
    expect(await one(id)).toMatchObject({ wildcard: true, names: expect.arrayContaining(['*.wild.example']) })
    const both = await s.call('PATCH', `/origin-vhost/vhosts/${id}`, {
      wildcard: false,
      phpParameters: { memory_limit: 64 },
    })
    expect([both.status, both.body.fields]).toEqual([422, { wildcard: 'Change the wildcard separately' }])
    await s.call('PATCH', `/origin-vhost/vhosts/${id}/wildcard`, { wildcard: false })
    await s.carryOut()
    expect((await one(id)).wildcard).toBe(false)
  })
})

describe('a bulk change', () => {
  it('changes the first website before the second, and reverts all when one fails', async () => {
    const ids = [
      await s.site('many-1.example', server),
      await s.site('many-2.example', other),
      await s.site('many-3.example', server),
    ]
    const begun = await s.call('PATCH', '/origin-vhost/php', { ids, phpParameters: { max_input_vars: 3000 } })
    expect([begun.status, begun.body.order]).toEqual([
      202,
      ['many-1.example', 'many-3.example', 'many-2.example'], // ordered by server
    ])
    const steps = await s.stepsOf(begun.body.workflowId)
    expect(steps.slice(0, 5)).toEqual([
      'vhost.look',
      'php-pool.ensure',
      'nginx-site.ensure',
      'vhost.probe',
      'vhost.look',
    ])
    await s.carryOut('vhost.probe')
    for (const id of ids) expect((await one(id)).own).toBe(false)
    await s.call('PATCH', '/origin-vhost/php', { ids, phpParameters: { max_input_vars: 3000 } })
    await s.carryOut()
    for (const id of ids) expect((await one(id)).phpParameters).toEqual({ max_input_vars: 3000 })
    expect((await s.call('PATCH', '/origin-vhost/php', { ids, phpParameters: { max_input_vars: 3000 } })).status).toBe(
      200,
    )
  })

  it('adds its extensions to those that each website has chosen', async () => {
    const ids = [await s.site('added-1.example', server), await s.site('added-2.example', server)]
    const set = (id: number, phpParameters: object) =>
      s.call('PATCH', `/origin-vhost/vhosts/${id}/php`, { phpModule: 'php8.2', phpParameters })
    await set(ids[0]!, { extensionsOn: ['gmp'], extensionsOff: ['imagick', 'ftp'] })
    await s.carryOut()
    await s.call('PATCH', '/origin-vhost/php', {
      ...{ ids, phpParameters: { extensionsOn: ['imagick'], extensionsOff: ['exif'] } },
    })
    await s.carryOut()
    expect((await one(ids[0]!)).phpParameters).toEqual({
      ...{ extensionsOn: ['gmp', 'imagick'], extensionsOff: ['exif', 'ftp'] },
    })
    expect((await one(ids[1]!)).phpParameters).toEqual({ extensionsOn: ['imagick'], extensionsOff: ['exif'] })
  })
})

describe('a paused bulk change', () => {
  it('leaves all but the first unchanged until somebody continues or reverts it', async () => {
    const ids = [await s.site('wait-1.example', server), await s.site('wait-2.example', other)]
    const begin = async (max_input_vars: number) =>
      (await s.call('PATCH', '/origin-vhost/php', { ids, phpParameters: { max_input_vars }, wait: true })).body
        .workflowId
    const read = async (id: number) => (await s.call('GET', `/workflows/${id}`)).body
    const say = async (id: number, actionType: string) => {
      const next = (await read(id)).actions.find(({ status }: { status: string }) => status === 'pending')
      return (await s.call('PATCH', `/workflows/${id}/actions/${next?.id ?? 1}`, { actionType })).status
    }
    const first = await begin(3000)
    expect(await say(first, 'resume')).toBe(409)
    await s.carryOut()
    const held = await read(first)
    expect([held.status, held.paused, held.waitsFor, held.done]).toEqual(['waiting', true, 'The workflow is paused', 4])
    expect(await say(first, 'resume')).toBe(200)
    await s.carryOut()
    expect((await read(first)).status).toBe('done')
    for (const id of ids) expect((await one(id)).phpParameters).toEqual({ max_input_vars: 3000 })
    const second = await begin(4000)
    await s.carryOut()
    expect(await say(second, 'rollback')).toBe(200)
    await s.carryOut()
    expect((await read(second)).status).toBe('rolled-back')
    for (const id of ids) expect((await one(id)).phpParameters).toEqual({ max_input_vars: 3000 })
  })
})

describe('the preview of a change', () => {
  it('is requested from the server, line by line; the list records the present state', async () => {
    const id = await s.site('differs.example', server)
    const asked = s.call('POST', `/origin-vhost/vhosts/${id}/diff`, {})
    const files = [{ file: '/etc/x.conf', is: 'a\nb\nc\n', wanted: 'a\nB\nc\n' }]
    await expect.poll(() => answerRead(t.app.db, server, { files })).toBe(true)
    expect((await asked).body.files).toEqual([{ file: '/etc/x.conf', lines: [' a', '-b', '+B', ' c'] }])
    expect(
      (await s.call('GET', '/origin-vhost/vhosts?seen=differs')).body.items.map((v: { id: number }) => v.id),
    ).toEqual([id])
    const again = s.call('POST', `/origin-vhost/vhosts/${id}/diff`, { phpParameters: { memory_limit: 64 } })
    await expect.poll(() => answerRead(t.app.db, server, { files: [] })).toBe(true)
    expect((await again).body.files).toEqual([])
    // the preview without changes records a difference that people made on the server
    expect((await one(id)).seen).toBe('differs')
  })
})

describe('the rules of a website', () => {
  const rules = (id: number) => s.call('GET', `/origin-vhost/vhosts/${id}/rules`).then(({ body }) => body)
  const set = (id: number, body: unknown) => s.call('PATCH', `/origin-vhost/vhosts/${id}/rules`, body)
  /** Sets own rules while the server answers its question. */
  const written = async (id: number, body: unknown, problem: string | null = null) => {
    const asked = set(id, body)
    await expect.poll(() => answerRead(t.app.db, server, { problem })).toBe(true)
    return asked
  }

  it('are checked by their words and by the web server, kept in versions, and undone with a failed change', async () => {
    const id = await s.site('ruled.example', server)
    const refused = await set(id, { nginx: 'include /etc/passwd;' })
    expect([refused.status, refused.body.fields.nginx]).toEqual([400, expect.stringContaining('Line 1: include')])
    const said = await written(id, { nginx: 'location /a { return 404; }' }, 'nginx refuses this: …, in line 1')
    expect([said.status, said.body.fields]).toEqual([422, { nginx: 'nginx refuses this: …, in line 1' }])
    expect((await rules(id)).total).toBe(0)
    const first = 'location = /a { return 404; }'
    const { status, body } = await written(id, { nginx: `${first}\r\n`, note: 'No more a' })
    expect([status, await s.stepsOf(body.workflowId)]).toEqual([
      202,
      ['vhost.look', 'nginx-site.ensure', 'vhost.probe'],
    ])
    expect(await s.inputOf(body.workflowId, 'nginx-site.ensure')).toMatchObject({
      ...{ rules: { application: 'front-controller', ownRules: first }, beforeRules: null },
    })
    await s.carryOut()
    expect(await rules(id)).toMatchObject({ current: 1, nginx: first, versions: [{ number: 1, note: 'No more a' }] })
    await written(id, { nginx: 'location = /b { return 404; }' })
    await s.carryOut('vhost.probe')
    expect(await rules(id)).toMatchObject({ current: 1, nginx: first, total: 2 })
    expect(await one(id)).toMatchObject({ ownRules: true, problem: expect.stringContaining('Probe') })
    await set(id, { nginx: '' })
    await s.carryOut()
    expect(await rules(id)).toMatchObject({ current: null, nginx: '', total: 2 })
    expect((await set(id, { nginx: '' })).status).toBe(200)
  })

  it('follow the application that lies there, unless people choose another; a copy has the same', async () => {
    const id = await s.site('network.example', server)
    await t.app.db.execute(sql`update websites set look_at = now() + interval '1 day' where website_id <> ${id}`)
    await t.app.db.execute(sql`update server_states set last_seen_at = now() where server_id = ${server}`)
    const look = async (application: string | null) => {
      await t.app.db.execute(sql`update websites set look_at = now() where website_id = ${id}`)
      await answerReads(t.app.db, server, () => ({ found: [{ id, application }] }), lookRound(t.app, sql`${id} % 15`))
      await s.carryOut()
    }
    await look('wordpress-folders')
    expect(await one(id)).toMatchObject({ application: 'wordpress-folders', applicationBy: 'found' })
    expect(await rules(id)).toMatchObject({ found: 'wordpress-folders', chosen: null })
    expect((await set(id, { application: 'drupal' })).status).toBe(202)
    await s.carryOut()
    await look('joomla')
    expect(await one(id)).toMatchObject({ application: 'drupal', applicationBy: 'chosen' })
    await set(id, { application: null })
    await s.carryOut()
    expect(await one(id)).toMatchObject({ application: 'joomla', applicationBy: 'found' })
    await look(null)
    expect(await one(id)).toMatchObject({ application: 'front-controller', applicationBy: 'usual' })
  })
})

describe('PHP modules', () => {
  it('are those that servers run, websites use and people added', async () => {
    expect((await s.call('POST', '/origin-vhost/php/modules', { name: 'php8.5' })).body.data).toEqual({
      ...{ name: 'php8.5', phpVersion: '8.5', servers: [], websites: 0, added: true },
    })
    expect((await s.call('POST', '/origin-vhost/php/modules', { name: 'php8.5' })).status).toBe(409)
    expect((await s.call('POST', '/origin-vhost/php/modules', { name: 'ruby' })).status).toBe(400)
    const { body } = await s.call('GET', '/origin-vhost/php/modules')
    expect(body.items[0].name).toBe('php8.5')
    expect(body.items.find(({ name }: { name: string }) => name === 'php8.2').websites).toBeGreaterThan(0)
    const installing = await s.call('POST', '/origin-vhost/php/modules', { name: 'php8.4', servers: [server] })
    expect(await s.stepsOf(installing.body.workflowIds[0])).toEqual(['php-version.ensure', 'php.ensure'])
    await s.carryOut()
  })

  it('have the allowed parameters with their types and ranges', async () => {
    const { items } = (await s.call('GET', '/origin-vhost/php/config-parameters')).body
    expect(items.find(({ name }: { name: string }) => name === 'memory_limit')).toMatchObject({
      ...{ type: 'size', min: 16, max: 4096, default: null },
    })
  })
})
