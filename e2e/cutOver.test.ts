import type { Website } from '@innkeeper/contract/hosting/websites'
import type { ArchiveImportView } from '@innkeeper/contract/recovery/archiveImports/shapes'
import type { Host } from '@innkeeper/lab/host'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Authority, asNameServer, openAuthority, withAuthority } from './authority.ts'
import { putHestiaArchive } from './hestiaArchive.ts'
import { freshHost } from './hosts.ts'
import { certificateShown } from './https.ts'
import { act, addOwner, ends } from './sites.ts'
import { openStage, type Stage } from './stage.ts'
import { until } from './until.ts'
import { untilVerified } from './workflows.ts'

/** The first is in a zone of Innkeeper, the others in zones of somebody else. */
const [shop, still, also, closed] = [
  'old-shop.example',
  'old-static.example',
  'also-static.example',
  'old-closed.example',
]
/** Seconds for which resolvers keep where a name led before. */
const TTL = 30

describe('a cut-over beside orders of certificates', withAuthority, () => {
  let stage: Stage
  let authority: Authority
  let old: Host
  let id: number
  /** The order for a name of the foreign zone. */
  let waiting: number

  beforeAll(async () => {
    stage = await openStage('cutover1', { layer: 'databases' })
    const { innkeeper, host } = stage
    await asNameServer(stage)
    old = await freshHost(stage.lab, 'cutover2')
    await there(formerServer(old.address, host.address))
    await leads(old.address)
    // the authority and Innkeeper ask a resolver that keeps answers, as those of the internet do
    authority = await openAuthority(stage, `${old.address}:5353`)
    const zone = await api('POST', '/dns/zones', { domain: shop })
    await ends(innkeeper, zone.workflowId, 'done')
    const create = ['@', 'www'].map((name) => ({ name, type: 'A', ttl: TTL, content: old.address }))
    await ends(innkeeper, (await api('PATCH', '/dns/records', { zoneId: zone.id, create })).workflowId, 'done')
    await putHestiaArchive(host, '/backup/alice.tar')
    const looked = await api('POST', '/archive-imports', { serverId: stage.server, path: '/backup/alice.tar' })
    await ends(innkeeper, looked.workflowId, 'done')
    id = looked.data.id
  })
  afterAll(async () => {
    await authority?.stop()
    await old?.wipe()
    await stage?.close()
  })

  const api = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
    stage.innkeeper.must(method, path, body)
  const there = async (script: string) => {
    const { code, stdout, stderr } = await old.exec(['sh', '-euc', script])
    if (code !== 0) throw new Error(`${stdout}${stderr}`)
    return stdout.trim()
  }
  /** Where the names of the foreign zone lead. */
  const leads = (address: string) =>
    there(
      [still, also, closed]
        .flatMap((name) => [name, `www.${name}`])
        .map(
          (name) =>
            `unbound-control -q local_data_remove ${name}; unbound-control -q local_data ${name} ${TTL} IN A ${address}`,
        )
        .join('\n'),
    )
  const site = async (domain: string): Promise<Website> =>
    (await api('GET', `/websites?domain=${domain}`)).Websites.find((one: Website) => one.domain === domain)
  const order = async (domain: string) =>
    stage.innkeeper.call('POST', '/ssl-controller/certificate/lets-encrypt', { websiteId: (await site(domain)).id })
  const view = (): Promise<ArchiveImportView> => api('GET', `/archive-imports/${id}`)
  const states = async () => {
    const { cutOver } = await view()
    return Object.fromEntries((cutOver?.names ?? []).map(({ name, state }) => [name, state]))
  }
  const certificate = async (domain: string) => (await api('GET', `/ssl-controller/certificate?search=${domain}`)).items

  test('an order waits for the acceptance; then a name of our zone is proved there, and a foreign one says where it leads', async () => {
    const userId = await addOwner(stage.innkeeper)
    const { items: plans } = await api('GET', '/system-user/plans')
    const plan = plans.find((one: { name: string }) => one.name === 'Business').id
    const begun = await api('POST', `/archive-imports/${id}/start`, { userId, plan, leaveOut: [`mail:${shop}`] })
    expect(await untilVerified(stage.innkeeper, id)).toMatchObject({ status: 'verified', reason: null })
    const early = await order(shop)
    expect([early.status, early.body.message]).toEqual([expect.any(Number), expect.stringMatching(/creating|imported/)])
    expect(early.status).toBeGreaterThanOrEqual(409)
    await api('POST', `/archive-imports/${id}/accept`)
    await ends(stage.innkeeper, begun.workflowId, 'done')

    const ours = await order(shop)
    await ends(stage.innkeeper, ours.body.workflowId, 'done')
    const [made] = await certificate(shop)
    expect(made).toMatchObject({ status: 'active', names: expect.arrayContaining([shop, `www.${shop}`]) })
    // the name still leads to the former server, and the new one shows its certificate already
    expect(await certificateShown(stage.host.address, shop)).toBe(made.fingerprint)
    expect(await there(`dig +short @${old.address} -p 5353 ${shop}`)).toBe(old.address)

    waiting = (await order(still)).body.workflowId
    const { actions } = await ends(stage.innkeeper, waiting, 'failed')
    expect(actions.find(({ status }) => status === 'failed')?.reason).toContain(
      `Leads to ${old.address}, and cutover1 is ${stage.host.address}`,
    )
  })

  test('a renewal that runs while the names are switched ends well, and the watch waits for what resolvers keep', async () => {
    const [before] = await certificate(shop)
    await there(`dig +short @${old.address} -p 5353 ${shop}`) // kept from now on
    const renewal = await api('PATCH', `/ssl-controller/certificate/${before.id}`, {})
    const { data } = await api('POST', `/archive-imports/${id}/cut-over`, {
      version: (await view()).version,
      watch: true,
    })
    const ttls = Object.fromEntries(
      data.cutOver.names.map(({ name, ttl }: { name: string; ttl?: number }) => [name, ttl]),
    )
    expect([ttls[shop], ttls[still]]).toEqual([TTL, undefined])
    const { version } = data
    const { workflowIds } = await api('POST', `/archive-imports/${id}/cut-over`, { version, watch: true, change: true })
    for (const one of workflowIds) await ends(stage.innkeeper, one, 'done')
    await ends(stage.innkeeper, renewal.workflowId, 'done')
    const [after] = await certificate(shop)
    expect(after.fingerprint).not.toBe(before.fingerprint)
    expect(await certificateShown(stage.host.address, shop)).toBe(after.fingerprint)
    await until('the names of our zone lead here', async () => (await states())[shop] === 'here')
    expect(await states()).toMatchObject({ [`www.${shop}`]: 'here', [still]: 'elsewhere', [also]: 'elsewhere' })
    expect((await view()).cutOver?.watching).toBe(true)
    // an order that is placed now, by the way of the new address
    const again = await api('PATCH', `/ssl-controller/certificate/${after.id}`, {})
    await ends(stage.innkeeper, again.workflowId, 'done')
  })

  test('a foreign zone that is switched at its place ends the watch, and its order passes', async () => {
    await leads(stage.host.address)
    await until('all names lead here', async () => (await view()).cutOver?.watching === false)
    expect(Object.entries(await states()).filter(([, state]) => state !== 'here')).toEqual([])
    // it says that it waits for somebody, who tries it again
    expect(await order(still)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('that stopped') },
    })
    await act(stage.innkeeper, waiting, 'certificate.order', { actionType: 'retry' })
    await ends(stage.innkeeper, waiting, 'done')
    const [made] = (await certificate(still)).filter(({ status }: { status: string }) => status === 'active')
    expect(await certificateShown(stage.host.address, still)).toBe(made.fingerprint)
  })
})

/** A web server that knows no challenge, and a resolver that asks the new server for all but the foreign zone. */
const formerServer = (
  address: string,
  names: string,
) => `printf '#!/bin/sh\\nexit 101\\n' > /usr/sbin/policy-rc.d; chmod 755 /usr/sbin/policy-rc.d
  apt-get update -qq; apt-get install --yes --no-install-recommends nginx-light bind9-dnsutils unbound >/dev/null; rm /usr/sbin/policy-rc.d
  cat > /etc/unbound/unbound.conf <<'END'
server:
  interface: ${address}@5353
  access-control: 0.0.0.0/0 allow
  do-not-query-localhost: no
  module-config: "iterator"
  local-zone: "old-static.example." static
  local-zone: "also-static.example." static
  local-zone: "old-closed.example." static
remote-control:
  control-enable: yes
  control-use-cert: no
  control-interface: /run/unbound.ctl
stub-zone:
  name: "example"
  stub-addr: ${names}
END
  systemctl start nginx unbound`
