import type { FoundMachine } from '@innkeeper/contract/recovery/adoptions/shapes'
import type { Inventory } from '@innkeeper/contract/recovery/archiveImports/inventory'
import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { labDir, type Practice, practice } from '../../test/practice.ts'

const importId = 71
const verdict = await can(labDir)
describe.skipIf(!verdict.able)(
  verdict.able ? 'a machine with Apache' : `a machine with Apache (${verdict.reason})`,
  () => {
    let p: Practice<Host>
    beforeAll(async () => {
      p = await practice(await openLab({ dir: labDir }), 'apachehost')
      await p.sh('sh', '-euc', machine)
      await p.sh('sh', '-euc', visitors(p.host.address))
    })
    afterAll(() => p?.end())

    const state = () =>
      p.sh(
        'sh',
        '-euc',
        `find /etc/apache2 /etc/php /etc/postfix /var/spool/cron /home -xdev -printf '%p %y %m %u %g %s %T@ %C@\\n' | LC_ALL=C sort | sha256sum`,
      )

    test('is looked at twice with the same answer, and every name is in one list', async () => {
      const before = await state()
      const first = (await p.done('machine.look', {})).output as FoundMachine
      expect((await p.done('machine.look', {})).output).toEqual(first)
      expect(await state()).toBe(before)
      expect(first).toMatchObject({
        panel: 'none',
        accounts: [
          {
            account: { name: 'dave' },
            websites: [
              {
                domain: 'wiki.example',
                aliases: ['www.wiki.example'],
                root: '/home/dave/wiki',
                phpVersion: '8.2',
                ssl: true,
              },
            ],
            cron: [{ when: '7 2 * * *', command: 'php /home/dave/wiki/bin/indexer.php -q' }],
          },
          {
            account: { name: 'erin' },
            websites: [
              {
                ...{ domain: 'legacy.example', root: '/home/erin/legacy', phpVersion: '8.2', ssl: false },
                protectedBy: ['a file of passwords'],
                ownSettings: [
                  'Alias /files /srv/files',
                  'php_admin_value memory_limit 300M',
                  'ErrorDocument 404 /gone.html',
                ],
              },
            ],
          },
        ],
      })
      const others = Object.fromEntries(first.others.map(({ name, why }) => [name, why]))
      expect(others).toMatchObject({
        'api.example': expect.stringContaining('an application behind http://127.0.0.1:4000/'),
        'variable.example': expect.stringContaining('has a variable'),
        'gone.example': 'its folder /home/dave/gone does not exist',
        'mail.example': expect.stringContaining('mail of a hand-made Postfix'),
      })
    })

    test('its website comes whole, as tar and rsync see it', async () => {
      const token = 'a'.repeat(64)
      const before = await state()
      const { output } = await p.done('machine.open', {
        ...{ transfer: 'adopt-71', token, minutes: 5, account: 'dave', websites: ['wiki.example'] },
      })
      const { port } = output as { port: number }
      await p.done('archive.pull', { importId, transfer: 'adopt-71', token, address: p.host.address, port })
      const inventory = (await p.done('archive.look', { importId })).output as Inventory
      expect(inventory.websites).toMatchObject([{ domain: 'wiki.example', files: 304, links: 1, fault: null }])
      const differs = await p.sh(
        'sh',
        '-euc',
        `mkdir /tmp/out; tar -xf /var/lib/innkeeper/imports/upload-${importId}.archive -C /tmp/out
      cd /tmp/out/sites/wiki.example/pages; find . ! -type d | wc -l
      rsync -rlnc --delete --out-format='%i %n' /home/dave/wiki/ ./ | grep -v '^[.>]*d' || true
      (cd /home/dave/wiki; find . -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum) > /tmp/there
      find . -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | diff - /tmp/there`,
      )
      expect(differs.trim()).toBe('305')
      expect(await state()).toBe(before)
    })

    test('files by which Apache asks for passwords and sends visitors on are counted, and no visitor saw an error', async () => {
      const token = 'b'.repeat(64)
      const before = await state()
      const { output } = await p.done('machine.open', {
        ...{ transfer: 'adopt-72', token, minutes: 5, account: 'erin', websites: ['legacy.example'] },
      })
      const { port } = output as { port: number }
      await p.done('archive.pull', { importId: 72, transfer: 'adopt-72', token, address: p.host.address, port })
      const inventory = (await p.done('archive.look', { importId: 72 })).output as Inventory
      expect(inventory.websites).toMatchObject([
        {
          ...{ domain: 'legacy.example', files: 6, htaccess: 2, fault: null, refused: {} },
          protectedBy: ['a file of passwords', 'secret/.htpasswd'],
        },
      ])
      expect(await state()).toBe(before)
      await p.sh('sh', '-c', 'touch /tmp/stop; sleep 1')
      const visits = await p.sh('sh', '-c', 'for one in wiki legacy; do sort /tmp/visits.$one | uniq -c; done')
      expect(visits.trim().split('\n')).toEqual([
        expect.stringMatching(/^ *\d{2,} 200$/),
        expect.stringMatching(/^ *\d{2,} 200$/),
      ])
    })
  },
)

/** Ten visits a second to each website, until /tmp/stop is there. */
const visitors = (address: string) => `rm -f /tmp/stop /tmp/visits.*
  setsid sh -c "while [ ! -e /tmp/stop ]; do curl -sk -o /dev/null -w '%{http_code}\\n' --resolve wiki.example:443:${address} https://wiki.example/doku.php >> /tmp/visits.wiki; sleep 0.1; done" >/dev/null 2>&1 </dev/null &
  setsid sh -c "while [ ! -e /tmp/stop ]; do curl -s -o /dev/null -w '%{http_code}\\n' -H 'Host: legacy.example' http://${address}/index.php >> /tmp/visits.legacy; sleep 0.1; done" >/dev/null 2>&1 </dev/null &`

/** Apache with php-fpm, a wiki of many small pages, a proxied application, mail and cron jobs, as people set it up by hand. */
const machine = `printf '#!/bin/sh\\nexit 101\\n' > /usr/sbin/policy-rc.d; chmod 755 /usr/sbin/policy-rc.d
  echo 'postfix postfix/main_mailer_type select Local only' | debconf-set-selections
  apt-get update >/dev/null; DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends apache2 php8.2-fpm libapache2-mod-php8.2 postfix rsync >/dev/null; rm /usr/sbin/policy-rc.d
  useradd --create-home dave; chmod 755 /home/dave; cd /home/dave; mkdir -p wiki/bin wiki/data/pages wiki/conf
  echo '<?php echo "wiki";' > wiki/doku.php; echo '<?php' > wiki/bin/indexer.php; echo 'admin:x' > wiki/conf/users.auth.php
  ln -s doku.php wiki/index.php
  for n in $(seq 300); do echo "page $n ü" > "wiki/data/pages/seite $n.txt"; done; head -c 3000000 /dev/urandom > wiki/data/picture.jpg
  useradd --create-home erin; chmod 755 /home/erin; mkdir -p /home/erin/legacy/secret /srv/files; cd /home/erin/legacy
  echo '<?php echo "legacy, ", PHP_SAPI;' > index.php; echo gone > gone.html; printf 'Redirect 301 /old /new\\n' > .htaccess
  printf 'AuthType Basic\\nAuthName secret\\nAuthUserFile /home/erin/legacy/secret/.htpasswd\\nRequire valid-user\\n' > secret/.htaccess
  echo 'erin:$apr1$abcdefgh$0123456789012345678901' > secret/.htpasswd; echo x > secret/a.txt; echo file > /srv/files/a; chown -R erin: /home/erin; cd /home/dave
  chown -R dave: wiki; mkdir -p /var/spool/cron/crontabs
  openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=wiki.example -addext subjectAltName=DNS:wiki.example -keyout /etc/ssl/wiki.key -out /etc/ssl/wiki.pem 2>/dev/null
  printf '[dave]\\nuser = dave\\nlisten = /run/dave.sock\\nlisten.owner = www-data\\npm = ondemand\\npm.max_children = 4\\n' > /etc/php/8.2/fpm/pool.d/dave.conf
  rm -f /etc/apache2/sites-enabled/*; a2enmod -q ssl proxy_fcgi proxy_http >/dev/null
  cat > /etc/apache2/sites-enabled/wiki.conf <<'END'
Define SITES /home/dave
<VirtualHost *:80>
  ServerName wiki.example
  ServerAlias www.wiki.example
  Redirect permanent / https://wiki.example/
</VirtualHost>
<VirtualHost *:443>
  ServerName wiki.example
  ServerAlias www.wiki.example
  DocumentRoot "/home/dave/wiki"
  SSLEngine on
  SSLCertificateFile /etc/ssl/wiki.pem
  SSLCertificateKeyFile /etc/ssl/wiki.key
  <Directory /home/dave/wiki>
    AllowOverride All
    Require all granted
  </Directory>
  <FilesMatch \\.php$>
    SetHandler "proxy:unix:/run/dave.sock|fcgi://localhost"
  </FilesMatch>
</VirtualHost>
<VirtualHost *:80>
  ServerName legacy.example
  DocumentRoot /home/erin/legacy
  Alias /files /srv/files
  php_admin_value memory_limit 300M
  ErrorDocument 404 /gone.html
  <Directory /home/erin/legacy>
    AllowOverride All
    Require all granted
  </Directory>
  <Location /staff>
    AuthUserFile /etc/apache2/staff
  </Location>
</VirtualHost>
<VirtualHost *:80>
  ServerName api.example
  ProxyPass / http://127.0.0.1:4000/
</VirtualHost>
<VirtualHost *:80>
  ServerName variable.example
  DocumentRoot \${SITES}/shop
</VirtualHost>
<VirtualHost *:80>
  ServerName gone.example
  DocumentRoot /home/dave/gone
</VirtualHost>
END
  printf '7 2 * * * php /home/dave/wiki/bin/indexer.php -q\\n' > /var/spool/cron/crontabs/dave; chown dave:root /var/spool/cron/crontabs/dave; chmod 600 /var/spool/cron/crontabs/dave
  postconf -e 'virtual_mailbox_domains = mail.example'; apache2ctl -t 2>/dev/null; systemctl restart apache2 php8.2-fpm`
