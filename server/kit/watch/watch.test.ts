import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { secretsUnder } from '../app/secrets.ts'
import { openReadiness } from './readiness.ts'
import { openRegistry } from './registry.ts'
import { openWorkerPort } from './workerPort.ts'

let t: TestApp
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())

describe('/readyz', () => {
  it('is ready when every part is, while /healthz only says that the process lives', async () => {
    const answer = await t.http.inject('/readyz')
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      { ready: true, parts: { process: 'ok', database: 'ok', migrations: 'ok', key: 'ok', files: 'ok' } },
    ])
    expect((await t.http.inject('/healthz')).json()).toEqual({ alive: true })
  })

  it('names the part that is down', async () => {
    await t.app.secrets.currentKey(t.app.db)
    const broken = {
      ...t.app,
      secrets: secretsUnder('the key of another installation'),
      storage: { ...t.app.storage, check: () => Promise.reject(new Error('/var/lib/innkeeper is full')) },
    }
    expect(await openReadiness(broken, () => 'stopping')()).toEqual({
      ready: false,
      parts: {
        ...{ process: 'stopping', database: 'ok', migrations: 'ok' },
        key: 'the key is not the one of this database',
        files: 'the file store cannot be used',
      },
    })
  })
})

describe('metrics', () => {
  it('has every figure of the installation, and tells the age of them', async () => {
    const registry = openRegistry(t.app, {})
    const text = await registry.metrics()
    for (const { name } of t.app.metrics) expect(text).toContain(`# TYPE ${name} gauge`)
    expect(text).toContain('innkeeper_certificates_ending{within="7d"} 0')
    expect(text).toContain('innkeeper_sms_queued 0')
    expect(text).not.toMatch(/^innkeeper_own_backup_age_seconds/m) // there is none
    expect(text).not.toContain('innkeeper_metrics_failures{')
  })

  it('reads the database once for many requests', async () => {
    const registry = openRegistry(t.app, {})
    const first = registry.metrics()
    const [one, other] = await Promise.all([first, registry.metrics()])
    const ages = [one, other].map((text) => /innkeeper_metrics_age_seconds ([\d.e-]+)/.exec(text)?.[1])
    expect(Number(ages[1])).toBeGreaterThanOrEqual(Number(ages[0]))
  })

  it('counts a figure that cannot be read instead of failing', async () => {
    const wrong = { name: 'innkeeper_wrong', help: 'x', labels: [], rows: t.app.metrics[0]!.rows } as const
    const away = {
      ...t.app.database,
      db: { execute: () => Promise.reject(new Error('no')) } as unknown as typeof t.app.db,
    }
    const text = await openRegistry({ database: away, metrics: [wrong] }, {}).metrics()
    expect(text).not.toMatch(/^innkeeper_wrong/m)
    expect(text).toContain('innkeeper_metrics_age_seconds')
  })

  it('names every call by route, status and who asked', async () => {
    const { token } = await t.somebody('admin')
    await t.call('GET', '/api/websites', { token })
    await t.call('GET', '/api/websites')
    const { body } = await t.http.inject({ url: '/metrics' })
    expect(body).toMatch(
      /innkeeper_http_seconds_count\{method="GET",route="\/api\/websites",status="200",actor="token"\} 1/,
    )
    expect(body).toMatch(
      /innkeeper_http_seconds_count\{method="GET",route="\/api\/websites",status="401",actor="guest"\} 1/,
    )
  })
})

it('a worker answers on a port of its own', async () => {
  const readiness = openReadiness(t.app, () => 'running')
  const rounds = new Map([['sweep', { everyMs: 2000, succeededAt: 1_795_903_047_000, tookMs: 20, failures: 1 }]])
  const worker = await openWorkerPort(t.app, 0, readiness, openRegistry(t.app, { rounds }))
  const ask = (path: string) => fetch(`http://127.0.0.1:${worker.port}${path}`)
  expect((await ask('/readyz')).status).toBe(200)
  expect(await (await ask('/metrics')).text()).toContain(
    'innkeeper_schedule_last_success_seconds{schedule="sweep"} 1795903047',
  )
  expect((await ask('/api/websites')).status).toBe(404)
  await worker.close()
})

describe('requests', () => {
  it('have the id that the browser gave them, in the answer and in an error', async () => {
    const id = '7a62b8f5-401e-4584-9c4e-a8534e95c530'
    const answer = await t.http.inject({ url: '/api/websites', headers: { 'x-request-id': id } })
    expect([answer.headers['x-request-id'], answer.json().requestId]).toEqual([id, id])
    const forged = await t.http.inject({ url: '/api/websites', headers: { 'x-request-id': 'a\tb' } })
    expect(forged.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('below a prefix of a proxy are refused with the reason', async () => {
    const answer = await t.http.inject({ url: '/', headers: { 'x-forwarded-prefix': '/innkeeper' } })
    expect([answer.statusCode, answer.json().message]).toEqual([
      400,
      expect.stringContaining('below /innkeeper. Innkeeper needs a host name of its own'),
    ])
  })
})
