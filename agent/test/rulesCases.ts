import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { applications } from '@innkeeper/contract/net/originVhosts/applications'
import { expect, test } from 'vitest'
import { rootOf, siteOf } from './fixtures.ts'
import type { Host, Practice } from './practice.ts'

const own = {
  nginx: {
    good: 'location = /old { return 301 /new; }\nlocation ^~ /assets/ {\n  add_header X-Own yes;\n}',
    bad: '# patterns\nlocation ~ "^/(" { return 404; }',
    takesChallenges: 'return 301 https://elsewhere.example$request_uri;',
  },
  apache: {
    good: 'RewriteRule ^/old$ /new [R=301,L]\n<Location /assets>\n  Header set X-Own yes\n</Location>',
    bad: '# patterns\nRewriteRule "^/(" "/new" [R=301]',
    takesChallenges: 'RewriteRule ^/\\.well-known/ - [R=404,L]',
  },
}
/** The least that looks like WordPress to the search, and answers like it. */
const network: Record<string, string> = {
  'index.php': '<?php echo "page ", $_SERVER["REQUEST_URI"];',
  'wp-load.php': '<?php',
  'wp-config.php': `<?php\ndefine( 'MULTISITE', true );\ndefine( 'SUBDOMAIN_INSTALL', false );\n`,
  'wp-login.php': '<?php echo "login";',
  'wp-admin/index.php': '<?php echo "admin";',
  'wp-includes/version.php': '<?php',
  'wp-includes/x.js': 'script',
  'wp-content/uploads/evil.php': '<?php echo "evil";',
  'assets/a.txt': 'asset',
  'assets/x.php': '<?php echo "ran";',
  'assets/.secret': 'hidden',
}

/** Rules of applications and own rules, asked of the real web server. */
export function rulesCases(web: 'nginx' | 'apache', practice: () => Practice<Host>): void {
  const ensure = `${web}-site.ensure` as const
  const domain = 'network.example'
  const get = async (path: string) => {
    const shown = '\n%{http_code} %{redirect_url} %header{x-own}'
    const ran = await practice().host.exec([
      ...['curl', '-s', '-w', shown, '-H', `Host: ${domain}`, `http://127.0.0.1${path}`],
    ])
    const at = ran.stdout.lastIndexOf('\n')
    const [status, to, own] = ran.stdout.slice(at + 1).split(' ')
    return { status: Number(status), body: ran.stdout.slice(0, at), to, own }
  }
  const rules = (application: (typeof applications)[number], text = '') => ({
    ...siteOf(domain),
    rules: { application, ownRules: text },
  })

  test('leads names below a former name of a network to the names below the present one', async () => {
    const p = practice()
    const site = { ...siteOf('now.example'), aliases: ['www.now.example', '*.now.example'] }
    await p.done('document-root.ensure', rootOf('now.example'))
    const redirects = ['then.example', 'www.then.example', '*.then.example']
    await p.done(ensure, { ...site, redirects, rules: { application: 'wordpress-names', ownRules: '' } })
    const leads = async (host: string) => {
      const shown = ['-o', '/dev/null', '-w', '%{http_code} %{redirect_url}', '-H', `Host: ${host}`]
      return (await p.host.exec(['curl', '-s', ...shown, 'http://127.0.0.1/a%2Fb?c=d'])).stdout
    }
    expect(await leads('Shop.then.example')).toMatch(/^301 http:\/\/shop\.now\.example\/a%2Fb\?c=d$/i)
    for (const name of ['then.example', 'www.then.example'])
      expect([name, await leads(name)]).toEqual([name, '301 http://now.example/a%2Fb?c=d'])
    await p.done(ensure, { ...site, redirects })
    expect(await leads('shop.then.example')).toBe('301 http://now.example/a%2Fb?c=d')
  })

  test('serves a network of WordPress in sub-folders once the search has found one, and undo serves the usual rules', async () => {
    const p = practice()
    const { path } = rootOf(domain)
    await p.done('document-root.ensure', rootOf(domain))
    const find = async () =>
      (await p.done('website-applications.find', { sites: [{ id: 7, username: 'web1', path }] })).output
    expect(await find()).toEqual({ found: [{ id: 7, application: null }] })
    for (const [file, text] of Object.entries(network)) {
      mkdirSync(dirname(`${p.host.root}${path}/${file}`), { recursive: true })
      writeFileSync(`${p.host.root}${path}/${file}`, text)
    }
    await p.sh('chown', '-R', 'web1:web1', path)
    // PHP answers two seconds from memory what it has compiled: the first page has never been asked for
    await p.done(ensure, siteOf(domain))
    expect(await find()).toEqual({ found: [{ id: 7, application: 'wordpress-folders' }] })
    expect((await get('/shop/wp-login.php')).body).not.toBe('login')
    const change = { ...rules('wordpress-folders'), before: 'active' as const, beforeRules: null }
    const made = await p.done(ensure, change)
    expect((await get('/shop/wp-login.php')).body).toBe('login')
    expect(await get('/shop/wp-admin')).toMatchObject({ status: 301, to: `http://${domain}/shop/wp-admin/` })
    expect((await get('/shop/wp-admin/')).body).toBe('admin')
    expect((await get('/shop/wp-includes/x.js')).body).toBe('script')
    expect((await get('/wp-admin/')).body).toBe('admin')
    expect((await get('/shop/hello/?a=1')).body).toBe('page /shop/hello/?a=1')
    for (const where of ['', '/shop']) expect((await get(`${where}/wp-content/uploads/evil.php`)).status).toBe(403)
    await p.done(ensure, change, { id: made.id, task: 'undo' })
    expect((await get('/shop/wp-login.php')).body).not.toBe('login')
    expect((await p.get(domain)).body).toContain('page /')
  })

  test('serves pages of Nextcloud that are folders, too, and takes the parts of a large upload', async () => {
    const p = practice()
    await p.done('document-root.ensure', rootOf('cloud.example'))
    const { path } = rootOf('cloud.example')
    const page = '<?php echo $_SERVER["REQUEST_URI"], " ", $_SERVER["CONTENT_LENGTH"] ?: 0;'
    await p.sh(
      'sh',
      '-c',
      `mkdir -p ${path}/apps/files ${path}/data; echo '${page}' > ${path}/index.php; echo x > ${path}/data/a.txt`,
    )
    const rules = { application: 'nextcloud' as const, ownRules: '' }
    await p.done(ensure, { ...siteOf('cloud.example'), rules })
    const body = async (at: string) => (await p.get('cloud.example', at)).body
    expect([await body('/apps/files/'), await body('/apps/none')]).toEqual(['/apps/files/ 0', '/apps/none 0'])
    expect((await p.get('cloud.example', '/data/a.txt')).status).toBe(404)
    const large =
      "head -c 104857600 /dev/zero > /tmp/part; curl -s -H 'Host: cloud.example' -T /tmp/part http://127.0.0.1/index.php/part; rm /tmp/part"
    expect(await p.sh('sh', '-c', large)).toBe('/index.php/part 104857600')
  })

  test('serves own rules; PHP and hidden files stay what they are below them', async () => {
    const p = practice()
    await p.done(ensure, rules('front-controller', own[web].good))
    expect(await get('/old')).toMatchObject({ status: 301, to: `http://${domain}/new` })
    expect(await get('/assets/a.txt')).toMatchObject({ body: 'asset', own: 'yes' })
    expect((await get('/assets/x.php')).body).toBe('ran')
    expect((await get('/assets/.secret')).status).toBe(403)
    expect((await get('/new')).body).toBe('page /new')
  })

  test('says what is wrong in which line, and changes nothing', async () => {
    const p = practice()
    const asked = async (text: string) => (await p.done('site-rules.check', rules('wordpress', text))).output
    expect(await asked(own[web].good)).toEqual({ problem: null })
    expect(await asked(own[web].bad)).toEqual({ problem: expect.stringMatching(/, in line 2$/) })
    expect((await get('/old')).status).toBe(301)
    await expect(p.done(ensure, rules('wordpress', own[web].bad))).rejects.toThrow(/refuses this configuration/)
    await expect(p.done(ensure, rules('wordpress', 'include /etc/passwd;'))).rejects.toThrow(/Line 1/)
    expect((await get('/old')).status).toBe(301)
    for (const application of applications)
      expect((await p.done('site-rules.check', rules(application))).output, application).toEqual({ problem: null })
  })

  test('leaves the challenges of certificates alone: nginx refuses own rules that take them, Apache answers them first', async () => {
    const p = practice()
    await p.done('acme-answer.ensure', { thumbprint: 'x'.repeat(43) })
    const { status, reason } = await p.op(ensure, rules('front-controller', own[web].takesChallenges))
    if (web === 'nginx') {
      expect(`${status} ${reason}`).toMatch(/^failed .*for (?:its mark|a challenge of its certificate)$/)
      expect((await get('/old')).status).toBe(301)
    } else expect(status).toBe('done')
    expect((await get('/.well-known/acme-challenge/abc')).body).toContain('abc.')
    await p.done(`${web}-site.remove`, siteOf(domain))
  })
}
