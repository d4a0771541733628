import type { Placed } from '@innkeeper/contract/agent/inPlace'
import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limits, poolOf } from '../../../test/fixtures.ts'
import { labDir, type Practice, practice } from '../../../test/practice.ts'
import { stateOf, visitsOf } from '../test/standing.ts'

const sites = ['hand.example', 'pages.example', 'shop.example'] as const
const tls = 'tls.example'
type Site = (typeof sites)[number] | typeof tls
const ids: Record<Site, number> = { 'hand.example': 7100, 'pages.example': 7200, 'shop.example': 7300, [tls]: 7400 }

const verdict = await can(labDir)
describe.skipIf(!verdict.able)(verdict.able ? 'in place' : `in place (${verdict.reason})`, () => {
  let p: Practice<Host>
  let before: string
  beforeAll(async () => {
    p = await practice(await openLab({ dir: labDir }), 'in-place')
    await p.sh('sh', '-euc', handMade)
    before = await state()
    await p.sh('sh', '-euc', visitors(p.host.address))
  })
  afterAll(() => p?.end())

  /** Everything that people have set up: contents, modes and owners. */
  const state = () => stateOf(p, '/etc/nginx /etc/php /etc/cron.d /var/spool/cron /home/*/')
  const visits = () => visitsOf(p)
  const placed = async (website: Site, as?: { site: ReturnType<typeof siteOf> }) => {
    const { output } = await p.done('place.look', {
      ...{ username: 'carol', website, phpVersion: '8.2' },
      ...(as && { as: { ...as, pool: poolOf('carol'), limits } }),
    })
    return output as Placed
  }
  const siteOf = (domain: Site, { facts }: Placed) => ({
    ...{ domain, aliases: facts.serves, redirects: facts.redirects, root: facts.root, username: 'carol' },
    ...{ phpVersion: '8.2', state: 'active' as const, rules: { application: facts.application, ownRules: '' } },
  })
  const take = async (domain: Site) => {
    const facts = await placed(domain)
    const id = ids[domain]
    await p.done('nginx.ensure', {}, { id })
    await p.done('php.ensure', { phpVersion: '8.2' }, { id: id + 1 })
    await p.done('panel.rest', {}, { id: id + 2 })
    await p.done('system-user.ensure', { username: 'carol', limits, adopted: true }, { id: id + 3 })
    await p.done('php-pool.ensure', poolOf('carol'), { id: id + 4 })
    const site = { ...siteOf(domain, facts), website: domain, seen: facts.facts.seen }
    await p.done('place.take', site, { id: id + 5 })
    return site
  }
  const undo = async (domain: Site, site: Awaited<ReturnType<typeof take>>) => {
    const id = ids[domain]
    const back = { task: 'undo' as const }
    await p.done('place.take', site, { id: id + 5, ...back })
    await p.done('php-pool.ensure', poolOf('carol'), { id: id + 4, ...back })
    await p.done('system-user.ensure', { username: 'carol', limits, adopted: true }, { id: id + 3, ...back })
    await p.done('panel.rest', {}, { id: id + 2, ...back })
    await p.done('php.ensure', { phpVersion: '8.2' }, { id: id + 1, ...back })
    await p.done('nginx.ensure', {}, { id, ...back })
  }

  test('the plan shows each file before and after, and looks change nothing', async () => {
    const first = await placed('hand.example')
    expect(first.facts).toMatchObject({
      ...{ root: '/home/carol/app/public', phpVersion: '8.2', obstacles: [], serves: [], lost: ['expires 7d'] },
      ...{ redirects: ['www.hand.example'], application: 'front-controller' },
    })
    const shown = await placed('hand.example', { site: siteOf('hand.example', first) })
    expect(shown.facts).toEqual(first.facts)
    const two = shown.changes.find(({ file }) => file === '/etc/nginx/sites-available/two')
    expect(two?.before).toContain('server_name hand.example')
    expect(two?.after).not.toContain('hand.example;')
    expect(two?.after).toContain('server_name shop.example')
    expect(shown.changes.find(({ file }) => file === '/etc/nginx/innkeeper/sites/hand.example.conf')).toMatchObject({
      before: null,
      after: expect.stringContaining('root /home/carol/app/public'),
    })
    expect(shown.changes.find(({ file }) => file.endsWith('crontabs/dave'))?.after).toContain(
      '#innkeeper# */5 * * * * sudo /usr/local/hestia/bin/v-update-sys-queue',
    )
    expect(shown.acts.join()).toContain('/home/carol: mode 755 becomes 710')
    expect((await placed('hand.example')).facts.seen).toBe(first.facts.seen)
    expect(await state()).toBe(before)
  })

  test('what in place does not take is named', async () => {
    const why = async (website: string, username: string) => {
      const { output } = await p.done('place.look', { username, website, phpVersion: '8.2' })
      return (output as Placed).facts.obstacles.join('\n')
    }
    expect(await why('closed.example', 'dave')).toContain('It asks for a password: auth_basic')
    expect(await why('shared.example', 'shared')).toContain('shared, which is no account of a customer')
    expect(await why('mixed.example', 'dave')).toContain(
      '/home/dave/mixed/theirs.txt does not belong to dave, and the website could not change it any more',
    )
    expect(await p.op('place.look', { username: 'carol', website: 'nobody.example' })).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('this machine has no website nobody.example of carol'),
    })
  })

  test('websites are taken over one by one, then all at once, one goes back alone, and all go back byte for byte', async () => {
    for (const round of [1, 2]) {
      const taken = new Map<Site, Awaited<ReturnType<typeof take>>>()
      if (round === 1) for (const domain of sites) taken.set(domain, await take(domain))
      // two of them are in one file: neither brings the other back
      else await Promise.all(sites.map(async (domain) => taken.set(domain, await take(domain))))
      expect(await p.sh('cat', '/etc/nginx/sites-available/two')).toBe(
        `# two websites\n# Innkeeper serves hand.example, part 1\n\n# Innkeeper serves hand.example, part 2\n\n# Innkeeper serves shop.example, part 1\n# the end\n`,
      )
      if (round === 2) {
        await Promise.all(sites.map((domain) => undo(domain, taken.get(domain)!)))
        expect(await state()).toBe(before)
        continue
      }
      expect((await p.get('hand.example', '/any/path')).body).toBe('by hand, 4, carol')
      expect((await p.get('pages.example')).body).toBe('<title>Pages</title>\n')
      expect(await p.sh('cat', '/var/spool/cron/crontabs/dave')).toContain('#innkeeper# */5')
      expect(
        await p.op('place.take', { ...taken.get('shop.example')!, seen: 'a'.repeat(64) }, { id: 7999 }),
      ).toMatchObject({ status: 'failed', reason: expect.stringContaining('was taken over before') })

      await undo('hand.example', taken.get('hand.example')!)
      expect((await p.get('hand.example', '/any/path')).body).toBe('by hand, 4, carol')
      expect(await p.sh('cat', '/etc/nginx/sites-available/two')).toContain('# Innkeeper serves shop.example, part 1')
      expect(await p.sh('sh', '-c', 'ls /etc/nginx/innkeeper/sites')).toBe('pages.example.conf\nshop.example.conf\n')
      await p.sh('nginx', '-t', '-q')
      // a restart ends connections for a moment, which is not what this test is about
      await expect.poll(visits).toEqual([expect.stringMatching(/^\d{3,} 200$/)])
      await p.sh('sh', '-c', 'touch /tmp/stop; sleep 1; systemctl restart nginx')
      await p.sh('sh', '-euc', visitors(p.host.address))
      for (const domain of sites) expect((await p.get(domain)).status).toBe(200)
      for (const domain of ['pages.example', 'shop.example'] as const) await undo(domain, taken.get(domain)!)
      expect(await state()).toBe(before)
    }
  })

  test('a certificate, and the way to https, stay as they are', async () => {
    const { address } = p.host
    const answers = () =>
      p.sh(
        'sh',
        '-euc',
        `curl -s -o /dev/null -w '%{http_code} %{redirect_url}\n' --resolve ${tls}:80:${address} http://${tls}/a
        curl -sk --resolve ${tls}:443:${address} https://${tls}/
        openssl s_client -connect ${address}:443 -servername ${tls} </dev/null 2>/dev/null | openssl x509 -noout -fingerprint`,
      )
    const was = await answers()
    expect(was).toContain(`301 https://${tls}/a\n<title>Secret</title>`)
    const site = await take(tls)
    expect(await answers()).toBe(was)
    expect(await p.sh('cat', `/etc/nginx/innkeeper/tls/${tls}.conf`)).toContain('/etc/innkeeper/tls/')
    await undo(tls, site)
    expect(await answers()).toBe(was)
    expect(await state()).toBe(before)
  })

  test('no visitor saw an error meanwhile', async () => {
    await expect.poll(visits).toEqual([expect.stringMatching(/^\d{3,} 200$/)])
    await p.sh('sh', '-c', 'touch /tmp/stop; sleep 1')
    expect(await visits()).toEqual([expect.stringMatching(/^\d{3,} 200$/)])
  })

  // the website is compared once the web server has taken it: until it goes back, visitors may see what would change
  test('a website that would answer otherwise goes back by itself', async () => {
    const found = await placed('hand.example')
    await p.done('nginx.ensure', {})
    await p.done('system-user.ensure', { username: 'carol', limits, adopted: true }, { id: 7003 })
    await p.done('php-pool.ensure', poolOf('carol'), { id: 7004 })
    const site = { ...siteOf('hand.example', found), website: 'hand.example', seen: found.facts.seen }
    const other = { ...site, rules: { application: 'files' as const, ownRules: '' } }
    expect(await p.op('place.take', other, { id: 7005 })).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('would change for its visitors'),
    })
    expect((await p.get('hand.example', '/any/path')).body).toBe('by hand, 4, carol')
    await p.done('place.take', other, { id: 7005, task: 'undo' })
    await p.sh(
      'sh',
      '-c',
      "sed -i 's/# the end/# the very end/; s/index index.php/index index.php index.html/' /etc/nginx/sites-available/two",
    )
    expect(await p.op('place.take', site, { id: 7006 })).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('has changed since it was shown'),
    })
  })
})

const visitors = (address: string) => `rm -f /tmp/stop /tmp/visits.*; for name in ${sites.join(' ')}; do
  setsid sh -c "while [ ! -e /tmp/stop ]; do curl -s -o /dev/null -w '%{http_code}\\n' -H 'Host: $name' http://${address}/ >> /tmp/visits.$name; sleep 0.1; done" >/dev/null 2>&1 </dev/null & done`

/** Websites of several owners in a hand-made nginx, with PHP, cron jobs of theirs, and one of a panel. */
const handMade = `printf '#!/bin/sh\\nexit 101\\n' > /usr/sbin/policy-rc.d; chmod 755 /usr/sbin/policy-rc.d
  apt-get install --yes nginx php8.2-fpm >/dev/null; rm /usr/sbin/policy-rc.d; useradd --create-home carol; useradd --create-home dave; useradd --system shared
  mkdir -p /home/carol/app/public /home/carol/pages /home/carol/shop /home/dave/closed /home/dave/mixed /srv/shared /var/spool/cron/crontabs
  echo "<?php echo 'by hand, 4, ' . posix_getpwuid(posix_geteuid())['name'];" > /home/carol/app/public/index.php
  echo '<title>Pages</title>' > /home/carol/pages/index.html; echo '<title>Shop</title>' > /home/carol/shop/index.html
  echo mixed > /home/dave/mixed/index.html; echo closed > /home/dave/closed/index.html; echo shared > /srv/shared/index.html
  mkdir /home/carol/tls; echo '<title>Secret</title>' > /home/carol/tls/index.html
  openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=tls.example -addext subjectAltName=DNS:tls.example -keyout /etc/nginx/tls.key -out /etc/nginx/tls.pem 2>/dev/null
  chown -R carol: /home/carol; chown -R dave: /home/dave; chown -R shared: /srv/shared; echo x > /home/dave/mixed/theirs.txt
  chmod 755 /home/carol /home/dave; rm -f /etc/nginx/sites-enabled/*; cd /etc/nginx/sites-available
  printf '[carol]\\nuser = carol\\nlisten = /run/carol.sock\\nlisten.mode = 0666\\npm = ondemand\\npm.max_children = 4\\n' > /etc/php/8.2/fpm/pool.d/carol.conf
  cat > two <<'END'
# two websites
server {
  listen 80; server_name hand.example; root /home/carol/app/public; index index.php; # a comment with a }
  location / { try_files $uri $uri/ /index.php?$args; }
  location ~* [.]png$ { expires 7d; }
  location ~ [.]php$ { include snippets/fastcgi-php.conf; fastcgi_pass unix:/run/carol.sock; }
}
server { listen 80; server_name www.hand.example; return 301 http://hand.example$request_uri; }
server { listen 80; server_name shop.example; root /home/carol/shop; }# the end
END
  printf 'server { listen 80; server_name pages.example; root /home/carol/pages; location / { try_files $uri $uri/ =404; } }' > pages
  printf 'server { listen 80; server_name closed.example; root /home/dave/closed; auth_basic "who?"; auth_basic_user_file /etc/nginx/nginx.conf; }\\nserver { listen 80; server_name mixed.example; root /home/dave/mixed; }\\nserver { listen 80; server_name shared.example; root /srv/shared; }\\n' > others
  printf 'server { listen 80; server_name tls.example; return 301 https://$host$request_uri; }\\nserver { listen 443 ssl; server_name tls.example; root /home/carol/tls; ssl_certificate /etc/nginx/tls.pem; ssl_certificate_key /etc/nginx/tls.key; }\\n' > tls
  for one in two pages others tls; do ln -s ../sites-available/$one /etc/nginx/sites-enabled/$one; done
  chmod 640 two; chown root:adm two
  printf '7 2 * * * php /home/carol/app/job.php\\n' > /var/spool/cron/crontabs/carol
  printf '*/5 * * * * sudo /usr/local/hestia/bin/v-update-sys-queue restart\\n9 9 * * * true\\n' > /var/spool/cron/crontabs/dave
  chmod 600 /var/spool/cron/crontabs/*; chown carol:root /var/spool/cron/crontabs/carol; chown dave:root /var/spool/cron/crontabs/dave
  nginx -t -q; systemctl restart nginx php8.2-fpm`
