import { randomBytes } from 'node:crypto'
import type { OperationInput } from '@innkeeper/contract/agent/operations'
import { dsOf, makeKey } from '@innkeeper/contract/net/dns/dnskey'
import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { labDir, type Practice, practice } from '../../test/practice.ts'

type Zone = OperationInput<'dns-zone.ensure'>
const key = () => randomBytes(32).toString('base64')
const zoneKey = key()
const domain = 'options.example'

const verdict = await can(labDir)
describe.skipIf(!verdict.able)(verdict.able ? 'zone options' : `zone options (${verdict.reason})`, () => {
  let primary: Practice<Host>
  let copy: Practice<Host>
  let outside: Practice<Host>
  let serial = 10
  beforeAll(async () => {
    const lab = await openLab({ dir: labDir })
    primary = await practice(lab, 'options-1', 'dns')
    copy = await practice(lab, 'options-2', 'dns')
    outside = await practice(lab, 'options-3', 'dns')
    for (const p of [primary, copy, outside]) {
      await p.done('packages.ensure', { packages: ['pdns-server', 'pdns-backend-sqlite3', 'bind9-dnsutils'] })
      await p.done('powerdns.ensure', {})
    }
  })
  afterAll(async () => {
    await copy?.host.wipe()
    await outside?.host.wipe()
    await primary?.end()
  })

  const tell = async (more: Partial<Zone>) => {
    serial += 1
    const ns = { owner: domain, recordType: 'NS' as const, ttl: 300, contents: ['ns1.host.example.'] }
    const www = { owner: `www.${domain}`, recordType: 'A' as const, ttl: 300, contents: ['192.0.2.1'] }
    await primary.done('dns-zone.ensure', {
      ...{ domain, serial, sets: [ns, www], whole: true, signed: false, zoneKey },
      ...{ nameServer: 'ns1.host.example', hostmaster: 'hostmaster.host.example' },
      ...{ secondaries: [copy.host.address], ...more },
    })
    const signed = more.signed ?? false
    await copy.done('dns-zone.fetch', { domain, serial, signed, primary: primary.host.address, zoneKey })
  }
  const dig = async (p: Practice<Host>, ...words: string[]) =>
    (await primary.host.exec(['dig', '+time=2', '+tries=1', `@${p.host.address}`, ...words])).stdout

  test('the SOA record has the times of the zone', async () => {
    await tell({ soa: { refresh: 7200, retry: 600, expire: 1_209_600, minimum: 60 } })
    for (const p of [primary, copy])
      expect((await dig(p, '+short', domain, 'SOA')).trim()).toBe(
        `ns1.host.example. hostmaster.host.example. ${serial} 7200 600 1209600 60`,
      )
    await tell({})
    expect(await dig(copy, '+short', domain, 'SOA')).toContain(' 10800 3600 604800 300')
  })

  test('a name server outside transfers the zone by its own key, is notified, and is shut out when it leaves', async () => {
    const outsideKey = key()
    await tell({ outside: [outside.host.address], outsideKey })
    const transfer = async (secret: string, name = `transfer.${domain}`) =>
      (
        await outside.host.exec([
          ...['dig', '+time=2', '+tries=1', `@${primary.host.address}`, '-y', `hmac-sha256:${name}:${secret}`],
          ...[domain, 'AXFR'],
        ])
      ).stdout
    expect(await transfer(outsideKey)).toContain('192.0.2.1')
    expect(await transfer(key())).not.toContain('192.0.2.1')
    expect((await outside.host.exec(['dig', `@${primary.host.address}`, domain, 'AXFR'])).stdout).not.toContain(
      '192.0.2.1',
    )
    // a secondary as its owner would set it up
    await outside.sh('pdnsutil', 'create-secondary-zone', domain, primary.host.address)
    await outside.sh('pdnsutil', 'import-tsig-key', `transfer.${domain}`, 'hmac-sha256', outsideKey)
    await outside.sh('pdnsutil', 'activate-tsig-key', domain, `transfer.${domain}`, 'secondary')
    await outside.sh('systemctl', 'restart', 'pdns') // the running server does not notice changes by pdnsutil
    const arrived = () =>
      expect
        .poll(async () => (await dig(outside, '+short', domain, 'SOA')).split(' ')[2], {
          interval: 500,
        })
        .toBe(String(serial))
    await arrived() // PowerDNS requests the zone when it starts
    await tell({ outside: [outside.host.address], outsideKey })
    await arrived()
    await tell({})
    expect(await transfer(outsideKey)).not.toContain('192.0.2.1')
  })

  test('a signed zone proves absence on both servers by hashed or by plain names, as chosen', async () => {
    const made = await makeKey()
    const keys = JSON.stringify([{ ...made, active: true }])
    const believed = async (p: Practice<Host>, name: string) => {
      const [flags, protocol, algorithm, ...data] = made.dnskey.split(' ')
      const anchor = `trust-anchors { "${domain}." static-key ${flags} ${protocol} ${algorithm} "${data.join('')}"; };`
      await primary.sh('sh', '-c', `printf '%s' '${anchor}' >/tmp/options.anchors`)
      const asked = ['delv', `@${p.host.address}`, '-a', '/tmp/options.anchors', `+root=${domain}`, name, 'A']
      const ran = await primary.host.exec(asked)
      return ran.stdout + ran.stderr
    }
    for (const [nsec3, kind] of [
      [true, 'NSEC3'],
      [false, 'NSEC'],
      [true, 'NSEC3'],
    ] as const) {
      await tell({ signed: true, keys, nsec3 })
      for (const p of [primary, copy]) {
        const proof = async () => {
          const said = await dig(p, '+dnssec', `nobody.${domain}`, 'A')
          return said.match(/IN\s+(NSEC3?)\s/)?.[1] ?? said
        }
        await expect.poll(proof).toBe(kind) // PowerDNS keeps answers for a second
        expect(await believed(p, `nobody.${domain}`)).toContain('negative response, fully validated')
        expect(await believed(p, `www.${domain}`)).toContain('; fully validated')
      }
      if (nsec3) expect((await dig(primary, '+short', domain, 'NSEC3PARAM')).trim()).toBe('1 0 0 -')
    }
  })

  test('a signed zone publishes its DS record on both servers, and withdraws it', async () => {
    const made = await makeKey()
    const keys = JSON.stringify([{ ...made, active: true }])
    await tell({ signed: true, keys, cds: true })
    const [tag, algorithm, digest, hex = ''] = (await dsOf(domain, made.dnskey)).split(' ')
    for (const p of [primary, copy]) {
      const cds = (await dig(p, '+short', domain, 'CDS')).trim().replace(/ (?=[0-9A-Fa-f]+$)/, ' ')
      expect(
        cds
          .replace(/\s+/g, ' ')
          .toLowerCase()
          .replace(/(\d+ \d+ \d+) (.*)/, (_, head, rest) => `${head} ${rest.replaceAll(' ', '')}`),
      ).toBe(`${tag} ${algorithm} ${digest} ${hex}`)
      expect((await dig(p, '+short', domain, 'CDNSKEY')).replace(/\s+/g, '')).toBe(made.dnskey.replace(/\s+/g, ''))
    }
    await tell({ signed: true, keys, cds: false })
    expect((await dig(primary, '+short', domain, 'CDS')).trim()).toBe('')
  })
})
