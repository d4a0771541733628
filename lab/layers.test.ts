import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Host } from './host.ts'
import type { Lab } from './lab.ts'
import { layerFolder, layerHost, layers } from './layers.ts'
import { imagesDir } from './places.ts'
import { onHosts, scratchLab } from './testing.ts'

describe('a layer of installed packages', onHosts, () => {
  let lab: Lab
  let hosts: Host[]
  const sh = async (host: Host, line: string) => (await host.exec(['sh', '-c', line])).stdout.trim()

  beforeAll(async () => {
    lab = await scratchLab()
    hosts = await Promise.all([lab.up('one', 'mail'), lab.up('two', 'mail')])
  })
  afterAll(async () => {
    await lab?.wipe()
  })

  test('gives a host the packages, and starts no service', async () => {
    for (const host of hosts) {
      const installed = await sh(host, `dpkg-query -W -f '\${db:Status-Status}\\n' ${layers.mail.join(' ')} | sort -u`)
      expect(installed).toBe('installed')
      expect(await sh(host, 'systemctl list-units --type=service --state=running --plain --no-legend')).not.toMatch(
        /postfix|dovecot/,
      )
      expect(await sh(host, 'find /var/lib/apt/lists -type f -size +0')).toBe('')
    }
  })

  test('leaves each host its own name, keys and number', async () => {
    for (const what of ['cat /etc/machine-id', 'hostname', 'cat /etc/ssl/private/ssl-cert-snakeoil.key']) {
      const [one, two] = await Promise.all(hosts.map((host) => sh(host, what)))
      expect(one).toBeTruthy()
      expect(one, what).not.toBe(two)
    }
    for (const host of hosts) {
      const subject = await sh(host, 'openssl x509 -noout -subject -in /etc/ssl/certs/ssl-cert-snakeoil.pem')
      expect(subject).toBe(`subject=CN = ${host.name}`)
      expect(await sh(host, `grep -rIl ${layerHost} /etc`)).toBe('')
    }
  })

  test('keeps nothing that a host writes, deletes or installs', async () => {
    const [one, two] = hosts as [Host, Host]
    await sh(one, 'rm /etc/postfix/master.cf; echo changed >/etc/postfix/here')
    expect(await sh(two, 'ls /etc/postfix/master.cf /etc/postfix/here')).toBe('/etc/postfix/master.cf')
    await one.wipe()
    const folder = await layerFolder(imagesDir(), await lab.image(), 'mail')
    const kept = await readdir(join(folder, 'etc/postfix'))
    expect([kept.includes('master.cf'), kept.includes('here')]).toEqual([true, false])
    expect(existsSync(`${folder}.new`)).toBe(false)
  })
})
