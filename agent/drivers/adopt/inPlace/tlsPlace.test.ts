import type { Placed } from '@innkeeper/contract/agent/inPlace'
import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { made } from '../../../test/certificates.ts'
import { limits, poolOf } from '../../../test/fixtures.ts'
import { labDir, type Practice, practice } from '../../../test/practice.ts'
import { stateOf, visitsOf } from '../test/standing.ts'

const sites = ['split.example', 'bot.example'] as const
type Site = (typeof sites)[number]
const ids: Record<Site, number> = { 'split.example': 9100, 'bot.example': 9200 }
const six = 'fd00:77:39::1'

const verdict = await can(labDir)
describe.skipIf(!verdict.able)(verdict.able ? 'in place over https' : `in place over https (${verdict.reason})`, () => {
  let p: Practice<Host>
  let before: string
  beforeAll(async () => {
    p = await practice(await openLab({ dir: labDir }), 'tls-place')
    await p.sh('sh', '-euc', secure)
    before = await state()
    await p.sh('sh', '-euc', visitors(p.host.address))
  })
  afterAll(() => p?.end())

  const state = () => stateOf(p, '/etc/nginx /etc/letsencrypt /home/*/')
  const visits = () => visitsOf(p)
  /** What a visitor gets by each way: statuses, redirects, pages and certificates. */
  const answers = async (domain: Site) =>
    p.sh(
      'sh',
      '-euc',
      `for at in ${p.host.address} [${six}]; do
        curl -s -g -o /dev/null -w '%{http_code} %{redirect_url}\\n' --resolve "${domain}:80:$at" http://${domain}/a
        curl -sk -g --resolve "${domain}:443:$at" https://${domain}/
        openssl s_client -connect "$at:443" -servername ${domain} </dev/null 2>/dev/null | openssl x509 -noout -fingerprint; done`,
    )
  const placed = async (website: string) =>
    (await p.done('place.look', { username: 'carol', website, phpVersion: '8.2' })).output as Placed
  const back = { task: 'undo' as const }
  const take = async (domain: Site) => {
    const { facts } = await placed(domain)
    expect(facts.obstacles).toEqual([])
    const id = ids[domain]
    await p.done('nginx.ensure', {}, { id })
    await p.done('php.ensure', { phpVersion: '8.2' }, { id: id + 1 })
    await p.done('panel.rest', {}, { id: id + 2 })
    await p.done('system-user.ensure', { username: 'carol', limits, adopted: true }, { id: id + 3 })
    await p.done('php-pool.ensure', poolOf('carol'), { id: id + 4 })
    const site = {
      ...{ domain, aliases: facts.serves, redirects: facts.redirects, root: facts.root, username: 'carol' },
      ...{ phpVersion: '8.2', state: 'active' as const, rules: { application: facts.application, ownRules: '' } },
      ...{ website: domain, seen: facts.seen },
    }
    const { output } = await p.done('place.take', site, { id: id + 5 })
    return { site, output }
  }
  const undo = async (domain: Site, { site }: Awaited<ReturnType<typeof take>>) => {
    const id = ids[domain]
    await p.done('place.take', site, { id: id + 5, ...back })
    await p.done('php-pool.ensure', poolOf('carol'), { id: id + 4, ...back })
    await p.done('system-user.ensure', { username: 'carol', limits, adopted: true }, { id: id + 3, ...back })
    await p.done('panel.rest', {}, { id: id + 2, ...back })
    await p.done('php.ensure', { phpVersion: '8.2' }, { id: id + 1, ...back })
    await p.done('nginx.ensure', {}, { id, ...back })
  }

  test('the certificate of a website is found where another server has it, and a redirect to https is not lost', async () => {
    expect((await placed('split.example')).facts).toMatchObject({
      ...{ obstacles: [], lost: [], renews: true, until: expect.any(String), serves: ['www.split.example'] },
    })
    expect((await placed('bot.example')).facts).toMatchObject({ obstacles: [], lost: [], renews: false, redirects: [] })
    expect(await state()).toBe(before)
  })

  test('what would change a certificate keeps the website where it is', async () => {
    expect((await placed('two.example')).facts.obstacles).toContain(
      'Its name www.two.example shows another certificate: order one for all its names first',
    )
    expect((await placed('locked.example')).facts.obstacles).toContain(
      'It answers over https with a certificate that cannot be read, or whose key asks for a passphrase',
    )
  })

  test('both websites keep their certificates over both kinds of addresses, and go back', async () => {
    const was = { 'split.example': await answers('split.example'), 'bot.example': await answers('bot.example') }
    expect(was['split.example']).toMatch(/^(?:404 \n<title>Split<\/title>\nsha\d+ Fingerprint=\S+\n){2}$/i)
    expect(was['bot.example']).toMatch(
      /^(?:301 https:\/\/bot.example\/a\n<title>Bot<\/title>\nsha\d+ Fingerprint=\S+\n){2}$/i,
    )
    const split = await take('split.example')
    expect(split.output).toMatchObject({ redirect: false })
    for (const domain of sites) expect(await answers(domain)).toBe(was[domain])
    const bot = await take('bot.example')
    expect(bot.output).toMatchObject({ redirect: true })
    // a repeat answers the same
    expect((await p.done('place.take', bot.site, { id: ids['bot.example'] + 5 })).output).toMatchObject({
      redirect: true,
    })
    for (const domain of sites) expect(await answers(domain)).toBe(was[domain])
    const { output } = await p.done('place.certificate', { domain: 'split.example', reader: `${'B'.repeat(43)}=` })
    expect(output).toEqual({ sealed: expect.any(String) })
    // the next certificate is Innkeeper's
    const next = await made(p, 'split.example', 'www.split.example')
    const names = ['split.example', 'www.split.example']
    const install = { domain: 'split.example', names, redirect: false, hsts: 0, ...next }
    await p.done('tls-site.ensure', install, { id: 9300 })
    const renewed = await answers('split.example')
    expect(renewed.replace(/Fingerprint=.*/g, '')).toBe(was['split.example'].replace(/Fingerprint=.*/g, ''))
    expect(renewed).not.toBe(was['split.example'])
    await p.done('tls-site.ensure', install, { id: 9300, ...back })
    for (const domain of sites) expect(await answers(domain)).toBe(was[domain])
    await undo('split.example', split)
    for (const domain of sites) expect(await answers(domain)).toBe(was[domain])
    await undo('bot.example', bot)
    for (const domain of sites) expect(await answers(domain)).toBe(was[domain])
    expect(await state()).toBe(before)
    // the website that was taken first went back first: the last one takes away what all have in common
    expect(
      await p.sh(
        'sh',
        '-c',
        'find /etc/nginx -name "*innkeeper*" -not -path "/etc/nginx/innkeeper*"; ls /etc/nginx/innkeeper/sites',
      ),
    ).toBe('')
    await expect.poll(visits).toEqual([expect.stringMatching(/^ *\d{3,} 200$/)])
    await p.sh('sh', '-c', 'touch /tmp/stop; sleep 1')
    expect(await visits()).toEqual([expect.stringMatching(/^ *\d{3,} 200$/)])
  })

  test('a server that takes both kinds of addresses at once is named', async () => {
    await p.sh(
      'sh',
      '-euc',
      `cd /etc/nginx/sites-enabled; rm -f *; printf 'server { listen [::]:80 ipv6only=off; server_name split.example; root /home/carol/split; }' > one; nginx -t -q; systemctl stop nginx; systemctl reset-failed nginx; systemctl start nginx || { journalctl -n 20 -u nginx; ss -ltnp; nginx -T; exit 1; }`,
    )
    expect((await placed('split.example')).facts.obstacles.join()).toContain('It listens with ipv6only=off')
  })
})

const visitors = (
  address: string,
) => `rm -f /tmp/stop /tmp/visits.*; for name in ${sites.join(' ')}; do for at in ${address} '[${six}]'; do
  setsid sh -c "while [ ! -e /tmp/stop ]; do curl -sk -g -o /dev/null -w '%{http_code}\\n' --http1.1 --resolve '$name:443:$at' https://$name/ >> '/tmp/visits.$name.$at'; sleep 0.1; done" >/dev/null 2>&1 </dev/null & done; done`

/** Websites with certificates as certbot leaves them: folders of links, and servers of their own for https. */
const secure = `ip -6 addr add ${six}/64 dev lo
  printf '#!/bin/sh\\nexit 101\\n' > /usr/sbin/policy-rc.d; chmod 755 /usr/sbin/policy-rc.d
  apt-get install --yes nginx php8.2-fpm >/dev/null; rm /usr/sbin/policy-rc.d; useradd --create-home carol
  for one in split bot two locked; do mkdir /home/carol/$one; done
  echo '<title>Split</title>' > /home/carol/split/index.html; echo '<title>Bot</title>' > /home/carol/bot/index.html
  chown -R carol: /home/carol; chmod 755 /home/carol; rm -f /etc/nginx/sites-enabled/*; mkdir -p /tmp/ca; cd /tmp/ca
  openssl req -x509 -newkey rsa:2048 -nodes -days 900 -subj '/O=An authority/CN=A1' -keyout ca.key -out ca.pem 2>/dev/null
  leaf() { # name days names
    at=/etc/letsencrypt; mkdir -p $at/archive/$1 $at/live/$1
    openssl req -newkey rsa:2048 -nodes -subj /CN=$1 -keyout $at/archive/$1/privkey1.pem -out csr 2>/dev/null; echo "subjectAltName=$3" > ext
    openssl x509 -req -in csr -CA ca.pem -CAkey ca.key -CAcreateserial -days $2 -extfile ext -out leaf.pem 2>/dev/null
    cat leaf.pem ca.pem > $at/archive/$1/fullchain1.pem
    for one in privkey fullchain; do ln -s ../../archive/$1/\${one}1.pem $at/live/$1/$one.pem; done; }
  leaf split.example 90 DNS:split.example,DNS:www.split.example; leaf bot.example 365 DNS:bot.example
  leaf two.example 90 DNS:two.example; leaf www.two.example 90 DNS:www.two.example; leaf locked.example 90 DNS:locked.example
  openssl rsa -aes256 -passout pass:word -in /etc/letsencrypt/live/locked.example/privkey.pem -out /etc/nginx/locked.key 2>/dev/null; echo word > /etc/nginx/word
  cd /etc/nginx/sites-enabled; live=/etc/letsencrypt/live
  cat > split <<END
server { listen 80; listen [::]:80; server_name split.example www.split.example; root /home/carol/split; }
server {
  listen 443 ssl; listen [::]:443 ssl; server_name split.example www.split.example; root /home/carol/split;
  ssl_certificate $live/split.example/fullchain.pem; ssl_certificate_key $live/split.example/privkey.pem;
}
END
  cat > bot <<END
server {
  root /home/carol/bot; server_name bot.example; index index.html;
  listen [::]:443 ssl; # managed by Certbot
  listen 443 ssl; # managed by Certbot
  ssl_certificate $live/bot.example/fullchain.pem; # managed by Certbot
  ssl_certificate_key $live/bot.example/privkey.pem; # managed by Certbot
}
server {
  if (\\$host = bot.example) {
    return 301 https://\\$host\\$request_uri;
  } # managed by Certbot
  listen 80; listen [::]:80; server_name bot.example;
  return 404; # managed by Certbot
}
END
  cat > others <<END
server { listen 443 ssl; server_name two.example; root /home/carol/two; ssl_certificate $live/two.example/fullchain.pem; ssl_certificate_key $live/two.example/privkey.pem; }
server { listen 443 ssl; server_name www.two.example; return 301 https://two.example\\$request_uri; ssl_certificate $live/www.two.example/fullchain.pem; ssl_certificate_key $live/www.two.example/privkey.pem; }
server { listen 443 ssl; server_name locked.example; root /home/carol/locked; ssl_certificate $live/locked.example/fullchain.pem; ssl_certificate_key /etc/nginx/locked.key; ssl_password_file /etc/nginx/word; }
END
  nginx -t -q; systemctl restart nginx php8.2-fpm`
