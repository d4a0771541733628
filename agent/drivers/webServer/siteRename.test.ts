import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { siteOf } from '../../test/fixtures.ts'
import { labDir, type Practice, practice } from '../../test/practice.ts'

const verdict = await can(labDir)
describe.skipIf(!verdict.able)(verdict.able ? 'names' : `names (${verdict.reason})`, () => {
  let p: Practice<Host>
  beforeAll(async () => {
    p = await practice(await openLab({ dir: labDir }), 'names')
    await p.provision()
    await p.website('first.example')
    await p.website('kept.first.example')
  })
  afterAll(() => p?.end())

  const first = siteOf('first.example')
  const none = { aliases: [], redirects: [] }
  /** Status and redirect target, by curl. */
  async function ask(host: string, path = '/'): Promise<string> {
    const ran = await p.host.exec([
      ...['curl', '-s', '-o', '/dev/null', '-w', '%{http_code} %{redirect_url}', '-H', `Host: ${host}`],
      `http://127.0.0.1${path}`,
    ])
    return ran.stdout.trim()
  }
  const write = (file: string, text: string | Buffer) => writeFileSync(`${p.host.root}${file}`, text)
  const sum = (text: string) => createHash('sha256').update(text).digest('hex')

  test('serves aliases and all names below a wildcard, except those of other websites', async () => {
    const site = { ...first, aliases: ['alias.example', '*.first.example'] }
    const { id } = await p.done('nginx-site.ensure', { ...site, before: 'active', beforeNames: none })
    for (const name of ['first.example', 'alias.example', 'any.first.example', 'a.b.first.example'])
      expect((await p.get(name)).body, name).toContain('<h1>first.example</h1>')
    expect((await p.get('kept.first.example')).body).toContain('<h1>kept.first.example</h1>')
    expect(await ask('other.example')).toBe('000')
    await p.done('nginx-site.ensure', { ...site, before: 'active', beforeNames: none }, { id, task: 'undo' })
    expect(await ask('any.first.example')).toBe('000')
    expect(await ask('first.example')).toBe('200')
  })

  test('redirects names with 301, keeping path and query; a line break reaches no header', async () => {
    await p.done('nginx-site.ensure', { ...first, redirects: ['sent.example', '*.sent.example'] })
    expect(await ask('sent.example', '/a/b.php?x=1&y=%20z')).toBe('301 http://first.example/a/b.php?x=1&y=%20z')
    expect(await ask('deep.sent.example')).toBe('301 http://first.example/')
    const split = await p.sh('curl', '-si', '-H', 'Host: sent.example', 'http://127.0.0.1/x%0d%0aSet-Cookie:%20a=b')
    expect(split.toLowerCase()).not.toContain('\nset-cookie')
    const both = await p.op('nginx-site.ensure', { ...siteOf('kept.first.example'), aliases: ['sent.example'] })
    expect(both).toMatchObject({ status: 'failed', reason: expect.stringContaining('first.example.conf') })
  })

  test('renames a website with folder, logs and nginx file, and links the old name and path; undo reverts', async () => {
    await p.website('old.example', 'web2')
    await p.get('old.example', '/for-the-log')
    const { domain, ...site } = siteOf('old.example', 'web2')
    const folder = { username: 'web2', path: site.root, domain, newDomain: 'new.example' }
    const rename = {
      ...{ ...site, domain: 'new.example', from: domain, root: '/home/web2/new.example/public' },
      ...{ aliases: ['www.new.example'], redirects: ['old.example'], beforeNames: none, beforeRoot: site.root },
    }
    const moved = await p.done('document-root.rename', folder)
    await p.done('document-root.rename', folder, { id: moved.id, inspect: true })
    expect(await ask('old.example')).toBe('200') // over the old path, which nginx still uses
    const { id } = await p.done('nginx-site.rename', rename)
    await p.done('nginx-site.rename', rename, { id })
    expect(await ask('new.example')).toBe('200')
    expect(await ask('old.example', '/page?q=1')).toBe('301 http://new.example/page?q=1')
    const logs = await p.sh('sh', '-c', 'ls /var/log/nginx; cat /var/log/nginx/new.example.access.log')
    expect(logs).toContain('/for-the-log')
    expect(logs).toContain('/page?q=1')
    expect(logs).not.toContain('old.example.access.log')
    expect(await p.sh('ls', '/etc/nginx/innkeeper/sites')).not.toContain('old.example')
    expect(await p.sh('readlink', '/home/web2/old.example')).toBe('new.example\n')

    // undo closes a website again that was closed before
    const fromClosed = { ...rename, beforeState: 'maintenance' as const }
    const second = await p.done('nginx-site.rename', fromClosed)
    await p.done('nginx-site.rename', fromClosed, { id: second.id, task: 'undo' })
    expect(await ask('old.example')).toBe('503')
    await p.done('nginx-site.rename', rename, { id, task: 'undo' })
    await p.done('document-root.rename', folder, { id: moved.id, task: 'undo' })
    await p.done('document-root.rename', folder, { id: moved.id, task: 'undo' })
    expect(await ask('new.example')).toBe('000')
    expect((await p.get('old.example')).body).toContain('<h1>old.example</h1>')
    expect(await p.sh('cat', '/var/log/nginx/old.example.access.log')).toContain('/for-the-log')
    expect(await p.sh('ls', '/home/web2')).toBe('old.example\ntmp\n')
  })

  test('renames back to the former name, and removes the old path on request', async () => {
    const { domain, ...site } = siteOf('old.example', 'web2')
    const there = { username: 'web2', path: site.root, domain, newDomain: 'next.example' }
    const back = { username: 'web2', path: '/home/web2/next.example/public', domain: 'next.example', newDomain: domain }
    await p.done('document-root.rename', there)
    const again = await p.done('document-root.rename', back)
    expect(await p.sh('readlink', '/home/web2/next.example')).toBe('old.example\n')
    await p.done('document-root.rename', back, { id: again.id, task: 'undo' })
    expect(await p.sh('readlink', '/home/web2/old.example')).toBe('next.example\n')
    const unlink = { username: 'web2', path: site.root, domain }
    const ended = await p.done('document-root.unlink', unlink)
    await p.done('document-root.unlink', unlink, { id: ended.id })
    expect(await p.sh('ls', '/home/web2')).toBe('next.example\ntmp\n')
    await p.done('document-root.unlink', unlink, { id: ended.id, task: 'undo' })
    expect(await p.sh('readlink', '/home/web2/old.example')).toBe('next.example\n')
    await p.done('document-root.unlink', unlink)
    await p.done('document-root.rename', { ...back })
    await p.done('document-root.unlink', { ...unlink, path: back.path, domain: 'next.example' })
    expect(await ask('old.example')).toBe('200')
  })

  test('renames over a third name: each former name leads to the next', async () => {
    const at = (domain: string) => ({ username: 'web2', path: `/home/web2/${domain}/public`, domain })
    const names = ['old.example', 'second.example', 'third.example', 'old.example'] as const
    const last = { ...at('third.example'), newDomain: 'old.example' }
    await p.done('document-root.rename', { ...at(names[0]), newDomain: names[1] })
    await p.done('document-root.rename', { ...at(names[1]), newDomain: names[2] })
    const { id } = await p.done('document-root.rename', last)
    expect(await p.sh('sh', '-c', 'cd /home/web2 && readlink -f second.example third.example')).toBe(
      '/home/web2/old.example\n/home/web2/old.example\n',
    )
    await p.done('document-root.rename', last, { id, task: 'undo' })
    expect(await p.sh('readlink', '/home/web2/old.example', '/home/web2/second.example')).toBe(
      'second.example\nthird.example\n',
    )
    await p.done('document-root.rename', last)
    for (const name of names.slice(1, 3)) await p.done('document-root.unlink', at(name))
    expect(await ask('old.example')).toBe('200')
  })

  test('overwrites no existing folder, and changes nothing', async () => {
    await p.sh('setpriv', '--reuid=web2', '--regid=web2', '--clear-groups', 'mkdir', '/home/web2/in-the-way.example')
    const { root: path } = siteOf('old.example', 'web2')
    const input = { username: 'web2', path, domain: 'old.example', newDomain: 'in-the-way.example' }
    expect(await p.op('document-root.rename', input)).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('exists already'),
    })
    expect(await ask('old.example')).toBe('200')
  })

  test('leaves a website after a kill at any moment of a rename, and a retry converges', async () => {
    const { domain, ...site } = siteOf('old.example', 'web2')
    const rename = {
      ...{ ...site, domain: 'killed.example', from: domain, redirects: [domain], beforeNames: none },
      beforeRoot: site.root,
    }
    for (let round = 0; round < 6; round++) {
      await p.killAfter(10 + round * 50, 'nginx-site.rename', rename)
      await p.sh('nginx', '-t', '-q')
      const answers = [await ask('old.example'), await ask('killed.example')]
      expect(answers.filter((answer) => answer !== '000').length, answers.join()).toBeGreaterThan(0)
      const { id } = await p.done('nginx-site.rename', rename)
      expect(await ask('killed.example')).toBe('200')
      await p.done('nginx-site.rename', rename, { id, task: 'undo' })
      expect(await ask('old.example')).toBe('200')
    }
    expect(await p.sh('sh', '-c', 'ls /etc/nginx/innkeeper/sites /var/log/nginx')).not.toContain('killed')
  })

  test('searches configuration files as the account: no binaries, no links outside, no changes', async () => {
    const folder = '/home/web2/old.example'
    write(`${folder}/config.php`, "<?php // of old.example\ndefine('WP_HOME', 'http://www.old.example');\n")
    write(`${folder}/public/.env`, 'MAIL=info@old.example\nURL=http://old.example/\n')
    write(`${folder}/public/binary.php`, Buffer.from([0, 255, ...Buffer.from('old.example')]))
    write(`${folder}/public/picture.png`, 'old.example')
    write(`${folder}/public/new\nline.php`, 'old.example')
    write('/root/secret.conf', 'old.example and the password')
    await p.sh('ln', '-s', '/root/secret.conf', `${folder}/public/leak.conf`)
    await p.sh('mkfifo', `${folder}/public/pipe.conf`)
    const search = { username: 'web2', path: folder, from: 'old.example', to: 'other.example' }
    const { output } = await p.done('website-files.search', search)
    expect(output).toMatchObject({
      files: [
        {
          within: 'config.php',
          count: 2,
          lines: [
            { line: 1, before: '<?php // of old.example', after: '<?php // of other.example' },
            { line: 2, after: "define('WP_HOME', 'http://www.other.example');" },
          ],
        },
        { within: 'public/.env', count: 1, lines: [{ line: 2, before: 'URL=http://old.example/' }] },
        { within: 'public/index.php', count: 2 },
      ],
      more: false,
    })
    expect(JSON.stringify(output)).not.toContain('password')
    expect(readFileSync(`${p.host.root}${folder}/config.php`, 'utf8')).toContain('www.old.example')
  })

  test('replaces chosen files atomically, with owner and mode; skips changed ones; undo restores them', async () => {
    const folder = '/home/web2/old.example'
    const text = 'URL=http://old.example/\n'
    for (const name of ['a.env', 'b.env', 'c.env']) {
      write(`${folder}/${name}`, text)
      await p.sh('chown', 'web2:web2', `${folder}/${name}`)
      await p.sh('chmod', '600', `${folder}/${name}`)
    }
    const input = {
      ...{ username: 'web2', path: folder, from: 'old.example', to: 'other.example' },
      files: ['a.env', 'b.env', 'c.env', 'gone.env'].map((within) => ({ within, sha256: sum(text) })),
    }
    write(`${folder}/b.env`, 'somebody was here: old.example\n')
    const { id, output, said } = await p.done('website-files.replace', input)
    expect(output).toEqual({ changed: 2, left: ['b.env', 'gone.env'] })
    expect(said.join()).toContain('b.env has changed since the search')
    expect((await p.done('website-files.replace', input, { id })).output).toEqual(output)
    expect(await p.sh('cat', `${folder}/a.env`)).toBe('URL=http://other.example/\n')
    expect(await p.sh('stat', '-c', '%U %a', `${folder}/a.env`)).toBe('web2 600\n')
    write(`${folder}/c.env`, 'changed after it\n')
    await p.done('website-files.replace', input, { id, task: 'undo' })
    expect(await p.sh('cat', `${folder}/a.env`, `${folder}/b.env`, `${folder}/c.env`)).toBe(
      `${text}somebody was here: old.example\nchanged after it\n`,
    )
    expect(await p.sh('ls', folder)).not.toContain('innkeeper')
    for (const within of ['../../web1/x', '/etc/passwd', 'a/../../b', 'a\nb', ''])
      expect(
        await p.anyOp('website-files.replace', { ...input, files: [{ within, sha256: sum(text) }] }),
      ).toMatchObject({
        status: 'failed',
      })
  })
})
