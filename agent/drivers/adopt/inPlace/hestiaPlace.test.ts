import type { Placed } from '@innkeeper/contract/agent/inPlace'
import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limits, poolOf } from '../../../test/fixtures.ts'
import { labDir, type Practice, practice } from '../../../test/practice.ts'
import { visitsOf } from '../test/standing.ts'

const sites = ['one.example', 'two.example'] as const
type Site = (typeof sites)[number]
const ids: Record<Site, number> = { 'one.example': 8100, 'two.example': 8200 }

const verdict = await can(labDir)
describe.skipIf(!verdict.able)(
  verdict.able ? 'in place of HestiaCP' : `in place of HestiaCP (${verdict.reason})`,
  () => {
    let p: Practice<Host>
    let before: string
    beforeAll(async () => {
      p = await practice(await openLab({ dir: labDir }), 'hestiaplace')
      await p.sh('sh', '-euc', panel(p.host.address))
      before = await state()
      await p.sh('sh', '-euc', visitors(p.host.address))
    })
    afterAll(() => p?.end())

    const state = () =>
      p.sh(
        'sh',
        '-euc',
        `find /etc/nginx /etc/php /usr/local/hestia /etc/cron.d /var/spool/cron /home/*/ -xdev -not -path '*innkeeper*' -printf '%p %y %m %u %g %l\\n' | LC_ALL=C sort
      find /etc/nginx /etc/php /usr/local/hestia /var/spool/cron /home/*/ -xdev -type f -not -path '*innkeeper*' | LC_ALL=C sort | xargs -d '\\n' sha256sum; systemctl is-active hestia`,
      )
    const visits = () => visitsOf(p)
    const page = (domain: Site) => p.sh('curl', '-s', '-H', `Host: ${domain}`, `http://${p.host.address}/`)
    /** The page and the certificate of the website with TLS, over its one address. */
    const secured = () =>
      p.sh(
        'sh',
        '-euc',
        `curl -sk --resolve one.example:443:${p.host.address} https://one.example/; openssl s_client -connect ${p.host.address}:443 -servername one.example </dev/null 2>/dev/null | openssl x509 -noout -fingerprint`,
      )
    const placed = async (website: Site) =>
      (await p.done('place.look', { username: 'erin', website, phpVersion: '8.2' })).output as Placed
    const back = { task: 'undo' as const }
    const pool = poolOf('erin')
    const take = async (domain: Site) => {
      const { facts } = await placed(domain)
      expect(facts.obstacles).toEqual([])
      const id = ids[domain]
      await p.done('nginx.ensure', {}, { id })
      await p.done('php.ensure', { phpVersion: '8.2' }, { id: id + 1 })
      await p.done('panel.rest', {}, { id: id + 2 })
      await p.done('system-user.ensure', { username: 'erin', limits, adopted: true }, { id: id + 3 })
      await p.done('php-pool.ensure', pool, { id: id + 4 })
      const site = {
        ...{ domain, aliases: facts.serves, redirects: facts.redirects, root: facts.root, username: 'erin' },
        ...{ phpVersion: '8.2', state: 'active' as const, rules: { application: facts.application, ownRules: '' } },
        ...{ website: domain, seen: facts.seen },
      }
      await p.done('place.take', site, { id: id + 5 })
      return site
    }
    const undo = async (domain: Site, site: Awaited<ReturnType<typeof take>>) => {
      const id = ids[domain]
      await p.done('place.take', site, { id: id + 5, ...back })
      await p.done('php-pool.ensure', pool, { id: id + 4, ...back })
      await p.done('system-user.ensure', { username: 'erin', limits, adopted: true }, { id: id + 3, ...back })
      await p.done('panel.rest', {}, { id: id + 2, ...back })
      await p.done('php.ensure', { phpVersion: '8.2' }, { id: id + 1, ...back })
      await p.done('nginx.ensure', {}, { id, ...back })
    }

    test('its own templates are no obstacle, and what goes with them is named', async () => {
      const { facts } = await placed('one.example')
      expect(facts).toMatchObject({
        ...{ obstacles: [], root: '/home/erin/web/one.example/public_html', phpVersion: '8.2' },
        ...{ serves: ['www.one.example'], application: 'files', renews: false, until: expect.any(String) },
      })
      expect(facts.lost).toEqual(
        expect.arrayContaining(['location /vstats/ (of the panel)', 'location /error/ (of the panel)']),
      )
      expect((await placed('one.example')).facts).toEqual(facts)
      expect(await state()).toBe(before)
    })

    test('a website whose application lies around its pages, or beside them, is told', async () => {
      await p.sh(
        'sh',
        '-euc',
        'cd /home/erin/web/two.example; echo x > private/key; mkdir -p public_html/web; echo a > public_html/web/a; sed -i "/two.example/s/SUSPENDED/CUSTOM_DOCROOT=\'\\/home\\/erin\\/web\\/two.example\\/public_html\\/web\' SUSPENDED/" /usr/local/hestia/data/users/erin/web.conf',
      )
      expect((await placed('two.example')).facts.obstacles.join()).toContain(
        'Its application lies around its pages, in /home/erin/web/two.example/public_html',
      )
      await p.sh(
        'sh',
        '-euc',
        'cd /home/erin/web/two.example; rm private/key; rm -r public_html/web; sed -i "s/CUSTOM_DOCROOT=[^ ]* //" /usr/local/hestia/data/users/erin/web.conf',
      )
    })

    test('websites that listen on one address go over and back one by one, and the panel works again at the end', async () => {
      const was = await secured()
      expect(was).toMatch(/^one, erin\S* ?Fingerprint=/i)
      const one = await take('one.example')
      expect(await secured()).toBe(was)
      expect(await page('one.example')).toBe('one, erin')
      expect(await page('two.example')).toBe('two, erin')
      expect(
        await p.sh('sh', '-c', 'systemctl is-active hestia; cat /var/spool/cron/crontabs/hestiaweb; true'),
      ).toMatch(/^inactive\n#innkeeper# /)
      const two = await take('two.example')
      await undo('one.example', one)
      expect(await p.sh('sh', '-c', 'ls /etc/nginx/innkeeper/sites; systemctl is-active hestia; true')).toBe(
        'two.example.conf\ninactive\n',
      )
      for (const domain of sites) expect(await page(domain)).toContain(', erin')
      expect(await secured()).toBe(was)
      await undo('two.example', two)
      expect(await secured()).toBe(was)
      await expect.poll(visits).toEqual([expect.stringMatching(/^\d{3,} 200$/)])
      await p.sh('sh', '-c', 'touch /tmp/stop; sleep 1')
      expect(await visits()).toEqual([expect.stringMatching(/^\d{3,} 200$/)])
      expect(await state()).toBe(before)
    })
  },
)

const visitors = (address: string) => `rm -f /tmp/stop /tmp/visits.*; for name in ${sites.join(' ')}; do
  setsid sh -c "while [ ! -e /tmp/stop ]; do curl -s -o /dev/null -w '%{http_code}\\n' -H 'Host: $name' http://${address}/ >> /tmp/visits.$name; sleep 0.1; done" >/dev/null 2>&1 </dev/null & done`

/**
 * nginx and PHP as HestiaCP lays them out: a main file of its own, each server on the one address of the machine, records,
 * jobs and a service. Written after its documentation and templates, not with its programs.
 */
const panel = (ip: string) => `printf '#!/bin/sh\\nexit 101\\n' > /usr/sbin/policy-rc.d; chmod 755 /usr/sbin/policy-rc.d
  apt-get install --yes nginx php8.2-fpm >/dev/null; rm /usr/sbin/policy-rc.d; useradd --create-home erin; useradd --create-home hestiaweb
  rm -f /etc/nginx/sites-enabled/*; mkdir -p /var/spool/cron/crontabs /etc/nginx/conf.d/domains /etc/nginx/conf.d/main /var/log/nginx/domains /home/erin/tmp
  chown erin: /home/erin/tmp; chmod 755 /home/erin
  cat > /etc/nginx/nginx.conf <<'END'
user www-data; worker_processes auto; pid /run/nginx.pid; error_log /var/log/nginx/error.log;
include /etc/nginx/conf.d/main/*.conf; include /etc/nginx/modules-enabled/*.conf;
events { worker_connections 1024; multi_accept on; }
http {
  sendfile on; tcp_nopush on; client_max_body_size 1024m; keepalive_timeout 30s; server_tokens off;
  server_names_hash_max_size 512; server_names_hash_bucket_size 512; charset utf-8;
  fastcgi_buffers 512 4k; fastcgi_buffer_size 256k; fastcgi_busy_buffers_size 256k; fastcgi_temp_file_write_size 256k;
  log_format bytes '$body_bytes_sent'; log_not_found off; access_log off;
  include /etc/nginx/mime.types; default_type application/octet-stream;
  gzip on; gzip_vary on; gzip_comp_level 6; gzip_types text/css text/plain;
  ssl_session_cache shared:SSL:20m; ssl_protocols TLSv1.2 TLSv1.3;
  error_page 403 /error/404.html; error_page 404 /error/404.html; error_page 500 502 503 504 /error/50x.html;
  open_file_cache max=10000 inactive=30s; open_file_cache_valid 60s;
  include /etc/nginx/conf.d/*.conf; include /etc/nginx/conf.d/domains/*.conf;
}
END
  openssl req -x509 -newkey rsa:2048 -nodes -days 90 -subj /CN=one.example -addext subjectAltName=DNS:one.example,DNS:www.one.example -keyout /tmp/one.key -out /tmp/one.crt 2>/dev/null
  printf 'server { listen ${ip}:80 default_server; server_name _; access_log off; return 404; }\\n' > /etc/nginx/conf.d/${ip}.conf
  at=/usr/local/hestia/data/users/erin; mkdir -p $at/ssl $at/mail $at/dns /usr/local/hestia/bin; : > $at/web.conf
  printf "NAME='Erin' PACKAGE='default' CONTACT='erin@old.example' SUSPENDED='no'\\n" > $at/user.conf
  for name in one two; do
    site=$name.example; web=/home/erin/web/$site; conf=/home/erin/conf/web/$site
    mkdir -p $web/public_html $web/document_errors $web/stats $web/logs $web/private $conf
    echo "<?php echo '$name, ' . posix_getpwuid(posix_geteuid())['name'];" > $web/public_html/index.php
    echo gone > $web/document_errors/404.html; chown -R erin: $web; chown erin:www-data $web/public_html; chmod 751 $web/public_html
    ssl=no; [ $name = two ] || ssl=yes
    echo "DOMAIN='$site' IP='${ip}' ALIAS='www.$site' TPL='default' SSL='$ssl' BACKEND='PHP-8_2' SUSPENDED='no'" >> $at/web.conf
    printf '[%s]\\nlisten = /run/php/php8.2-fpm-%s.sock\\nlisten.owner = erin\\nlisten.group = www-data\\nlisten.mode = 0660\\nuser = erin\\ngroup = erin\\npm = ondemand\\npm.max_children = 8\\n' $site $site > /etc/php/8.2/fpm/pool.d/$site.conf
    cat > $conf/nginx.conf <<END
server {
  listen ${ip}:80;
  server_name $site www.$site;
  root $web/public_html; index index.php index.html index.htm;
  access_log /var/log/nginx/domains/$site.log combined; access_log /var/log/nginx/domains/$site.bytes bytes;
  error_log /var/log/nginx/domains/$site.error.log error;
  include $conf/nginx.forcessl.conf*;
  location ~ /[.](?!well-known/) { deny all; return 404; }
  location / {
    location ~* ^.+[.](jpeg|jpg|png|css|js)\\$ { expires max; fastcgi_hide_header "Set-Cookie"; }
    location ~ [^/][.]php(/|\\$) {
      fastcgi_param SCRIPT_FILENAME \\$document_root\\$fastcgi_script_name;
      if (!-f \\$document_root\\$fastcgi_script_name) { return 404; }
      fastcgi_pass unix:/run/php/php8.2-fpm-$site.sock; fastcgi_index index.php; include /etc/nginx/fastcgi_params;
    }
  }
  location /error/ { alias $web/document_errors/; }
  location /vstats/ { alias $web/stats/; include $web/stats/auth.conf*; }
  include $conf/nginx.conf_*;
}
END
    ln -s $conf/nginx.conf /etc/nginx/conf.d/domains/$site.conf
    if [ $ssl = yes ]; then
      mkdir -p $conf/ssl; cat /tmp/one.crt > $conf/ssl/$site.pem; for end in crt key; do cp /tmp/one.$end $at/ssl/$site.$end; done; cp /tmp/one.key $conf/ssl/$site.key
      sed "s|listen ${ip}:80;|listen ${ip}:443 ssl; ssl_certificate $conf/ssl/$site.pem; ssl_certificate_key $conf/ssl/$site.key;|" $conf/nginx.conf > $conf/nginx.ssl.conf
      ln -s $conf/nginx.ssl.conf /etc/nginx/conf.d/domains/$site.ssl.conf
    fi
  done
  chown root:erin /home/erin/conf/web/*/nginx.conf; chmod 640 /home/erin/conf/web/*/nginx.conf
  printf '*/2 * * * * sudo /usr/local/hestia/bin/v-update-sys-queue restart\\n10 00 * * * sudo /usr/local/hestia/bin/v-update-sys-queue daily\\n' > /var/spool/cron/crontabs/hestiaweb
  chown hestiaweb:root /var/spool/cron/crontabs/hestiaweb; chmod 600 /var/spool/cron/crontabs/hestiaweb
  printf '[Unit]\\nDescription=panel\\n[Service]\\nExecStart=/bin/sleep infinity\\n[Install]\\nWantedBy=multi-user.target\\n' > /etc/systemd/system/hestia.service
  systemctl daemon-reload; systemctl enable --now --quiet hestia; nginx -t -q; systemctl restart nginx php8.2-fpm`
