import { type ConfigFile, ConfigListing } from '@innkeeper/contract/agent/configs'
import type { Placed } from '@innkeeper/contract/agent/inPlace'
import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limits, poolOf } from '../../../test/fixtures.ts'
import { labDir, type Practice, practice } from '../../../test/practice.ts'
import { stateOf } from '../test/standing.ts'

const domain = 'joint.example'
const file = '/etc/nginx/sites-available/both'

const verdict = await can(labDir)
describe.skipIf(!verdict.able)(verdict.able ? 'in place and others' : `in place and others (${verdict.reason})`, () => {
  let p: Practice<Host>
  let before: string
  beforeAll(async () => {
    p = await practice(await openLab({ dir: labDir }), 'place-joints')
    await p.sh('sh', '-euc', handMade)
    before = await state()
  })
  afterAll(() => p?.end())

  const state = () => stateOf(p, '/etc/nginx /home/*/')
  const page = () => p.sh('curl', '-s', '-H', `Host: ${domain}`, `http://${p.host.address}/`)
  const secured = () => p.sh('curl', '-sk', '--resolve', `${domain}:443:${p.host.address}`, `https://${domain}/`)
  const placed = async () =>
    (await p.done('place.look', { username: 'dora', website: domain, phpVersion: '8.2' })).output as Placed
  const user = { username: 'dora', limits, adopted: true as const }
  const siteIn = ({ facts }: Placed) => ({
    ...{ domain, aliases: facts.serves, redirects: facts.redirects, root: facts.root, username: 'dora' },
    ...{ phpVersion: '8.2', state: 'active' as const, rules: { application: facts.application, ownRules: '' } },
    ...{ website: domain, seen: facts.seen },
  })
  const back = { task: 'undo' as const }
  /** The steps in their order, each with the number of its action. */
  const steps = async () => {
    const site = siteIn(await placed())
    return [
      ['nginx.ensure', {}, 6101],
      ['php.ensure', { phpVersion: '8.2' }, 6102],
      ['panel.rest', {}, 6103],
      ['system-user.ensure', user, 6104],
      ['php-pool.ensure', poolOf('dora'), 6105],
      ['place.take', site, 6106],
    ] as const
  }

  test('an agent killed in any step goes on, forwards and back', async () => {
    const all = await steps()
    for (const [name, input, id] of all) {
      for (const ms of [40, 150, 400, 900]) await p.killAfter(ms, name, { ...input }, { id })
      await p.done(name, input as never, { id, attempt: 9 })
      expect([name, await page(), await secured()]).toEqual([name, '<title>Joint</title>\n', '<title>Joint</title>\n'])
    }
    for (const [name, input, id] of all.toReversed()) {
      for (const ms of [40, 150, 400, 900]) await p.killAfter(ms, name, { ...input }, { id, ...back })
      await p.done(name, input as never, { id, attempt: 9, ...back })
      expect([name, await page(), await secured()]).toEqual([name, '<title>Joint</title>\n', '<title>Joint</title>\n'])
    }
    expect(await state()).toBe(before)
  })

  test('an account with more files than its plan allows is not taken over', async () => {
    await p.sh('sh', '-c', 'head -c 3000000 /dev/urandom > /home/dora/large; chown dora: /home/dora/large')
    expect((await placed()).usedMb).toBeGreaterThanOrEqual(3)
    const small = { ...user, limits: { ...limits, diskMb: 1 } }
    const { status, reason } = await p.op('system-user.ensure', small, { id: 6201 })
    expect([status, reason]).toEqual(['failed', expect.stringMatching(/^dora has \d MiB of files/)])
    await p.done('system-user.ensure', small, { id: 6201, ...back })
    await p.sh('rm', '/home/dora/large')
    expect(await state()).toBe(before)
  })

  test('limits that a panel has set are back after the undo, whatever the plan was meanwhile', async () => {
    await p.sh('sh', '-euc', quotas)
    const limitsHere = () => p.sh('cat', '/tmp/quotas')
    const panels = await limitsHere()
    const large = { ...user, limits: { ...limits, diskMb: 500 } }
    const resized = { username: 'dora', limits: { ...limits, diskMb: 900 } }
    for (const changes of [false, true]) {
      const id = changes ? 6220 : 6210
      await p.done('system-user.ensure', large, { id })
      expect(await limitsHere()).toContain(' 0 512000 0 1 0 0 ')
      if (changes) {
        await p.done('system-user.ensure', resized, { id: id + 1 })
        expect(await limitsHere()).toContain(' 0 921600 0 1 0 0 ')
        for (const attempt of [1, 2]) await p.done('system-user.ensure', resized, { id: id + 1, attempt, ...back })
        expect(await limitsHere()).toContain(' 0 512000 0 1 0 0 ')
        await p.done('system-user.ensure', resized, { id: id + 2 })
      }
      for (const attempt of [1, 2]) await p.done('system-user.ensure', large, { id, attempt, ...back })
      expect(await limitsHere()).toBe(panels)
      expect(await state()).toBe(before)
    }
    await p.sh('rm', '/usr/local/bin/findmnt', '/usr/local/bin/quotaon', '/usr/sbin/setquota', '/usr/bin/quota')
  })

  async function version(path: string) {
    const found = new Map<string, ConfigFile>()
    for (let after: string | undefined; ; ) {
      const page = ConfigListing.parse((await p.done('configs.list', after === undefined ? {} : { after })).output)
      for (const one of page.files) found.set(one.path, one)
      if (page.next === null) break
      after = page.next
    }
    const one = found.get(path)!
    const { output } = await p.done('configs.read', { files: [{ path, hash: one.hash! }], gone: [] })
    const [content] = (output as { contents: { content: string }[] }).contents
    const { kind, hash, seal, mode, owner, group, target } = one
    return { path, kind, hash, seal, mode, owner, group, target, content: content!.content }
  }

  test('a reset to the configuration before the adoption leaves what Innkeeper has written since', async () => {
    const former = await version(file)
    const all = await steps()
    for (const [name, input, id] of all) await p.done(name, input as never, { id: id + 200 })
    const now = await p.sh('cat', file)
    const reset = { service: 'nginx' as const, files: [former], remove: [] }
    // what Innkeeper has written since stays
    await p.done('configs.reset', reset, { id: 6401 })
    expect(await p.sh('cat', file)).toBe(now)
    expect(await page()).toBe('<title>Joint</title>\n')
    for (const [name, input, id] of all.toReversed()) await p.done(name, input as never, { id: id + 200, ...back })
    expect(await state()).toBe(before)
  })
})

/** The kernel of practice servers knows no quotas: four programs that answer as Debian's do, with a limit that a panel has set. */
const quotas = `put() { cat > "$1"; chmod 755 "$1"; }
echo '/home 8 700000 800000 0 1 5000 6000 0' > /tmp/quotas
  put /usr/local/bin/findmnt <<'END'
#!/bin/sh
echo '{"filesystems": [{"target": "/home", "fstype": "ext4", "options": "rw,relatime,quota,usrquota"}]}'
END
  put /usr/local/bin/quotaon <<'END'
#!/bin/sh
echo 'user quota on /home (/dev/vdb) is on'
END
  put /usr/bin/quota <<'END'
#!/bin/sh
cat /tmp/quotas
END
  put /usr/sbin/setquota <<'END'
#!/bin/sh
[ "$1 $2 $7" = '--user dora /home' ] && echo "/home 8 $3 $4 0 1 $5 $6 0" > /tmp/quotas
END`

const handMade = `printf '#!/bin/sh\\nexit 101\\n' > /usr/sbin/policy-rc.d; chmod 755 /usr/sbin/policy-rc.d
  apt-get install --yes nginx php8.2-fpm >/dev/null; rm /usr/sbin/policy-rc.d; useradd --create-home dora
  mkdir /home/dora/www; echo '<title>Joint</title>' > /home/dora/www/index.html; chown -R dora: /home/dora; chmod 755 /home/dora
  openssl req -x509 -newkey rsa:2048 -nodes -days 90 -subj /CN=${domain} -addext subjectAltName=DNS:${domain} -keyout /etc/nginx/joint.key -out /etc/nginx/joint.pem 2>/dev/null
  rm -f /etc/nginx/sites-enabled/*; cat > ${file} <<'END'
server { listen 80 default_server; server_name first.example; root /var/www/html; }
server { listen 80; listen 443 ssl; server_name ${domain}; root /home/dora/www; ssl_certificate /etc/nginx/joint.pem; ssl_certificate_key /etc/nginx/joint.key; }
END
  ln -s ${file} /etc/nginx/sites-enabled/both; nginx -t -q; systemctl restart nginx php8.2-fpm`
