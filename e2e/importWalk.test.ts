import { Resolver } from 'node:dns/promises'
import type { ArchiveImportView } from '@innkeeper/contract/recovery/archiveImports/shapes'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { asNameServer } from './authority.ts'
import { complaints, openBrowser, person, settled, shoot, violations } from './browser.ts'
import { putHestiaArchive } from './hestiaArchive.ts'
import { onHosts } from './hosts.ts'
import { addOwner, ends, visit } from './sites.ts'
import { openStage, type Stage } from './stage.ts'
import { until } from './until.ts'
import { untilVerified, workflow } from './workflows.ts'

const [shop, box] = ['old-shop.example', 'second@old-shop.example']
const path = '/backup/alice.tar'

/** The configuration of the shop as WordPress writes it, which gets the new password of the database. */
const wordpress = `cat > /tmp/data-shop/public_html/wp-config.php <<'END'
<?php
define( 'DB_NAME', 'alice_shop' );
define( 'DB_USER', 'alice_shop' );
define( 'DB_PASSWORD', 'old shop password' );
define( 'DB_HOST', 'localhost' );
require_once __DIR__ . '/wp-settings.php';
END
echo '<?php' > /tmp/data-shop/public_html/wp-settings.php; chown 4321:4321 /tmp/data-shop/public_html/wp-*`

/** A server with websites, mail and the name server, and an archive that lacks three passwords. */
describe('an import that somebody watches', onHosts, () => {
  let stage: Stage
  let browser: Browser
  let id: number
  const open: BrowserContext[] = []
  const complained: string[][] = []

  beforeAll(async () => {
    stage = await openStage('walk1', { layer: 'mail' })
    const types = '/cloud-management/server-types/all-in-one/services'
    const { services, version } = await api('GET', types)
    await api('PATCH', types, { services: [...new Set([...services, 'postfix', 'dovecot'])], version })
    await asNameServer(stage)
    await putHestiaArchive(
      stage.host,
      path,
      wordpress,
      `sed -i "2s/MD5='[^']*'/MD5=''/" mail/${shop}/hestia/${shop}.conf
       sed -i "s/FTP_MD5='[^']*'/FTP_MD5='unreadable'/" web/${shop}/hestia/web.conf
       sed -i "s/MD5='[^']*'/MD5=''/" db/alice_shop/hestia/db.conf`,
    )
    browser = await openBrowser(stage.host.address)
  })
  afterAll(async () => {
    await browser?.close()
    await stage?.close()
  })
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail')
      for (const page of open.flatMap((context) => context.pages())) await shoot(page, `failed ${task.name}`)
    for (const context of open.splice(0)) await context.close()
    expect(complained.splice(0).flat()).toEqual([])
  })

  const api = (method: 'GET' | 'POST' | 'DELETE' | 'PATCH', at: string, body?: unknown) =>
    stage.innkeeper.must(method, at, body)
  const run = async (script: string) => {
    const { code, stdout, stderr } = await stage.host.exec(['sh', '-c', script])
    return code === 0 ? stdout.trim() : `${code}: ${stdout}${stderr}`
  }
  const newPage = async (look: Parameters<typeof person>[2] = {}): Promise<Page> => {
    const context = await person(browser, stage.innkeeper, look)
    open.push(context)
    const page = await context.newPage()
    complained.push(complaints(page))
    return page
  }
  const asAdmin = () => newPage({ token: stage.innkeeper.token })
  const view = (): Promise<ArchiveImportView> => api('GET', `/archive-imports/${id}`)
  const actions = async () => (await workflow(stage.innkeeper, (await view()).workflowId ?? 0)).actions
  /** Stops the import before the step with this title: earlier ones end. */
  const pausedBefore = async (title: string) => {
    const page = await asAdmin()
    await page.goto(`/archive-imports/${id}`)
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Resume' }).waitFor()
    await until(`nothing runs and ${title} waits`, async () => {
      const all = await actions()
      return (
        all.every(({ status }) => status !== 'running') &&
        all.some((one) => one.title === title && one.status === 'pending')
      )
    })
    return page
  }

  test('is paused, goes on, is rolled back while it is paused, and leaves nothing', async () => {
    const { data, workflowId } = await api('POST', '/archive-imports', { serverId: stage.server, path })
    await ends(stage.innkeeper, workflowId, 'done')
    id = data.id
    const userId = await addOwner(stage.innkeeper)
    const { items } = await api('GET', '/system-user/plans')
    const plan = items.find((one: { name: string }) => one.name === 'Business').id
    await api('POST', `/archive-imports/${id}/start`, { userId, plan })
    const page = await pausedBefore('Compare')
    await page.getByText('Paused until somebody resumes it').waitFor()
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Resume' }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Roll back…' }).first().click()
    await page.getByRole('button', { name: 'Roll back import' }).click()
    await until('everything is gone', async () => (await view()).status === 'rolled-back')
    expect(await run('getent passwd alice; ls /var/lib/mysql | grep alice; ls /home')).toBe('')
    expect((await api('GET', `/dns/zones?search=${shop}`)).items).toEqual([])
    expect((await view()).passwords).toEqual([])
    await api('POST', `/archive-imports/${id}/start`, { userId, plan })
    expect((await view()).plan?.filter(({ verdict }) => verdict === 'left out')).toEqual([])
  })

  test('asks the name server of each zone, which answers as the archive says', async () => {
    const first = await untilVerified(stage.innkeeper, id)
    expect([first.status, first.reason]).toEqual(['verified', null])
    const of = ({ report }: ArchiveImportView) => report?.filter(({ kind }) => kind === 'zone')
    expect(of(first)?.map(({ verdict }) => verdict)).toEqual(['same', 'same'])
    const resolver = new Resolver({ timeout: 2000 })
    resolver.setServers([stage.host.address])
    expect(await resolver.resolve4(shop)).toEqual([stage.host.address])
    expect(await resolver.resolve4(`elsewhere.${shop}`)).toEqual(['198.51.100.7'])
    expect(await resolver.resolveMx(shop)).toMatchObject([{ exchange: `mail.${shop}`, priority: 10 }])
  })

  test('shows new passwords by links that open once, to people who are not signed in', async () => {
    const now = await untilVerified(stage.innkeeper, id)
    expect(now.passwords.map(({ kind, login, state }) => `${kind} ${login} ${state}`)).toEqual([
      `mailbox ${box} waiting`,
      'database alice_shop waiting',
      'ftp alice_up waiting',
    ])
    const page = await asAdmin()
    await page.goto(`/archive-imports/${id}`)
    await page.getByText('3 passwords are new').waitFor()
    await page.getByRole('button', { name: 'Make 3 links…' }).click()
    await page.getByRole('button', { name: 'Make links' }).click()
    const block = page.getByRole('region', { name: 'one-use links' })
    const links = new Map(
      ((await block.textContent()) ?? '').split('\n').map((line) => line.split('\t') as [string, string]),
    )
    await shoot(page, 'links made')
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('3 links wait to be opened').waitFor()
    expect(await violations(page)).toEqual([])
    expect([...links.keys()]).toEqual([box, 'alice_shop', 'alice_up'])

    const opened = new Map<string, string>()
    for (const [login, link] of links) {
      // a program that follows the links of a mail, with and without the fragment, uses nothing up
      const answer = await fetch(link.replace('#', '?'))
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        ...{ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
        ...{ 'x-robots-tag': 'noindex, nofollow' },
      })
      const customer = await newPage(login === box ? { narrow: true } : login === 'alice_up' ? { dark: true } : {})
      await customer.goto(link)
      await customer.getByRole('button', { name: 'Show the password' }).waitFor()
      expect(await violations(customer)).toEqual([])
      await shoot(customer, `link before ${login}`)
      expect((await view()).passwords.find((one) => one.login === login)?.state).toBe('open')
      await customer.getByRole('button', { name: 'Show the password' }).click()
      opened.set(login, (await customer.getByRole('region', { name: 'password', exact: true }).textContent()) ?? '')
      expect(await customer.getByRole('region', { name: 'user name' }).textContent()).toBe(login)
      expect(await violations(customer)).toEqual([])
      await shoot(customer, `link opened ${login}`)
      expect(new URL(customer.url()).hash).toBe('')
      const later = await newPage()
      await later.goto(link)
      await later.getByRole('button', { name: 'Show the password' }).click()
      await later.getByText('This link was opened on').waitFor()
    }
    // each password is the one that works
    expect(await run(`doveadm auth test ${box} '${opened.get(box)}'`)).toContain('auth succeeded')
    expect(
      await run(`mariadb -BN -ualice_shop -p'${opened.get('alice_shop')}' alice_shop -e 'select count(*) from posts'`),
    ).toBe('2')
    expect((await visit(stage.host.address, shop)).body).toBe('from the old blåbær database')
    expect(
      await run(`curl -sSk --ssl-reqd -u 'alice_up:${opened.get('alice_up')}' ftp://${stage.host.address}/`),
    ).toContain('good')
    await page.reload()
    await settled(page)
    expect(await page.getByText('Opened', { exact: true }).count()).toBe(3)
    await shoot(page, 'links opened')
    const rows = await api('GET', '/logs?itemsPerPage=100')
    for (const secret of [...opened.values(), ...[...links.values()].map((link) => link.split('#')[1])])
      expect(JSON.stringify(rows)).not.toContain(secret)
  })

  test('prints plan and comparison for the customer', async () => {
    const page = await asAdmin()
    await page.addInitScript(() => Object.assign(window, { print: () => undefined }))
    await page.goto(`/archive-imports/${id}`)
    await settled(page)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Print' }).click()
    await page.locator('[data-print-paper]').waitFor({ state: 'attached' })
    const pdf = await page.pdf({ format: 'A4', ...(process.env.INNKEEPER_PDF && { path: process.env.INNKEEPER_PDF }) })
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  })
})
