import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { NamedFile, SiteName } from '@innkeeper/contract/hosting/names/shapes'
import type { Website } from '@innkeeper/contract/hosting/websites'
import { permissions } from '@innkeeper/contract/permissions/services'
import type { Host } from '@innkeeper/lab/host'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { letPass } from '../bin/pass.ts'
import { onHosts } from './hosts.ts'
import { type Innkeeper, repository } from './innkeeper.ts'
import { created, ends, visit } from './sites.ts'
import { openStage, type Stage } from './stage.ts'

describe('the names of a website on a practice server', onHosts, () => {
  let stage: Stage
  let innkeeper: Innkeeper
  let host: Host
  let site: Website
  let token: string | undefined

  beforeAll(async () => {
    stage = await openStage('e2enames')
    innkeeper = stage.innkeeper
    host = stage.host
    site = await created(innkeeper, stage.server, 'old.example')
    // an application that stores its address and path
    write('config.php', `<?php const HOME = 'http://old.example'; const HERE = '${site.documentRoot}';\n`)
    write(
      'public/index.php',
      "<?php require __DIR__ . '/../config.php'; echo HOME, ' ', is_dir(HERE) ? 'found' : 'lost';\n",
    )
  })
  afterAll(() => stage?.close())

  const write = (file: string, text: string) =>
    writeFileSync(`${host.root}${site.documentRoot.replace(/public$/, '')}${file}`, text)
  const done = async (asked: { workflowId: number }) => void (await ends(innkeeper, asked.workflowId, 'done'))
  const page = (name: string, path = '/') => visit(host.address, name, path)
  /** Waits for these contents: PHP checks every two seconds whether a file has changed. */
  const shows = (name: string, contents: string) => expect.poll(async () => (await page(name)).body).toContain(contents)
  /** Status and redirect target, by curl. */
  const leads = async (name: string, path: string) =>
    (
      await host.exec([
        ...['curl', '-s', '-o', '/dev/null', '-w', '%{http_code} %{redirect_url}', '-H', `Host: ${name}`],
        `http://127.0.0.1${path}`,
      ])
    ).stdout
  const names = async (): Promise<SiteName[]> => (await innkeeper.must('GET', `/websites/${site.id}/names`)).items
  const idOf = async (name: string) => (await names()).find((one) => one.name === name)!.websiteId

  /** The command line, as it is installed, with a token of the administrator. */
  async function command(...words: string[]) {
    token ??= (await innkeeper.must('POST', '/api-tokens', { name: 'Command line', scopes: Object.keys(permissions) }))
      .value
    const env = { ...process.env, INNKEEPER_URL: innkeeper.url, INNKEEPER_TOKEN: token }
    const child = spawn(process.execPath, [join(repository, 'client/dist/innkeeper.js'), ...words], { env })
    const said = { out: '', err: '' }
    child.stdout.on('data', (part) => {
      said.out += part
    })
    child.stderr.on('data', (part) => {
      said.err += part
    })
    return { code: await new Promise((resolve) => child.on('close', resolve)), ...said }
  }

  /** Visits these names ten times a second. Answers the number of visits and the failures. */
  function visitor(...asked: string[]) {
    const stop = { now: false }
    const bad: string[] = []
    const asking = (async () => {
      let n = 0
      for (; !stop.now; n++, await letPass(50, 'between two visits')) {
        const name = asked[n % asked.length]!
        const { status } = await page(name)
        if (status !== 200 && status !== 301) bad.push(`${new Date().toISOString()} ${name} ${status}`)
      }
      return n
    })()
    return {
      async end() {
        stop.now = true
        return { visits: await asking, bad }
      },
    }
  }

  test('aliases, a wildcard and sub-websites answer with their own contents', async () => {
    const path = `/websites/${site.id}`
    const alias = await command('names', 'add-alias', 'old.example', '--domain', '*.old.example', '--wait')
    expect(alias).toMatchObject({ code: 0, err: expect.stringMatching(/^\[\d+\/\d+\] .*old\.example: /m) })
    await done(await innkeeper.must('POST', `${path}/alias`, { domain: 'led.example', mode: 'redirect' }))
    await done(await innkeeper.must('POST', `${path}/subwebsite`, { domain: 'blog.old.example' }))
    await done(
      await innkeeper.must('POST', `${path}/subwebsite`, { domain: 'same.example', root: 'parent', folder: 'en' }),
    )
    await shows('any.old.example', 'http://old.example found')
    expect(await leads('led.example', '/a?b=c')).toBe('301 http://old.example/a?b=c')
    expect((await page('blog.old.example')).body).toContain('<h1>blog.old.example</h1>')
    expect((await page('same.example')).status).toBe(200)
    expect((await page('other.example')).status).toBe(0)
  })

  test('a rename causes no error for visitors, changes the chosen files and redirects the old name', async () => {
    const path = `/websites/${site.id}/rename`
    const { files } = await innkeeper.must('GET', `${path}/files?newDomain=new.example`)
    expect(files.map(({ within }: NamedFile) => within)).toContain('config.php')
    const chosen = files
      .filter(({ within }: NamedFile) => within === 'config.php')
      .map(({ within, sha256 }: NamedFile) => ({ within, sha256 }))
    const visiting = visitor('old.example', 'www.old.example', 'blog.old.example', 'same.example')
    const also = [await idOf('blog.old.example')]
    await done(await innkeeper.must('PATCH', path, { newDomain: 'new.example', keepDays: 7, also, files: chosen }))
    const { visits, bad } = await visiting.end()
    console.log(`${visits} visits during the rename, ${bad.length} without an answer`)
    expect(bad).toEqual([])
    expect(visits).toBeGreaterThan(5)
    await shows('new.example', 'http://new.example found')
    expect(await leads('www.old.example', '/deep/page?q=1')).toBe('301 http://new.example/deep/page?q=1')
    expect((await page('blog.new.example')).status).toBe(200)
    expect(await leads('blog.old.example', '/x')).toBe('301 http://blog.new.example/x')
    expect((await page('same.example')).status).toBe(200)
    const { stdout } = await host.exec(['ls', '-F', `/home/${site.username}`])
    expect(stdout).toContain('new.example/')
    expect(stdout).toContain('old.example@')
    const log = await innkeeper.must('GET', `/websites/${site.id}/log-lines?kind=access`)
    expect(log.lines.join('\n')).toContain('"GET / HTTP')
  })

  test('a former name and its path can be removed early', async () => {
    const old = (await names()).find(({ name }) => name === 'old.example')!
    expect(old).toMatchObject({ kind: 'old', mode: 'redirect' })
    await done(await innkeeper.must('DELETE', `/websites/${old.websiteId}`, {}))
    expect((await page('www.old.example')).status).toBe(200) // the wildcard stays
    expect((await host.exec(['ls', '-F', `/home/${site.username}`])).stdout).not.toMatch(/^old\.example@/m)
  })

  test('names are deleted and restored with the website', async () => {
    const all = ['new.example', 'any.old.example', 'blog.new.example', 'same.example', 'led.example']
    await done(await innkeeper.must('DELETE', `/websites/${site.id}`, {}))
    for (const name of all) expect([name, (await page(name)).status]).toEqual([name, 0])
    await done(await innkeeper.must('POST', `/websites/${site.id}/restore`, {}))
    const answers = await Promise.all(all.map(async (name) => [name, (await page(name)).status]))
    expect(answers).toEqual(all.map((name) => [name, name === 'led.example' ? 301 : 200]))
  })

  test('a failed rename shows its reason, and its roll back restores everything', async () => {
    await host.exec(['mkdir', `/home/${site.username}/taken.example`])
    const asked = await command('names', 'rename', 'new.example', '--new-domain', 'taken.example', '--wait', '--json')
    expect(asked).toMatchObject({ code: 6, err: expect.stringContaining('exists already') })
    const { workflowId } = JSON.parse(asked.out)
    const failed = await ends(innkeeper, workflowId, 'failed')
    const stop = failed.actions.find(({ status }) => status === 'failed')
    expect(stop).toMatchObject({ name: 'document-root.rename', reason: expect.stringContaining('exists already') })
    await innkeeper.must('PATCH', `/workflows/${workflowId}/actions/${stop!.id}`, { actionType: 'rollback' })
    await ends(innkeeper, workflowId, 'rolled-back')
    expect((await page('new.example')).body).toContain('http://new.example')
    expect((await page('taken.example')).status).toBe(0)
    expect((await names()).map(({ name }) => name)).not.toContain('taken.example')
  })
})
