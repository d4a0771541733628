import { mkdirSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { rootOf } from '../../../test/fixtures.ts'
import type { Host, Practice } from '../../../test/practice.ts'
import { clientsOf, kari, nextTitle, ofKari } from './clients.ts'
import { domainOf, hashes, user } from './mail.ts'
import { openSink } from './sending.ts'

const florist = 'kari@florist.example'
const bakery = 'bakery.example'
const home = '/home/web1'

/** What a website tries: by `mail()`, and by connections of its own. Answers what it heard. */
const page = `<?php
['by' => $by, 'from' => $from, 'to' => $to, 'title' => $title] = $_GET;
if ($by === 'mail') exit(mail($to, $title, 'Hello', "From: $from", "-f$from") ? 'taken' : 'refused');
$bind = isset($_GET['as']) ? ['socket' => ['bindto' => $_GET['as']]] : [];
$socket = @stream_socket_client("tcp://$by", $code, $why, 10, STREAM_CLIENT_CONNECT, stream_context_create($bind));
if (!$socket) exit("no connection: $why");
stream_set_timeout($socket, 120);
$heard = fgets($socket);
$letter = "From: $from\\r\\nSubject: $title\\r\\n\\r\\nHello\\r\\n.";
foreach (['EHLO localhost', "MAIL FROM:<$from>", "RCPT TO:<$to>", 'DATA', $letter, 'QUIT'] as $line) {
  fwrite($socket, "$line\\r\\n");
  do { $line = fgets($socket); $heard .= $line; } while ($line !== false && substr($line, 3, 1) === '-');
  if (preg_match('/^[45]/', $line)) break;
}
echo $heard;
`

/** Tests of mail that PHP-FPM and crontabs of websites send, on the host of `mail.test.ts`. */
export function websiteTests(of: () => Practice<Host>) {
  const { arrive, found, arrives, maySignIn } = clientsOf(of)
  /** Asks the page over HTTP, so that PHP-FPM of the website runs it. */
  const php = async (by: string, from: string, to: string = kari, more: Record<string, string> = {}) => {
    const title = nextTitle('website')
    const query = new URLSearchParams({ by, from, to, title, ...more })
    return { title, said: (await of().get(bakery, `/try.php?${query}`)).body }
  }
  const waiting = async () => JSON.stringify((await of().done('mail-queue.read', { most: 200 })).output)
  const signersOf = async (title: string) => {
    await arrives(kari, ofKari, title)
    const fetched = await of().sh('doveadm', 'fetch', '-u', kari, 'hdr', 'mailbox', 'INBOX', 'subject', title)
    return [...fetched.matchAll(/DKIM-Signature:[^:]*?\sd=([a-z.]+);/g)].map(([, domain]) => domain)
  }

  test('PHP-FPM of a website sends as its owner, and by no way as a mailbox of somebody else', async () => {
    await of().provision()
    await of().website(bakery)
    mkdirSync(`${of().host.root}${rootOf(bakery).path}`, { recursive: true })
    writeFileSync(`${of().host.root}${rootOf(bakery).path}/try.php`, page)
    for (const domain of ['post.example', 'florist.example'])
      await of().done('mail-key.ensure', { domain, selector: 'k1' })
    await of().done('mail-domain.ensure', domainOf({ accountId: 90, selector: 'k1' }))
    const other = { ...domainOf({ mailboxId: 2, domain: 'florist.example', accountId: 91, selector: 'k1' }) }
    const passwords = JSON.stringify({ 21: hashes[11] })
    await of().done('mail-domain.ensure', { ...other, users: [user(21, 'kari')], passwords })
    await of().done('mail-limits.ensure', {
      accounts: [{ accountId: 90, own: 1000, together: 1000, ownerId: 1, username: 'web1' }],
      others: { own: 200, together: 1000 },
      domains: [
        { domain: 'post.example', ownerId: 1 },
        { domain: 'florist.example', ownerId: 2 },
      ],
    })
    await maySignIn(kari, ofKari).toBe(true)
    // rspamd looks for changed selectors once a second
    await expect.poll(async () => signersOf((await php('mail', kari)).title)).toEqual(['post.example'])
    const outward = of().host.address
    for (const by of ['mail', '127.0.0.1:25', `${outward}:25`]) {
      const { title, said } = await php(by, kari)
      expect([by, said]).toEqual([by, expect.stringMatching(/^taken$|250 2\.0\.0 Ok: queued/)])
      // only loopback is signed
      expect([by, await signersOf(title)]).toEqual([by, by === `${outward}:25` ? [] : ['post.example']])
    }
    const queued = await php('mail', florist)
    await expect.poll(waiting).toContain('The website account web1 may not send as florist.example')
    expect(await found(kari, ofKari, queued.title)).toBe('')
    const doors = ['127.0.0.1:25', '127.0.0.1:4484', '127.0.0.1:4485', '[::1]:25', `${outward}:25`]
    for (const by of doors)
      expect([by, (await php(by, florist)).said]).toEqual([by, expect.stringMatching(/553 5\.7\.1 .*web1 may not/)])
    for (const by of ['127.0.0.1:25', `${outward}:25`])
      expect((await php(by, florist, kari, { as: `${outward}:0` })).said).toMatch(/553 5\.7\.1 .*web1 may not/)
    // to another server: receivers would compare the sender with the address of this one
    const sink = await openSink(of().host.gateway)
    try {
      const past = await php(`${of().host.gateway}:25`, florist, 'friend@far.example')
      expect(past.said).toContain('no connection: Connection refused')
      const { stdout } = await of().host.exec(['swaks', '--server', of().host.gateway, '--to', 'friend@far.example'])
      expect(stdout).toContain('250 ok')
    } finally {
      sink.close()
    }
    // another server may write as anybody: receivers judge it
    expect((await arrive(kari, '--from', florist)).stdout).toMatch(/250 2\.0\.0 Ok: queued/)
    await of().sh('postsuper', '-d', 'ALL')
  })

  test('a crontab sends as its owner, and not as a mailbox of somebody else', async () => {
    await of().done('packages.ensure', { packages: ['cron'] })
    const [own, other, direct] = [nextTitle('crontab'), nextTitle('crontab'), nextTitle('crontab')]
    const letter = (from: string, title: string) => `From: ${from}\nTo: ${kari}\nSubject: ${title}\n\nHello\n`
    writeFileSync(`${of().host.root}${home}/own`, letter(kari, own))
    writeFileSync(`${of().host.root}${home}/other`, letter(florist, other))
    const jobs = [
      'MAILTO=""',
      `@reboot /usr/sbin/sendmail -f ${kari} ${kari} < ${home}/own`,
      `@reboot /usr/sbin/sendmail -f ${florist} ${kari} < ${home}/other`,
      `@reboot swaks --server 127.0.0.1 --from ${florist} --to ${kari} --h-Subject '${direct}' > ${home}/said 2>&1`,
    ]
    await of().host.exec(['crontab', '-u', 'web1', '-'], { input: `${jobs.join('\n')}\n` })
    await of().sh('sh', '-c', 'rm -f /run/crond.reboot; systemctl restart cron')
    expect(await signersOf(own)).toEqual(['post.example'])
    await expect.poll(waiting).toContain('The website account web1 may not send as florist.example')
    const said = async () => (await of().host.exec(['cat', `${home}/said`])).stdout
    await expect.poll(said).toMatch(/553 5\.7\.1 .*web1 may not/)
    for (const title of [other, direct]) expect(await found(kari, ofKari, title)).toBe('')
    await of().sh('crontab', '-u', 'web1', '-r')
    await of().sh('postsuper', '-d', 'ALL')
    await of().done('mail-domain.remove', { mailboxId: 2, domain: 'florist.example', keepDays: 1 })
    await of().done('mail-limits.ensure', { accounts: [], others: { own: 200, together: 1000 } })
    await of().done('mail-domain.ensure', domainOf())
  })
}
