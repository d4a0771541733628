import type { Host } from '@innkeeper/lab/host'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { enrol, freshHost, onHosts } from './hosts.ts'
import type { Method } from './innkeeper.ts'
import { addOwner, created, ends, visit } from './sites.ts'
import { openStage, type Stage } from './stage.ts'
import { until } from './until.ts'

/** Sends a message over SMTP on loopback, as a program of a website does; `by=mail` asks sendmail. Answers what was said last. */
const program = `<?php
[$from, $to] = [$_GET['from'], $_GET['to']];
if (($_GET['by'] ?? '') === 'mail') { echo mail($to, 'hello', 'Hello', "From: $from", "-f$from") ? 'taken' : 'refused'; exit; }
$line = fsockopen('127.0.0.1', 25, $no, $why, 60);
$ask = function ($text) use ($line) { if ($text) fwrite($line, "$text\\r\\n"); do $said = fgets($line); while ($said[3] === '-'); return $said; };
$ask('');
foreach (['EHLO x', "MAIL FROM:<$from>", "RCPT TO:<$to>", 'DATA', "From: $from\\r\\nSubject: hello\\r\\n\\r\\nHello\\r\\n."] as $text) {
  $said = $ask($text);
  if ($said[0] > 3) break;
}
echo $said;`

describe('programs of websites on two mail servers', onHosts, () => {
  let stage: Stage
  /** Has websites and mail; the stage's host has mail alone. */
  let host: Host
  let server: number
  beforeAll(async () => {
    stage = await openStage('sender2', { layer: 'mail', type: 'mail' })
    const { innkeeper, lab } = stage
    const services = ['nginx', 'php-fpm', 'postfix', 'dovecot']
    await innkeeper.must('PATCH', '/cloud-management/server-types/web/services', { services })
    host = await freshHost(lab, 'sender1', 'mail')
    server = await enrol(innkeeper, host, 'web')
  })
  afterAll(async () => {
    await host?.wipe()
    await stage?.close()
  })

  const done = async (method: Method, path: string, body: unknown) => {
    const begun = await stage.innkeeper.must(method, path, body)
    await ends(stage.innkeeper, begun.workflowId, 'done')
    return begun.data
  }
  async function mailOf(websiteId: number, serverId: number): Promise<void> {
    const { id } = await done('POST', '/mailbox/mailboxes', { websiteId, serverId })
    await done('POST', `/mailbox/mailboxes/${id}/users`, { localPart: 'kari', password: 'a password of kari' })
  }
  const send = async (from: string, by = '') => {
    const path = `/try.php?from=kari@${from}&to=kari@bakery.example&by=${by}`
    return (await visit(host.address, 'bakery.example', path)).body
  }

  test('send as their own domains wherever these are, and as no domain of somebody else on another server', async () => {
    const { innkeeper, server: far } = stage
    const [baker, florist] = [await addOwner(innkeeper), await addOwner(innkeeper)]
    const bakery = await created(innkeeper, server, 'bakery.example', { userId: baker })
    const cakes = await created(innkeeper, server, 'cakes.example', { userId: baker })
    const flowers = await created(innkeeper, server, 'flowers.example', { userId: florist })
    await mailOf(bakery.id, server)
    await mailOf(cakes.id, far)
    await mailOf(flowers.id, far)
    const wrote = await host.exec(['dd', `of=${bakery.documentRoot}/try.php`, 'status=none'], { input: program })
    expect(wrote.code).toBe(0)

    await until('the mail of the bakery is taken', async () => (await send('bakery.example')).startsWith('250 '))
    expect(await send('cakes.example')).toMatch(/^250 /)
    expect(await send('elsewhere.example')).toMatch(/^250 /)
    const refused = new RegExp(`^553 5\\.7\\.1 .*${bakery.username} may not send as flowers\\.example`)
    await until('the server knows whose the flowers are', async () => refused.test(await send('flowers.example')))
    await send('flowers.example', 'mail')
    const queue = async () => (await host.exec(['sh', '-c', 'mailq; journalctl --unit=postfix@- --output=cat'])).stdout
    await until('the queue refuses it', async () => /may not send as flowers\.example/.test(await queue()))
  })
})
