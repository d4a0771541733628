import type { AdoptionView } from '@innkeeper/contract/recovery/adoptions/shapes'
import type { Host } from '@innkeeper/lab/host'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Authority, asNameServer, openAuthority, withAuthority } from './authority.ts'
import { freshHost } from './hosts.ts'
import { certificateShown } from './https.ts'
import { addOwner, ends } from './sites.ts'
import { openStage, type Stage } from './stage.ts'
import { takenOver } from './takenOver.ts'
import { until } from './until.ts'

const site = 'old-place.example'

describe('a server that is adopted to its end', withAuthority, () => {
  let stage: Stage
  let authority: Authority
  let old: Host
  let server: number
  let adoption: number

  beforeAll(async () => {
    stage = await openStage('adopted1')
    const { innkeeper, host } = stage
    // its name server is that of the authority and of Innkeeper
    await asNameServer(stage)
    authority = await openAuthority(stage, host.address)
    old = await freshHost(stage.lab, 'adopted2')
    await there(`printf '#!/bin/sh\\nexit 101\\n' > /usr/sbin/policy-rc.d; chmod 755 /usr/sbin/policy-rc.d
      apt-get install --yes nginx php8.2-fpm curl >/dev/null; rm /usr/sbin/policy-rc.d; rm -f /etc/nginx/sites-enabled/default
      mkdir -p /etc/nginx/sites-enabled; printf 'server { listen 80; server_name old-app.example; location / { proxy_pass http://127.0.0.1:3000; } }\\n' > /etc/nginx/sites-enabled/old.conf
      systemctl start nginx php8.2-fpm`)
    const made = await api('POST', '/cloud-management/servers', {
      ...{ name: old.name, type: 'adopted', address: old.address },
    })
    server = made.id
    await there(made.enrolment.command)
    await until('the machine is online', async () => {
      const view = await api('GET', `/cloud-management/servers/view/${server}`)
      return view.observed === 'online'
    })
    for (const domain of [site, 'old-app.example']) await zoneTo(domain, old.address)
    const { data, workflowId } = await api('POST', '/adoptions', { serverId: server })
    adoption = data.id
    await ends(innkeeper, workflowId, 'done')
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
  async function zoneTo(domain: string, content: string) {
    const zone = await api('POST', '/dns/zones', { domain })
    await ends(stage.innkeeper, zone.workflowId, 'done')
    const create = ['@', 'www'].map((name) => ({ name, type: 'A', ttl: 60, content }))
    const { workflowId } = await api('PATCH', '/dns/records', { zoneId: zone.id, create })
    await ends(stage.innkeeper, workflowId, 'done')
  }
  const view = (): Promise<AdoptionView> => api('GET', `/adoptions/${adoption}`)
  /** Has the names looked up now, and answers what still leads to the machine. */
  const elsewhere = async () => {
    await api('POST', `/adoptions/${adoption}/check`)
    const { elsewhere: found } = await until('the names are looked up', async () => {
      const now = await view()
      return now.checkedAt !== null && now
    })
    return (found ?? []).map(({ what, name }) => `${what} ${name}`).sort()
  }

  test('an authority renews the certificate of a website that was taken over where it lies', async () => {
    const userId = await addOwner(stage.innkeeper)
    const { items: plans } = await api('GET', '/system-user/plans')
    const plan = plans.find((one: { name: string }) => one.name === 'Business').id
    await takenOver(stage.innkeeper, { address: old.address, there }, { server, adoption, userId, plan })
    const before = await certificateShown(old.address, site)
    const [kept] = (await api('GET', `/ssl-controller/certificate?search=${site}`)).items
    await there(`rm -f /tmp/stop /tmp/visits; setsid sh -c 'while [ ! -e /tmp/stop ]; do
      curl -sk -o /dev/null -w "%{http_code}\\n" --resolve ${site}:443:${old.address} https://${site}/ >> /tmp/visits; sleep 0.1; done' >/dev/null 2>&1 </dev/null &`)
    const { workflowId } = await api('PATCH', `/ssl-controller/certificate/${kept.id}`, {})
    await ends(stage.innkeeper, workflowId, 'done')
    const visits = (await there('touch /tmp/stop; sort /tmp/visits | uniq -c')).split('\n')
    expect(visits).toEqual([expect.stringMatching(/^\d+ 200$/)])
    const after = await certificateShown(old.address, site)
    expect(after).not.toBe(before)
    expect(
      await there(
        `cat > /tmp/root.pem <<'END'\n${await authority.pebble.root()}\nEND\ncurl -s --cacert /tmp/root.pem --resolve ${site}:443:${old.address} https://${site}/`,
      ),
    ).toBe('a place of dora')
    expect((await api('GET', `/ssl-controller/certificate?search=${site}`)).items).toMatchObject([
      { autoRenew: true, fingerprint: after, status: 'active' },
    ])
  })

  test('the list of what is still elsewhere ends, and then the server is retired', async () => {
    // looked at once more: the machine has the application, and no website that is not in Innkeeper
    expect(await elsewhere()).toEqual([
      'record old-app.example',
      'record www.old-app.example',
      'website old-app.example',
    ])
    const { version } = await view()
    const { status, body } = await stage.innkeeper.call('POST', `/adoptions/${adoption}/retire`, { version })
    expect([status, body.message]).toEqual([422, expect.stringContaining('3 names and records still lead')])
    const zone = (await api('GET', '/dns/zones?search=old-app.example')).items[0]
    const { items } = await api('GET', `/dns/records?zoneId=${zone.id}&itemsPerPage=50`)
    const addresses = items.filter(({ type }: { type: string }) => type === 'A').map(({ id }: { id: number }) => id)
    await api('PATCH', '/dns/records', { zoneId: zone.id, delete: addresses })
    await until('no name leads there', async () => (await elsewhere()).length === 0)
    const now = await view()
    expect((await api('POST', `/adoptions/${adoption}/retire`, { version: now.version })).data.status).toBe('retired')
  })
})
