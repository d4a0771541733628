import type { ArchiveImportView } from '@innkeeper/contract/recovery/archiveImports/shapes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { passwords as ofBob, putCpanelArchive } from './cpanelArchive.ts'
import { passwords, putHestiaArchive } from './hestiaArchive.ts'
import { freshHost, onHosts } from './hosts.ts'
import { addOwner, ends, visit } from './sites.ts'
import { openStage, type Stage } from './stage.ts'
import { takenOver } from './takenOver.ts'
import { until, untilStill } from './until.ts'

describe('an archive of another panel', onHosts, () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage('archives1', { layer: 'mail' })
    const path = '/cloud-management/server-types/web/services'
    const { services, version } = await api('GET', path)
    await api('PATCH', path, { services: [...services, 'postfix', 'dovecot'], version })
  })
  afterAll(() => stage?.close())

  const api = (method: 'GET' | 'POST' | 'DELETE' | 'PATCH', path: string, body?: unknown) =>
    stage.innkeeper.must(method, path, body)
  const run = async (...argv: string[]) => {
    const { code, stdout, stderr } = await stage.host.exec(argv)
    return code === 0 ? stdout.trim() : `${code}: ${stdout}${stderr}`
  }

  const looked = async (path: string) => {
    const { data, workflowId } = await api('POST', '/archive-imports', { serverId: stage.server, path })
    return { id: data.id as number, workflowId }
  }

  /** Waits until everything is here and was compared. */
  const verified = (id: number): Promise<ArchiveImportView> =>
    untilStill('the import is verified', async () => {
      const now: ArchiveImportView = await api('GET', `/archive-imports/${id}`)
      return { done: now.status === 'verified' || now.status === 'failed' ? now : undefined, seen: JSON.stringify(now) }
    })

  test('is imported whole, as independent programs see it, and undone whole', async () => {
    const archive = '/backup/alice.tar'
    await putHestiaArchive(stage.host, archive)
    const sum = await run('sha256sum', archive)
    const looked = await api('POST', '/archive-imports', { serverId: stage.server, path: archive })
    await ends(stage.innkeeper, looked.workflowId, 'done')
    const { id } = looked.data
    const userId = await addOwner(stage.innkeeper)
    const { items: plans } = await api('GET', '/system-user/plans')
    const plan = plans.find((one: { name: string }) => one.name === 'Business').id
    const drawn = await api('GET', `/archive-imports/${id}/plan?userId=${userId}&plan=${plan}`)
    expect(drawn.problems).toEqual({})
    expect(drawn.lines.map((one: { key: string; verdict: string }) => `${one.key} ${one.verdict}`).sort()).toEqual([
      'cron:jobs changed',
      'database:alice_shop carried',
      'ftp:alice_up changed',
      'mail:old-shop.example changed',
      'website:old-closed.example carried',
      'website:old-shop.example changed',
      'website:old-static.example carried',
      'zone:old-shop.example changed',
    ])
    const begun = await api('POST', `/archive-imports/${id}/start`, { userId, plan })
    const view = await verified(id)
    expect(view).toMatchObject({ status: 'verified', reason: null })
    expect(view.report?.filter(({ verdict }) => verdict === 'differs')).toEqual([])
    const { address } = stage.host
    expect(await visit(address, 'old-shop.example')).toMatchObject({
      status: 200,
      body: 'from the old blåbær database',
    })
    expect((await visit(address, 'also-static.example')).body.trim()).toBe('a static page')
    const home = '/home/alice/old-shop.example'
    expect(
      await run(
        'sh',
        '-c',
        `cd ${home}; find . -not -user alice; find . -type f -o -type l | LC_ALL=C sort; readlink public/uploads/good; stat -c %a private/secret.txt`,
      ),
    ).toBe(
      [
        './private/secret.txt',
        './public/blåbær $(x).txt',
        './public/index.php',
        './public/uploads/good',
        './public/wp-config.php',
        '../index.php',
        '755',
      ].join('\n'),
    )
    expect(
      await run(
        'mariadb',
        '-BN',
        '-ualice_shop',
        `-p${passwords.database}`,
        'alice_shop',
        '-e',
        'select count(*) from posts; select count(*) from latest',
      ),
    ).toBe('2\n2')
    expect(
      await run(
        'mariadb',
        '-BN',
        '-e',
        "select collation_name from information_schema.columns where table_schema = 'alice_shop' and column_name = 'title'",
      ),
    ).not.toContain('0900')
    const boxes = await run('doveadm', 'fetch', '-u', 'info@old-shop.example', 'flags mailbox', 'ALL')
    expect(boxes.match(/flags: [^\n]*\\Flagged[^\n]*\\Seen|flags: [^\n]*\\Seen[^\n]*\\Flagged/g)).toHaveLength(3)
    expect(boxes.match(/mailbox: Sent/g)).toHaveLength(1)
    expect(await run('doveadm', 'auth', 'test', 'info@old-shop.example', passwords.info)).toContain('auth succeeded')
    expect(await run('crontab', '-u', 'alice', '-l')).toBe(`17 3 * * * php ${home}/public/job.php 'a b'`)
    expect(
      await run('curl', '-sSk', '--ssl-reqd', '-u', `alice_up:${passwords.upload}`, `ftp://${address}/`),
    ).toContain('good')
    const zone = (await api('GET', '/dns/zones?search=old-shop.example')).items[0]
    const { items: records } = await api('GET', `/dns/records?zoneId=${zone.id}&itemsPerPage=50`)
    const shown = records.map(
      (one: { name: string; type: string; content: string }) => `${one.name} ${one.type} ${one.content}`,
    )
    expect(shown).toContain(`@ A ${address}`)
    expect(shown).toContain('elsewhere A 198.51.100.7')

    await api('POST', `/archive-imports/${id}/roll-back`)
    await ends(stage.innkeeper, begun.workflowId, 'rolled-back')
    expect(
      await run(
        'sh',
        '-c',
        'getent passwd alice; ls -A /home; ls /var/lib/innkeeper/spool; ls /etc/nginx/sites-enabled 2>/dev/null | grep old-; ls /var/vmail/* 2>/dev/null; true',
      ),
    ).not.toMatch(/alice|old-|import-/)
    expect(
      await run(
        'mariadb',
        '-BN',
        '-e',
        "show databases like 'alice%'; select user from mysql.user where user like 'alice%'; show databases like 'ik%'",
      ),
    ).toBe('')
    expect((await api('GET', '/dns/zones?search=old-shop.example')).items).toEqual([])
    expect((await api('GET', '/websites?domain=old-shop.example')).Websites).toEqual([])
    expect((await api('GET', '/mailbox/mailboxes?search=old-shop')).items).toEqual([])
    expect(await run('sha256sum', archive)).toBe(sum)

    const again = await api('POST', `/archive-imports/${id}/start`, {
      userId,
      plan,
      leaveOut: ['mail:old-shop.example'],
    })
    expect(await verified(id)).toMatchObject({ status: 'verified', reason: null, made: { mailboxes: [] } })
    await api('POST', `/archive-imports/${id}/accept`)
    await ends(stage.innkeeper, again.workflowId, 'done')
    const [website] = (await api('GET', '/websites?domain=old-shop.example')).Websites
    expect(website).toMatchObject({ domain: 'old-shop.example', status: 'active' })
    expect((await visit(address, 'old-shop.example')).body).toBe('from the old blåbær database')
    expect((await visit(address, 'old-closed.example')).status).toBe(503)
    expect(await run('ls', '-A', '/var/lib/innkeeper/archives')).toBe('')
  })

  test('is imported again, and brings only what changed there and stayed untouched here', async () => {
    const home = '/home/alice/old-shop.example/public'
    await run(
      'setpriv',
      '--reuid=alice',
      '--regid=alice',
      '--clear-groups',
      'sh',
      '-c',
      `echo "<?php echo 'staff';" > ${home}/edited.php; rm "${home}/uploads/good"`,
    )
    await putHestiaArchive(
      stage.host,
      '/backup/alice2.tar',
      `cd /tmp/data-shop/public_html; echo new > late.txt; echo "<?php echo 'there, too';" > edited.php; cd /`,
    )
    const { id, workflowId } = await looked('/backup/alice2.tar')
    await ends(stage.innkeeper, workflowId, 'done')
    const [website] = (await api('GET', '/websites?domain=old-shop.example')).Websites
    const { items: plans } = await api('GET', '/system-user/plans')
    const plan = plans.find((one: { name: string }) => one.name === 'Business').id
    const choices = `userId=${website.ownerId}&plan=${plan}`
    const drawn = await api('GET', `/archive-imports/${id}/plan?${choices}`)
    expect(drawn.lines.map((one: { key: string; verdict: string }) => `${one.key} ${one.verdict}`)).toEqual(
      expect.arrayContaining([
        'website:old-shop.example changed',
        'database:alice_shop left out',
        'other:again left out',
      ]),
    )
    const leaveOut = ['mail:old-shop.example']
    const begun = await api('POST', `/archive-imports/${id}/start`, {
      userId: website.ownerId,
      plan,
      leaveOut,
    })
    const view = await verified(id)
    expect(view).toMatchObject({ status: 'verified', reason: null })
    expect(view.report?.find(({ verdict }) => verdict === 'kept')).toMatchObject({
      here: expect.stringContaining('edited.php'),
    })
    expect(
      await run('sh', '-c', `cat ${home}/late.txt ${home}/edited.php; stat -c %U ${home}/late.txt; ls ${home}/uploads`),
    ).toBe("new\n<?php echo 'staff';\nalice\ngood")
    await api('POST', `/archive-imports/${id}/roll-back`)
    await ends(stage.innkeeper, begun.workflowId, 'rolled-back')
    expect(await run('sh', '-c', `ls ${home}/late.txt 2>/dev/null; cat ${home}/edited.php`)).toBe("<?php echo 'staff';")
  })

  test('of cPanel comes with its addon domain, certificate, mail and DKIM key', async () => {
    const publicKey = await putCpanelArchive(stage.host, '/backup/cpmove-bob.tar.gz')
    const { id, workflowId } = await looked('/backup/cpmove-bob.tar.gz')
    await ends(stage.innkeeper, workflowId, 'done')
    const userId = await addOwner(stage.innkeeper)
    const { items: plans } = await api('GET', '/system-user/plans')
    const plan = plans.find((one: { name: string }) => one.name === 'Business').id
    const begun = await api('POST', `/archive-imports/${id}/start`, { userId, plan })
    const view = await verified(id)
    expect(view).toMatchObject({ status: 'verified', reason: null })
    expect(view.report?.filter(({ verdict }) => verdict === 'differs')).toEqual([])
    const { address } = stage.host
    expect((await visit(address, 'old-blog.example')).body).toBe('from the old blog')
    expect((await visit(address, 'old-parked.example')).body).toBe('from the old blog')
    expect((await visit(address, 'old-addon.example')).body.trim()).toBe('the addon page')
    const shown = await run(
      'sh',
      '-c',
      `echo | openssl s_client -connect ${address}:443 -servername old-blog.example 2>/dev/null | openssl x509 -noout -fingerprint; openssl x509 -in /tmp/cpanel/crt -noout -fingerprint`,
    )
    expect(new Set(shown.split('\n')).size).toBe(1)
    expect(
      await run('mariadb', '-BN', '-ubob_u', `-p${ofBob.database}`, 'bob_blog', '-e', 'select title from posts'),
    ).toBe('from the old blog')
    expect(await run('doveadm', 'auth', 'test', 'info@old-blog.example', ofBob.info)).toContain('auth succeeded')
    expect(
      await run(
        'sh',
        '-c',
        'ls -A /home/bob/old-blog.example/public; head -1 /home/bob/old-blog.example/public/.htaccess',
      ),
    ).toBe('.htaccess\nindex.php\nwp-config.php\n# AddHandler application/x-httpd-ea-php82 .php')
    await api('POST', `/archive-imports/${id}/accept`)
    await ends(stage.innkeeper, begun.workflowId, 'done')
    const { items: boxes } = await api('GET', '/mailbox/mailboxes?search=old-blog')
    const { keys } = await api('GET', `/mailbox/mailboxes/${boxes[0].id}/dns`)
    expect(keys).toMatchObject([{ selector: 'default', publicKey, signs: true }])
    const { data } = await api('POST', `/archive-imports/${id}/cut-over`, { watch: true })
    expect(data.cutOver.names.map(({ name }: { name: string }) => name)).toContain('www.old-parked.example')
  })

  test('websites of a machine in use come without a change on it', async () => {
    const old = await freshHost(stage.lab, 'archives2')
    try {
      const there = async (script: string) => {
        const { code, stdout, stderr } = await old.exec(['sh', '-euc', script])
        if (code !== 0) throw new Error(`${stdout}${stderr}`)
        return stdout.trim()
      }
      await there(handMade)
      const server = await api('POST', '/cloud-management/servers', {
        name: old.name,
        type: 'adopted',
        address: old.address,
      })
      await there(server.enrolment.command)
      await until('the machine is online', async () => {
        const view = await api('GET', `/cloud-management/servers/view/${server.id}`)
        return view.observed === 'online'
      })
      const { services } = await api('GET', `/cloud-management/servers/view/${server.id}`)
      expect(Array.isArray(services)).toBe(true)
      const state = () =>
        there(
          "find /etc /home /var/www -xdev -type f ! -path '/etc/innkeeper/*' -printf '%p %s %T@ %C@\\n' | LC_ALL=C sort | sha256sum",
        )
      const before = await state()
      const { data, workflowId } = await api('POST', '/adoptions', { serverId: server.id })
      await ends(stage.innkeeper, workflowId, 'done')
      const first = await api('GET', `/adoptions/${data.id}`)
      const again = await api('POST', `/adoptions/${data.id}/look`, { version: first.version })
      await ends(stage.innkeeper, again.workflowId, 'done')
      const second = await api('GET', `/adoptions/${data.id}`)
      expect(second.found).toEqual(first.found)
      expect(first.found).toMatchObject({
        panel: 'none',
        accounts: [
          {
            account: { name: 'carol' },
            websites: [{ domain: 'old-hand.example', aliases: ['www.old-hand.example'], phpVersion: '8.2' }],
            cron: [{ when: '7 2 * * *' }],
          },
        ],
      })
      expect(first.found.others).toContainEqual(expect.objectContaining({ kind: 'website', name: 'old-app.example' }))
      await there(visitors)
      const { importId, workflowId: fetching } = await api('POST', `/adoptions/${data.id}/bring`, {
        ...{ serverId: stage.server, account: 'carol', websites: ['old-hand.example'] },
      })
      await ends(stage.innkeeper, fetching, 'done')
      const userId = await addOwner(stage.innkeeper)
      const { items: plans } = await api('GET', '/system-user/plans')
      const plan = plans.find((one: { name: string }) => one.name === 'Business').id
      await api('POST', `/archive-imports/${importId}/start`, { userId, plan })
      expect(await verified(importId)).toMatchObject({ status: 'verified', reason: null })
      expect((await visit(stage.host.address, 'old-hand.example')).body).toBe('by hand, 4')
      const { report } = await api('GET', `/archive-imports/${importId}`)
      for (const what of ['checksum of names and contents', 'first page, at the former server and here'])
        expect(report).toContainEqual(expect.objectContaining({ name: 'old-hand.example', what, verdict: 'same' }))
      expect(
        await run(
          'sh',
          '-c',
          'ls -A /home/carol/old-hand.example; stat -c %U /home/carol/old-hand.example/vendor/lib.php',
        ),
      ).toBe('composer.json\npublic\nvendor\ncarol')
      expect(await state()).toBe(before)

      // the same machine with records as HestiaCP keeps them
      await there(hestiaRecords)
      const laidOut = await state()
      const { version } = await api('GET', `/adoptions/${data.id}`)
      const third = await api('POST', `/adoptions/${data.id}/look`, { version })
      await ends(stage.innkeeper, third.workflowId, 'done')
      const { found } = await api('GET', `/adoptions/${data.id}`)
      expect(found).toMatchObject({
        panel: 'hestia',
        accounts: [
          {
            account: { name: 'erin' },
            websites: [{ domain: 'old-erin.example' }, { domain: 'old-gone.example', suspended: true }],
            cron: [{ when: '5 4 * * *', command: "echo 'a b'" }],
          },
        ],
      })
      const erin = await api('POST', `/adoptions/${data.id}/bring`, { serverId: stage.server, account: 'erin' })
      await ends(stage.innkeeper, erin.workflowId, 'done')
      await api('POST', `/archive-imports/${erin.importId}/start`, { userId, plan })
      expect(await verified(erin.importId)).toMatchObject({ status: 'verified', reason: null })
      expect((await visit(stage.host.address, 'old-erin.example')).body.trim()).toBe('erin in HestiaCP')
      expect((await visit(stage.host.address, 'old-gone.example')).status).toBe(503)
      expect(await state()).toBe(laidOut)
      const visits = (await there('touch /tmp/stop; sort /tmp/visits | uniq -c')).split('\n')
      expect(visits).toEqual([expect.stringMatching(/^\d{2,} 200$/)])
      const known = { server: server.id, adoption: data.id, userId, plan }
      await takenOver(stage.innkeeper, { address: old.address, there }, known)
    } finally {
      await old.wipe()
    }
  })
})

/** A website and a proxied application in a hand-made nginx, with php-fpm, on a machine without a panel. */
const handMade = `printf '#!/bin/sh\\nexit 101\\n' > /usr/sbin/policy-rc.d; chmod 755 /usr/sbin/policy-rc.d
  apt-get install --yes nginx php8.2-fpm >/dev/null; rm /usr/sbin/policy-rc.d; useradd --create-home carol
  mkdir -p /home/carol/app/public /home/carol/app/vendor; cd /home/carol/app
  echo '{}' > composer.json; echo '<?php const LIB = 4;' > vendor/lib.php
  echo "<?php require __DIR__ . '/../vendor/lib.php'; echo 'by hand, ' . LIB;" > public/index.php
  ln -s /etc/shadow public/evil; chown -R carol: /home/carol; chmod 755 /home/carol
  mkdir -p /etc/nginx/sites-enabled /etc/php/8.2/fpm/pool.d /var/spool/cron/crontabs
  printf '[carol]\\nuser = carol\\nlisten = /run/carol.sock\\nlisten.mode = 0666\\npm = ondemand\\npm.max_children = 2\\n' > /etc/php/8.2/fpm/pool.d/carol.conf
  rm -f /etc/nginx/sites-enabled/default
  printf 'server { listen 80; server_name old-hand.example www.old-hand.example; root /home/carol/app/public; index index.php; location ~ [.]php$ { include fastcgi_params; fastcgi_param SCRIPT_FILENAME $document_root$fastcgi_script_name; fastcgi_pass unix:/run/carol.sock; } }\\nserver { listen 80; server_name old-app.example; location / { proxy_pass http://127.0.0.1:3000; } }\\n' > /etc/nginx/sites-enabled/old.conf
  printf '7 2 * * * php /home/carol/app/job.php\\n' > /var/spool/cron/crontabs/carol
  nginx -t -q; systemctl start nginx php8.2-fpm`

/** Somebody who visits the old website ten times a second, until /tmp/stop is there. */
const visitors = `rm -f /tmp/stop /tmp/visits; setsid sh -c 'while [ ! -e /tmp/stop ]; do
  curl -s -o /dev/null -w "%{http_code}\\n" -H "Host: old-hand.example" http://127.0.0.1/ >> /tmp/visits; sleep 0.1; done' >/dev/null 2>&1 </dev/null &`

/** An account as HestiaCP keeps it: with a suspended website and a job with quotes. */
const hestiaRecords = `useradd --create-home erin; at=/usr/local/hestia/data/users/erin; mkdir -p $at
  printf "NAME='Erin' PACKAGE='default' CONTACT='erin@old.example' SUSPENDED='no'\\n" > $at/user.conf
  printf "DOMAIN='old-erin.example' ALIAS='www.old-erin.example' IP='192.0.2.9' BACKEND='PHP-8_2' SUSPENDED='no'\\nDOMAIN='old-gone.example' ALIAS='' IP='192.0.2.9' BACKEND='PHP-8_2' SUSPENDED='yes'\\n" > $at/web.conf
  printf "JOB='1' MIN='5' HOUR='4' DAY='*' MONTH='*' WDAY='*' CMD='echo %%quote%%a b%%quote%%' SUSPENDED='no'\\n" > $at/cron.conf
  for one in old-erin old-gone; do mkdir -p /home/erin/web/$one.example/public_html; echo 'erin in HestiaCP' > /home/erin/web/$one.example/public_html/index.html; done
  chown -R erin: /home/erin/web`
