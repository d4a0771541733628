import type { Website } from '@innkeeper/contract/hosting/websites'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser, person, shoot } from './browser.ts'
import { moveIn } from './dokuwiki.ts'
import { createByForm, signInByForm } from './forms.ts'
import { onHosts } from './hosts.ts'
import { openStage, type Stage } from './stage.ts'

describe('DokuWiki on a website that was created through the screens', onHosts, () => {
  let stage: Stage
  let browser: Browser
  let page: Page
  let website: Website

  beforeAll(async () => {
    stage = await openStage('wiki1')
    browser = await openBrowser(stage.host.address)
    page = await (await person(browser, stage.innkeeper)).newPage()
    await page.goto('/')
    await signInByForm(page, 'admin')
    await page.getByText('Signed in as First Administrator').waitFor()
    await createByForm(page, { domain: 'wiki.example', owner: 'Wiki Keeper', server: 'wiki1', plan: 'Shop' })
    const { Websites } = await stage.innkeeper.must('GET', '/websites?domain=wiki.example')
    website = await stage.innkeeper.must('GET', `/websites/${Websites[0].id}`)
    await moveIn(stage.host, website)
  })
  afterAll(async () => {
    await browser?.close()
    await stage?.close()
  })

  test('the browser reads a page that DokuWiki rendered', async () => {
    const answer = await page.goto('http://wiki.example/')
    expect(answer?.status()).toBe(200)
    expect(await page.title()).toBe('start [The guests’ wiki]')
    expect(await page.getAttribute('meta[name=generator]', 'content')).toBe('DokuWiki')
    await page.getByRole('heading', { name: 'This topic does not exist yet' }).waitFor()
    await shoot(page, 'dokuwiki')
  })

  test('a guest writes a page, which is a file of the website’s account', async () => {
    await page.goto('http://wiki.example/doku.php?id=guest_book&do=edit')
    await page.locator('textarea[name=wikitext]').fill('====== Guest book ======\n\nThe **kettle** is on.')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'Guest book' }).waitFor()
    await page.locator('strong', { hasText: 'kettle' }).waitFor() // the heading shows before the rest has arrived
    const file = `/home/${website.username}/wiki.example/var/lib/dokuwiki/data/pages/guest_book.txt`
    const ran = await stage.host.exec(['stat', '--format=%U:%G', file])
    expect(ran.stdout).toBe(`${website.username}:${website.username}\n`)
  })

  test('style sheets and pictures of the application load', async () => {
    const failed: string[] = []
    page.on('response', (answer) => void (answer.status() >= 400 && failed.push(`${answer.status()} ${answer.url()}`)))
    await page.goto('http://wiki.example/doku.php?id=guest_book', { waitUntil: 'networkidle' })
    expect(failed).toEqual([])
    expect(await page.evaluate(() => document.styleSheets.length)).toBeGreaterThan(0)
  })
})
