import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Website } from '@innkeeper/contract/hosting/websites'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Authority, asNameServer, openAuthority, withAuthority } from './authority.ts'
import { enrol, freshHost } from './hosts.ts'
import { certificateShown } from './https.ts'
import { create, ends, moved } from './sites.ts'
import { openStage, type Stage } from './stage.ts'

const run = promisify(execFile)

describe('a certificate on a practice server, with its DNS', withAuthority, () => {
  let stage: Stage
  let authority: Authority
  let site: Website
  /** The file with the root of the authority. */
  let root: string

  beforeAll(async () => {
    stage = await openStage('e2ecerts')
    const { innkeeper, host } = stage
    // the same host is the name server for the authority
    await asNameServer(stage)
    authority = await openAuthority(stage, host.address)
    root = join(authority.folder, 'root.pem')
    writeFileSync(root, await authority.pebble.root())
    const zone = await innkeeper.must('POST', '/dns/zones', { domain: 'secure.example' })
    await ends(innkeeper, zone.workflowId, 'done')
  })
  afterAll(async () => {
    await authority?.stop()
    await stage?.close()
  })

  /** Visits like a browser that trusts only this authority; rejects where the browser would warn. */
  const curl = async (url: string, { address } = stage.host) => {
    const { host } = new URL(url)
    const { stdout } = await run('curl', [
      ...['--silent', '--show-error', '--cacert', root],
      ...[443, 80].flatMap((port) => ['--resolve', `${host}:${port}:${address}`]),
      ...['--output', '/dev/null', '--write-out', '%{http_code} %{redirect_url}', url],
    ])
    return stdout.trim()
  }
  const listed = async () => (await stage.innkeeper.must('GET', `/ssl-controller/certificates/${site.id}`)).items
  const txt = async () =>
    (
      await stage.host.exec(['dig', '+short', `@${stage.host.address}`, '_acme-challenge.secure.example', 'TXT'])
    ).stdout.trim()

  test('one workflow creates DNS records, website and certificate, and https has a trusted chain', async () => {
    const { innkeeper, server } = stage
    const started = await create(innkeeper, server, 'secure.example', { dns: true, certificate: 'lets-encrypt' })
    await ends(innkeeper, started.workflowId, 'done')
    site = await innkeeper.must('GET', `/websites/${started.data.id}`)
    expect(site.toggles.ssl).toBe(true)
    expect(await curl('https://secure.example/')).toBe('200')
    expect(await curl('https://www.secure.example/')).toBe('200')
    expect(await curl('http://secure.example/a')).toBe('301 https://secure.example/a')
    await expect(curl('https://other.example/')).rejects.toThrow()
  })

  test('the preflight of this website reports every name as ready', async () => {
    const { items, authority } = await stage.innkeeper.must('POST', '/ssl-controller/preflight', { websiteId: site.id })
    expect(authority).toBeNull()
    expect(
      items.map(({ name, ok, challenge }: { name: string; ok: boolean; challenge: string }) => [name, ok, challenge]),
    ).toEqual([
      ['secure.example', true, 'http-01'],
      ['www.secure.example', true, 'http-01'],
    ])
  })

  test('a wildcard is proved by a record in our zone, which is deleted afterwards', async () => {
    const { innkeeper } = stage
    const wanted = { websiteId: site.id, subDomains: ['*'] }
    const begun = performance.now()
    const { workflowId } = await innkeeper.must('POST', '/ssl-controller/certificate/lets-encrypt', wanted)
    await ends(innkeeper, workflowId, 'done')
    const took = performance.now() - begun
    console.log(`a wildcard from the form to https: ${Math.round(took)} ms`)
    expect(took).toBeLessThan(45_000) // without waiting for a cache of a name server
    const { stdout } = await run('openssl', [
      ...['s_client', '-connect', `${stage.host.address}:443`, '-servername', 'secure.example'],
      ...['-CAfile', root, '-verify_return_error', '-verify_hostname', 'any.secure.example', '-brief'],
    ]).catch((error: { stdout?: string; stderr?: string }) => ({ stdout: `${error.stdout}${error.stderr}` }))
    expect(stdout).not.toMatch(/verify error/i)
    expect(await curl('https://secure.example/')).toBe('200')
    await expect.poll(txt).toBe('')
  })

  test('a renewal replaces the certificate without a failed visit', async () => {
    const { innkeeper, host } = stage
    const before = await certificateShown(host.address, 'secure.example')
    const [used] = (await listed()).filter(({ uses }: { uses: unknown[] }) => uses.length)
    const { workflowId } = await innkeeper.must('PATCH', `/ssl-controller/certificate/${used.id}`, {})
    const failures: string[] = []
    const asking = setInterval(() => {
      void curl('https://secure.example/').then(
        (said) => said === '200' || failures.push(said),
        (error: Error) => failures.push(error.message),
      )
    }, 150)
    await ends(innkeeper, workflowId, 'done')
    clearInterval(asking)
    expect(failures).toEqual([])
    const after = await certificateShown(host.address, 'secure.example')
    expect(after).not.toBe(before)
    expect((await innkeeper.must('GET', `/ssl-controller/certificate/${used.id}`)).fingerprint).toBe(after)
  })

  test('a renewal waits for a move, reaches the new server, and goes back with the website', async () => {
    const { innkeeper, lab } = stage
    const target = await freshHost(lab, 'e2ecertsto')
    try {
      const targetServerId = await enrol(innkeeper, target)
      const [used] = (await listed()).filter(({ uses }: { uses: unknown[] }) => uses.length)
      const { id } = await innkeeper.must('POST', `/websites/${site.id}/migrate`, { targetServerId, soakHours: 1 })
      const early = await innkeeper.call('PATCH', `/ssl-controller/certificate/${used.id}`, {})
      expect([early.status, early.body.message]).toEqual([422, 'secure.example is migrating: it has to be active'])
      await moved(innkeeper, id, 'soaking')
      const { workflowId } = await innkeeper.must('PATCH', `/ssl-controller/certificate/${used.id}`, {})
      await ends(innkeeper, workflowId, 'done')
      const { fingerprint } = await innkeeper.must('GET', `/ssl-controller/certificate/${used.id}`)
      expect(fingerprint).not.toBe(used.fingerprint)
      expect(await certificateShown(target.address, 'secure.example')).toBe(fingerprint)
      expect(await curl('https://secure.example/', target)).toBe('200')
      expect(await curl('https://secure.example/')).toBe('200') // through the former server
      const back = await innkeeper.must('PATCH', `/websites/migrations/${id}`, { want: 'rollback' })
      await moved(innkeeper, back.id, 'soaking')
      expect(await certificateShown(stage.host.address, 'secure.example')).toBe(fingerprint)
      await innkeeper.must('PATCH', `/websites/migrations/${back.id}`, { want: 'retire' })
      await moved(innkeeper, back.id, 'done')
    } finally {
      await target.wipe()
    }
  })

  test('on a server with Apache one workflow creates the website with https', async () => {
    const { innkeeper, lab } = stage
    const host = await freshHost(lab, 'e2ecertsap')
    try {
      const server = await enrol(innkeeper, host)
      const path = '/cloud-management/servers'
      await innkeeper.must('PATCH', `${path}/${server}`, { webServer: 'apache' })
      const { workflowId } = await innkeeper.must('POST', `${path}/${server}/provision`)
      await ends(innkeeper, workflowId, 'done')
      const wanted = { dns: true, certificate: 'lets-encrypt' }
      const started = await create(innkeeper, server, 'apache.secure.example', wanted)
      await ends(innkeeper, started.workflowId, 'done')
      expect((await host.exec(['systemctl', 'is-active', 'nginx', 'apache2'])).stdout).toBe('inactive\nactive\n')
      expect(await curl('https://apache.secure.example/', host)).toBe('200')
      expect(await curl('https://www.apache.secure.example/', host)).toBe('200')
      expect(await curl('http://apache.secure.example/a', host)).toBe('301 https://apache.secure.example/a')
      await expect(curl('https://other.example/', host)).rejects.toThrow()
    } finally {
      await host.wipe()
    }
  })

  test('a renewal reports an unreachable authority and keeps the current certificate', async () => {
    const { innkeeper, host } = stage
    const before = await certificateShown(host.address, 'secure.example')
    const [used] = (await listed()).filter(({ uses }: { uses: unknown[] }) => uses.length)
    await authority.pebble.stop()
    const { workflowId } = await innkeeper.must('PATCH', `/ssl-controller/certificate/${used.id}`, {})
    const { actions } = await ends(innkeeper, workflowId, 'failed')
    expect(actions.find(({ status }) => status === 'failed')?.reason).toContain('does not answer: connection refused')
    expect(await certificateShown(host.address, 'secure.example')).toBe(before)
    expect(await curl('https://secure.example/')).toBe('200')
  })
})
