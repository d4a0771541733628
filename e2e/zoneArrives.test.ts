import type { ZoneView } from '@innkeeper/contract/net/dns/calls'
import type { Host } from '@innkeeper/lab/host'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { letPass } from '../bin/pass.ts'
import { freshHost, onHosts } from './hosts.ts'
import { ends } from './sites.ts'
import { openStage, type Stage } from './stage.ts'
import { until } from './until.ts'

const zone = 'moved.registry'
const secret = 'bm90IGEgc2VjcmV0IGtleSBvZiBhbnlib2R5IQ=='

/** BIND has the registry and, at another address, the zone, both signed; unbound validates as resolvers of the internet do. */
describe('a signed zone of a foreign name server', onHosts, () => {
  let stage: Stage
  let other: Host
  beforeAll(async () => {
    stage = await openStage('arrives1')
    const { innkeeper, host } = stage
    await api('PATCH', `/cloud-management/servers/${stage.server}`, { type: 'all-in-one' })
    const repair = await api('POST', `/cloud-management/servers/${stage.server}/services/powerdns/repair`)
    await ends(innkeeper, repair.workflowId, 'done')
    other = await freshHost(stage.lab, 'arrives2')
    await there(nameServers(other.address, host.address))
    await innkeeper.kill()
    await innkeeper.start({ INNKEEPER_RESOLVER: `${other.address}:5353`, INNKEEPER_PRIVATE_TARGETS: other.address })
  })
  afterAll(async () => {
    await other?.wipe()
    await stage?.close()
  })

  const api = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
    stage.innkeeper.must(method, path, body)
  const there = async (script: string) => {
    const { code, stdout, stderr } = await other.exec(['sh', '-euc', script])
    if (code !== 0) throw new Error(`${stdout}${stderr}`)
    return stdout.trim()
  }
  /** `NOERROR ad 192.0.2.80`: how a validating resolver answers. */
  const resolved = async () => {
    const said = await there(`dig @${other.address} -p 5353 www.${zone} A +dnssec +noall +comments +answer || true`)
    const address = /\sA\s+([\d.]+)/.exec(said)?.[1] ?? 'nothing'
    return `${/status: (\w+)/.exec(said)?.[1]}${/flags:[^;]* ad[ ;]/.test(said) ? ' ad' : ''} ${address}`
  }
  /** What the registry has for the zone. */
  const delegate = (lines: string) => there(`registry '${lines}'`)
  const view = async (): Promise<ZoneView> => {
    const { items } = await api('GET', `/dns/zones?search=${zone}`)
    return api('GET', `/dns/zones/${items[0].id}`)
  }
  const sign = async (dnssec: boolean) => {
    const { id, version } = await view()
    return stage.innkeeper.call('PATCH', `/dns/zones/${id}`, { version, dnssec })
  }
  const transferred = () =>
    api('POST', '/dns/zones/transfer', { domain: zone, host: other.address, keyName: 'mover', secret })

  test('goes unsigned, moves, is signed here and goes unsigned again, and no resolver refuses it on the way', async () => {
    await until('the zone is valid where it is', async () => (await resolved()) === 'NOERROR ad 192.0.2.80')
    const first = await transferred()
    expect(first).toMatchObject({ signed: true, trusted: expect.stringMatching(/still has a DS record/) })
    expect(first.zoneFile).not.toMatch(/RRSIG|NSEC|DNSKEY|CDS/)
    const made = await api('POST', '/dns/zones', { domain: zone, zoneFile: first.zoneFile })
    await ends(stage.innkeeper, made.workflowId, 'done')
    // the trap: delegated too early, every validating resolver refuses the zone
    const [here, old] = [`${zone}. 2 NS ns-new.registry.`, `${zone}. 2 NS ns1.registry.`]
    const ds = await there('cat /tmp/ds')
    await delegate(`${here}\n${ds}`)
    await until('resolvers refuse it', async () => (await resolved()).startsWith('SERVFAIL'))
    await delegate(`${old}\n${ds}`)
    await until('it is valid again', async () => (await resolved()) === 'NOERROR ad 192.0.2.80')

    // as the form says: remove the DS at the registry, wait until no resolver expects signatures, then move
    await delegate(old)
    await until('no resolver expects signatures', async () => (await transferred()).trusted === null)
    await delegate(here)
    await until(
      'the zone is answered here',
      async () => (await there(`dig +short @${stage.host.address} ${zone} SOA`)) !== '',
    )
    await until('resolvers have it unsigned', async () => (await resolved()) === 'NOERROR 192.0.2.80')
    expect((await there(`dig @${other.address} -p 5353 ${zone} NS +short`)).split('\n')).not.toContain('')

    expect((await sign(true)).status).toBe(200)
    const signed = await until('keys are there', async () => {
      const now = await view()
      return now.ds.length > 0 && now
    })
    await until('the zone is signed here', async () =>
      (await there(`dig @${stage.host.address} ${zone} SOA +dnssec`)).includes('RRSIG'),
    )
    expect(await resolved()).toBe('NOERROR 192.0.2.80')
    await delegate(`${here}\n${signed.ds.map((one) => `${zone}. 2 DS ${one.replace(/^.*\sDS\s+/, '')}`).join('\n')}`)
    await until('resolvers trust it', async () => (await resolved()) === 'NOERROR ad 192.0.2.80')
    // back: refused while the registry has its DS record
    const { status, body } = await sign(false)
    expect([status, body.message]).toEqual([422, expect.stringMatching(/still has a DS record/)])
    expect(await resolved()).toBe('NOERROR ad 192.0.2.80')
    await delegate(here)
    await letPass(4000, 'the TTL of the DS record is over at every resolver, as the refusal says')
    await until('it may be unsigned', async () => (await sign(false)).status === 200)
    await until(
      'it is unsigned here',
      async () => !(await there(`dig @${stage.host.address} ${zone} SOA +dnssec`)).includes('RRSIG'),
    )
    expect(await resolved()).toBe('NOERROR 192.0.2.80')
  })
})

const nameServers = (
  address: string,
  here: string,
) => `printf '#!/bin/sh\\nexit 101\\n' > /usr/sbin/policy-rc.d; chmod 755 /usr/sbin/policy-rc.d
  apt-get update -qq; apt-get install --yes --no-install-recommends bind9 bind9-dnsutils bind9-utils unbound >/dev/null; rm /usr/sbin/policy-rc.d
  cat > /etc/bind/named.conf <<'END'
options { directory "/var/cache/bind"; listen-on { ${address}; 127.0.0.1; }; listen-on-v6 { none; }; recursion no; dnssec-validation no; allow-transfer { none; }; };
key "mover" { algorithm hmac-sha256; secret "${secret}"; };
view "registry" { match-destinations { 127.0.0.1; };
  zone "registry" { type primary; file "/var/lib/bind/registry"; dnssec-policy default; inline-signing yes; }; };
view "customers" {
  zone "${zone}" { type primary; file "/var/lib/bind/moved"; dnssec-policy default; inline-signing yes; allow-transfer { key mover; }; }; };
END
  cat > /usr/local/bin/registry <<'END'
#!/bin/sh
serial=$(( $(cat /tmp/serial 2>/dev/null || echo 0) + 1 )); echo $serial > /tmp/serial
cat > /var/lib/bind/registry <<TEXT
\\$TTL 2
@ SOA ns1.registry. hostmaster.registry. $serial 60 60 600 2
@ NS ns1.registry.
ns1 A ${address}
ns-new A ${here}
$1
TEXT
rndc reload registry IN registry >/dev/null 2>&1 || true
END
  chmod 755 /usr/local/bin/registry
  printf '$TTL 2\\n@ SOA ns1.registry. hostmaster.registry. 1 60 60 600 2\\n@ NS ns1.registry.\\nwww A 192.0.2.80\\n@ MX 10 mail.registry.\\n@ TXT "v=spf1 -all"\\n' > /var/lib/bind/moved
  registry '${zone}. 2 NS ns1.registry.'; chown bind /var/lib/bind/*; systemctl start named
  key() { dig "@$1" "$2" DNSKEY +short | grep '^257' || true; }
  while [ -z "$(key 127.0.0.1 registry)" ] || [ -z "$(key ${address} ${zone})" ]; do sleep 0.2; done
  dig @${address} ${zone} DNSKEY +noall +answer | dnssec-dsfromkey -2 -f - ${zone} | sed 's/ IN DS / 2 DS /' > /tmp/ds
  registry "${zone}. 2 NS ns1.registry.
$(cat /tmp/ds)"
  dig @127.0.0.1 registry DNSKEY +noall +answer | grep -w 257 > /tmp/anchor
  cat > /etc/unbound/unbound.conf <<'END'
server:
  interface: ${address}@5353
  access-control: 0.0.0.0/0 allow
  module-config: "validator iterator"
  trust-anchor-file: /tmp/anchor
  cache-max-ttl: 2
  cache-max-negative-ttl: 1
  infra-host-ttl: 1
  val-bogus-ttl: 1
  chroot: ""
  do-not-query-localhost: no
stub-zone:
  name: "registry"
  stub-addr: 127.0.0.1
END
  systemctl restart unbound`
