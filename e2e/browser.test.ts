import type { Website } from '@innkeeper/contract/hosting/websites'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { complaints, openBrowser, person, settled, shoot, violations } from './browser.ts'
import { createByForm, fillWebsite, pill, signInByForm } from './forms.ts'
import { onHosts } from './hosts.ts'
import { created } from './sites.ts'
import { openStage, type Stage } from './stage.ts'
import { until } from './until.ts'

describe('a new user in the browser', onHosts, () => {
  let stage: Stage
  let browser: Browser
  const open: BrowserContext[] = []
  const complained: string[][] = []

  beforeAll(async () => {
    stage = await openStage('browser1', { people: { few: ['website:website:read'] } })
    browser = await openBrowser(stage.host.address)
  })
  afterAll(async () => {
    await browser?.close()
    await stage?.close()
  })
  beforeEach(async () => {
    // in case the previous test failed
    await stage.host.exec(['rm', '-f', '/etc/nginx/conf.d/by-hand.conf'])
    await stage.host.exec(['systemctl', 'start', 'innkeeper-agent'])
  })
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail')
      for (const page of open.flatMap((context) => context.pages())) await shoot(page, `failed ${task.name}`)
    for (const context of open.splice(0)) await context.close()
    expect(complained.splice(0).flat()).toEqual([])
  })

  async function newPage(look: Parameters<typeof person>[2] = {}): Promise<Page> {
    const context = await person(browser, stage.innkeeper, look)
    open.push(context)
    const page = await context.newPage()
    complained.push(complaints(page))
    return page
  }
  const asAdmin = () => newPage({ token: stage.innkeeper.token })
  const byName = async (domain: string): Promise<Website> => {
    const { Websites } = await stage.innkeeper.must('GET', `/websites?domain=${domain}`)
    return Websites[0]
  }

  test('a wrong password shows an error, the right one signs in', async () => {
    const page = await newPage()
    await page.goto('/')
    await page.waitForURL('**/login')
    await signInByForm(page, 'admin', 'not the password')
    await page.getByRole('alert').getByText('User name or password is wrong').waitFor()
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('')
    expect(await violations(page)).toEqual([])
    await signInByForm(page, 'admin')
    await page.getByText('Signed in as First Administrator').waitFor()
    expect(new URL(page.url()).pathname).toBe('/')
    await page.goto('/login')
    await page.getByText('Signed in as First Administrator').waitFor()
  })

  test('a link to a page opens that page after sign-in', async () => {
    const page = await newPage()
    await page.goto('/websites?status=active&page=1')
    await page.waitForURL('**/login?to=*')
    await signInByForm(page, 'admin')
    await page.getByRole('heading', { level: 1, name: 'Websites' }).waitFor()
    expect(page.url()).toContain('/websites?status=active')
  })

  test('creates the first website from the empty list to the served page, with live progress', async () => {
    const { host } = stage
    const page = await asAdmin()
    await page.goto('/websites')
    await page.getByRole('heading', { name: 'No website yet' }).waitFor()
    await page.getByRole('link', { name: 'Create website' }).first().click()
    await page.waitForURL('**/websites/create')
    await fillWebsite(page, { domain: 'newcomer.example', owner: 'Nordlys Kaffe', server: 'browser1' })
    await page.getByText('Linux account newcomer, 512 MB, 100% CPU').waitFor()
    await page.getByText('5 actions on browser1').waitFor()
    await host.exec(['systemctl', 'stop', 'innkeeper-agent']) // so that the first actions stay visible
    await page.getByRole('button', { name: 'Create website' }).click()
    await page.getByRole('heading', { level: 1, name: 'newcomer.example' }).waitFor()
    await pill(page, 'Creating').waitFor()
    await page.getByLabel('Progress of the workflow').waitFor({ state: 'attached' }) // its width is still zero
    await host.exec(['systemctl', 'start', 'innkeeper-agent'])
    await pill(page, 'Active').waitFor() // without a reload, by the WebSocket
    await page.getByText(/^Took \d/).waitFor()

    const opened = page.context().waitForEvent('page')
    await page.getByRole('link', { name: 'Open site' }).click()
    const site = await opened
    await site.getByRole('heading', { level: 1, name: 'newcomer.example' }).waitFor()
    await site.getByText('It works. This website is ready for its files.').waitFor()
    expect(new URL(site.url()).host).toBe('newcomer.example')
  })

  test('suspending asks for a reason, and visitors see the suspension page', async () => {
    const page = await asAdmin()
    await createByForm(page, { domain: 'paused.example', owner: 'Paused Owner', server: 'browser1' })
    await page.getByRole('button', { name: 'Suspend…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Suspend paused.example?' })
    await dialog.getByLabel('Reason').fill('The bill of October')
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Suspend website' }).click()
    await pill(page, 'Suspended').waitFor()
    const visitor = await page.context().newPage()
    const answer = await visitor.goto('http://paused.example/')
    expect(answer?.status()).toBe(503)
    await visitor.getByRole('heading', { level: 1 }).waitFor()
  })

  test('a refused call shows a dialog titled Error with a Close button', async () => {
    const { innkeeper, host, server } = stage
    const site = await created(innkeeper, server, 'busy.example')
    const page = await asAdmin()
    await page.goto(`/websites/${site.id}`)
    await pill(page, 'Active').waitFor()
    await page.getByRole('button', { name: 'Suspend…' }).click()
    await host.exec(['systemctl', 'stop', 'innkeeper-agent'])
    try {
      await innkeeper.must('PATCH', `/websites/${site.id}`, { status: 'suspended' }) // another person is faster
      await page.getByRole('button', { name: 'Suspend website' }).click()
      const dialog = page.getByRole('dialog', { name: 'Error' })
      await dialog
        .getByText(/^busy\.example (is being suspended by First Administrator|was changed by somebody)/)
        .waitFor()
      const box = await dialog.boundingBox()
      expect(box?.width).toBeLessThanOrEqual(600)
      expect(await violations(page)).toEqual([])
      await dialog.getByRole('button', { name: 'Close' }).click()
      await dialog.waitFor({ state: 'hidden' })
    } finally {
      await host.exec(['systemctl', 'start', 'innkeeper-agent'])
    }
    await pill(page, 'Suspended').waitFor()
  })

  test('a failed action shows its reason, and Retry continues', async () => {
    const { innkeeper, host, server } = stage
    await host.exec(['sh', '-c', 'echo "nonsense on;" > /etc/nginx/conf.d/by-hand.conf'])
    const owner = await innkeeper.must('POST', '/owners', { name: 'Stuck', email: 'stuck@example.org' })
    const wanted = { originServer: server, domain: 'stuck.example', plan: 'Business', userId: owner.id }
    const { data } = await innkeeper.must('POST', '/websites', wanted)
    const page = await asAdmin()
    await page.goto(`/websites/${data.id}`)
    await pill(page, 'Failed').waitFor()
    await page
      .getByText(/by-hand\.conf/)
      .first()
      .waitFor()
    await settled(page)
    await shoot(page, 'website-failed-light')
    expect(await violations(page)).toEqual([])
    await host.exec(['rm', '/etc/nginx/conf.d/by-hand.conf'])
    await page.getByRole('button', { name: 'Retry', exact: true }).click()
    await pill(page, 'Active').waitFor()
  })

  test('an unknown address shows Page not found', async () => {
    const page = await asAdmin()
    await page.goto('/nothing/here')
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
    await settled(page)
    await shoot(page, 'not-found-light')
    expect(await violations(page)).toEqual([])
    // an address of the form of a page has no title of that page
    await page.goto('/server/list')
    await page.waitForFunction(() => document.title.startsWith('Page not found'))
    await page.getByRole('link', { name: 'Back to home' }).click()
    await page.getByText('Signed in as First Administrator').waitFor()
  })

  test('session and dark theme survive a reload', async () => {
    const page = await newPage()
    await page.goto('/')
    await signInByForm(page, 'admin')
    await page.getByRole('button', { name: /account of First Administrator/ }).click()
    await page.getByRole('menuitem', { name: 'Dark theme' }).click()
    const scheme = () => page.evaluate(() => document.documentElement.dataset.mantineColorScheme)
    await expect.poll(scheme).toBe('dark')
    await page.reload()
    await page.getByText('Signed in as First Administrator').waitFor()
    await expect.poll(scheme).toBe('dark')
    await page.getByRole('button', { name: /account of First Administrator/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    await expect.poll(() => page.evaluate(() => localStorage.getItem('innkeeper.user'))).toBeNull()
  })

  test('a revoked session ends at once with a message', async () => {
    const { innkeeper } = stage
    const token = await innkeeper.signIn('admin')
    const sockets = async () => {
      const metrics = await (await fetch(`${innkeeper.url}/metrics`)).text()
      return Number(/^innkeeper_sockets (\d+)$/m.exec(metrics)?.[1])
    }
    await until('sockets of earlier tests are closed', async () => (await sockets()) === 0)
    const page = await newPage({ token })
    await page.goto('/websites')
    await page.getByRole('heading', { level: 1, name: 'Websites' }).waitFor()
    await until('the page has its socket', async () => (await sockets()) === 1)
    await innkeeper.must('GET', '/auth/logout', undefined, token)
    const refresh = page.getByRole('button', { name: 'Refresh' })
    const toast = page.getByRole('alert').filter({ hasText: 'Authentication Error' })
    const shown = toast.getByText('Invalid token provided. Please login again.', { exact: true }).waitFor()
    await refresh.click({ timeout: 2000 }).catch(() => undefined) // the button may be gone, because the socket was notified
    await shown
    await page.waitForURL('**/login*')
    await toast.waitFor({ state: 'hidden' }) // RP8-001: the toast stays for 5 s
  })

  test('the menu shows permitted pages, and a disabled button names the missing permission', async () => {
    const page = await newPage({ token: await stage.innkeeper.signIn('few') })
    await page.goto('/websites')
    const menu = page.getByRole('navigation', { name: 'Main menu' })
    await menu.getByRole('link', { name: 'Websites' }).first().waitFor()
    expect(await menu.getByRole('link', { name: 'Server', exact: true }).count()).toBe(0)
    const button = page.getByRole('button', { name: 'Create website' }).first()
    expect(await button.getAttribute('aria-disabled')).toBe('true')
    await button.focus()
    await page
      .getByText(/Needs “Create websites”/)
      .first()
      .waitFor()
    await page.goto('/server')
    await page.getByRole('alert').getByText('You may not open Servers').waitFor()
    await page.getByText('“See servers”').waitFor()
    expect(new URL(page.url()).pathname).toBe('/')
  })

  test('Ctrl-K finds a domain and opens it by keyboard', async () => {
    const site = await created(stage.innkeeper, stage.server, 'findme.example')
    const page = await asAdmin()
    await page.goto('/')
    await settled(page)
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder(/^Screens, /).fill('findme')
    await page.getByText('findme.example').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/websites/${site.id}`)
  })

  test('Ctrl-K takes letters from the first one on, and finds screens by what people call them', async () => {
    const page = await asAdmin()
    await page.goto('/websites')
    await settled(page)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('create leave') // without a pause: c alone would open the form for a website
    expect(await page.getByPlaceholder(/^Screens, /).inputValue()).toBe('create leave')
    await page.getByText('Leaves / New').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/leaves/new')
  })

  test('a field takes the letters that are keys of its screen', async () => {
    const page = await asAdmin()
    await page.goto('/websites')
    await settled(page)
    const field = page.getByPlaceholder('Domain')
    await field.click()
    await page.keyboard.type('jukebox?')
    expect(await field.inputValue()).toBe('jukebox?')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder(/^Screens, /).waitFor()
  })

  test('C opens the form of the list, Shift+C the form for a bug on every page', async () => {
    const page = await asAdmin()
    await page.goto('/websites')
    await settled(page)
    await page.keyboard.press('Shift+C')
    await page.getByRole('dialog').getByLabel('Title').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.keyboard.press('Shift+?')
    const keys = page.getByRole('dialog', { name: 'Keyboard' })
    await keys.waitFor()
    // a dialog without fields is read from its begin: its closing cross does not have the focus
    await page.waitForFunction(() => document.activeElement?.textContent?.includes('Ctrl K'))
    await page.keyboard.press('Escape')
    await keys.waitFor({ state: 'hidden' })
    await page.keyboard.press('c')
    await page.waitForURL('**/websites/create')
  })

  test('Enter takes the first option that the server has found', async () => {
    await stage.innkeeper.must('POST', '/owners', { name: 'Ylva Berg', email: 'ylva@example.org' })
    const page = await asAdmin()
    await page.goto('/websites/create')
    const owner = page.getByRole('combobox', { name: 'Owner' })
    await owner.click()
    await page.keyboard.type('ylva')
    await page.locator('[data-combobox-selected]').getByText('Ylva Berg').waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => owner.inputValue()).toBe('Ylva Berg')
  })

  test('a list is filtered by an owner, whose name is shown after a reload too', async () => {
    await created(stage.innkeeper, stage.server, 'not-hers.example')
    const owner = await stage.innkeeper.must('POST', '/owners', { name: 'Åse Østby', email: 'ase@example.org' })
    const her = await created(stage.innkeeper, stage.server, 'hers.example', { userId: owner.id })
    const page = await asAdmin()
    await page.goto('/websites')
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Owner…' }).click()
    await page.getByRole('textbox', { name: 'Search Owner' }).fill('østby')
    await page.getByRole('group', { name: 'Owner' }).getByRole('button', { name: owner.name }).click()
    await page.waitForURL(`**/websites?userid=${owner.id}`)
    await page.goto(`/websites?userid=${owner.id}&status=failed`) // no row contains the name
    await page.getByRole('button', { name: `Owner ${owner.name}` }).waitFor()
    await page.getByRole('button', { name: 'Remove the filter Status' }).click()
    await page.getByRole('link', { name: her.domain }).waitFor()
    expect(await page.getByRole('link', { name: 'not-hers.example' }).count()).toBe(0)
  })

  test('deleting requires the name and removes the website', async () => {
    const page = await asAdmin()
    await createByForm(page, { domain: 'unwanted.example', owner: 'Unwanted Owner', server: 'browser1' })
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Delete…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete unwanted.example?' })
    await dialog.waitFor()
    await page.keyboard.press('Escape') // the focus returns to the button of the menu that is gone
    await expect.poll(() => page.evaluate(() => document.activeElement?.ariaLabel)).toBe('More actions')
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Delete…' }).click()
    const verb = dialog.getByRole('button', { name: 'Delete website' })
    await dialog.getByRole('textbox').fill('unwanted.exampl')
    expect(await verb.isDisabled()).toBe(true)
    await dialog.getByRole('textbox').fill('unwanted.example')
    await verb.click()
    await until('the website is deleted', async () => (await byName('unwanted.example')) === undefined)
  })
})
