import type { Host } from '@innkeeper/lab/host'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sliced } from '../bin/slice.ts'
import { complaints, type Look, openBrowser, person, settled, shoot, signedIn, still, violations } from './browser.ts'
import { enrol, freshHost, onHosts } from './hosts.ts'
import { addFixtures, fill, readScreens, type ScreenPlace } from './screens.ts'
import { created, ends } from './sites.ts'
import { openStage, type Stage } from './stage.ts'

type NamedLook = Look & { name: string }

const screens = await readScreens()
const keyOf = ({ scopes }: ScreenPlace) => scopes.join(' ')
const keys = [...new Set(screens.map(keyOf))]
/** A person per set of permissions that a screen requires. */
const holder = (screen: ScreenPlace) => `holder${keys.indexOf(keyOf(screen))}`
const people = Object.fromEntries(screens.map((screen) => [holder(screen), screen.scopes]))
const guarded = screens.filter(({ scopes }) => scopes.length)
const wide: NamedLook = { name: 'wide and light' }
const narrow: NamedLook = { name: 'narrow and dark', narrow: true, dark: true }
/** Each theme and each width once: colours depend on the theme only, sideways scrolling on the width only. */
const looks = [wide, narrow]
/** The administrator opens every screen narrow, and one slice wide: the holders of permissions open every screen wide. */
const places: [ScreenPlace, NamedLook][] = [
  ...screens.map((screen): [ScreenPlace, NamedLook] => [screen, narrow]),
  ...sliced(screens).map((screen): [ScreenPlace, NamedLook] => [screen, wide]),
]
/** Replaces `$`, which marks a field in test titles. */
const named = (path: string) => path.replaceAll('$', ':')

describe('every screen', onHosts, () => {
  let stage: Stage
  let other: Host | undefined
  let browser: Browser
  let values: Awaited<ReturnType<typeof addFixtures>>

  beforeAll(async () => {
    stage = await openStage('screens1', { people: { ...people, nobody: [] } })
    const { innkeeper, server } = stage
    const enrolled = freshHost(stage.lab, 'screens2').then((host) => {
      other = host
      return enrol(innkeeper, host)
    })
    const [otherServer, website] = await Promise.all([enrolled, created(innkeeper, server, 'shown.example')])
    values = await addFixtures({
      post: (path: string, body?: unknown) => innkeeper.must('POST', path, body),
      done: (workflowId: number) => ends(innkeeper, workflowId, 'done'),
      addWebsite: async (domain: string) => (await created(innkeeper, server, domain)).id,
      ...{ server, otherServer, website: website.id, systemUser: website.systemUserId },
    })
    browser = await openBrowser(stage.host.address)
  })
  afterAll(async () => {
    await browser?.close()
    await other?.wipe()
    await stage?.close()
  })

  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail')
      for (const open of windows.values()) await shoot((await open).page, `failed ${task.name.replaceAll('/', '-')}`)
  })

  interface Window {
    page: Page
    complained: string[]
    /** User name of the signed-in person. */
    who: string | undefined
  }
  const windows = new Map<string, Promise<Window>>()
  /** A window per look, reused for all screens, so that loaded scripts stay loaded. */
  function windowOf({ name, ...look }: NamedLook): Promise<Window> {
    const open = async () => {
      const page = await (await person(browser, stage.innkeeper, look)).newPage()
      const complained = complaints(page)
      await page.goto('/login')
      return { page, complained, who: undefined }
    }
    const known = windows.get(name) ?? open()
    windows.set(name, known)
    return known
  }
  const tokenOf = (who: string) => (who === 'admin' ? stage.innkeeper.token : stage.innkeeper.signIn(who))

  /** Loads the path as this person; answers the final path, the contents and the console errors. */
  async function look(path: string, who: string, how = wide) {
    const window = await windowOf(how)
    if (window.who !== who) {
      const stored = signedIn(await tokenOf(who))
      await window.page.evaluate((items) => {
        for (const { name, value } of items) localStorage.setItem(name, value)
      }, stored)
      window.who = who
    }
    window.complained.length = 0
    await window.page.goto(path)
    return seen(window)
  }

  /** Opens the path as the signed-in administrator without a reload, like a link. */
  async function follow(path: string, how: NamedLook) {
    const window = await windowOf(how)
    if (window.who !== 'admin') return look(path, 'admin', how)
    window.complained.length = 0
    await window.page.evaluate((to) => history.pushState({}, '', to), path)
    return seen(window)
  }

  async function seen({ page, complained }: Window) {
    await still(page)
    return {
      path: new URL(page.url()).pathname,
      heading: await page.getByRole('heading', { level: 1 }).first().innerText(),
      said: await page.locator('body').innerText(),
      complained: [...complained],
      wide: await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
      page,
    }
  }
  test('the checks of this file find planted mistakes', async () => {
    const context = await person(browser, stage.innkeeper)
    const page = await context.newPage()
    const complained = complaints(page)
    await page.goto('/login')
    await settled(page)
    await page.evaluate(() => {
      document.querySelector('h1')?.insertAdjacentHTML('afterend', '<button></button>')
      console.error('a complaint')
    })
    expect((await violations(page)).join()).toContain('button-name')
    expect(complained.join()).toContain('a complaint')
    await context.close()
  })

  test.for(looks)('the sign-in page, $name: no error', async (how) => {
    const { page, ...login } = await seen(await windowOf(how))
    expect(login).toMatchObject({ path: '/login', heading: 'Sign in', complained: [] })
    expect(await violations(page)).toEqual([])
    expect(login.wide).toBeLessThanOrEqual(0)
  })

  for (const [{ path, title }, how] of places)
    test(`${named(path)}, ${how.name}: an administrator sees no error`, async () => {
      const { page, ...screen } = await follow(fill(path, values), how)
      expect(screen).toMatchObject({ path: fill(path, values), complained: [] })
      expect(await violations(page)).toEqual([])
      expect(screen.heading, title).not.toMatch(/not found|may not|could not/)
      expect(screen.wide, 'scrolls sideways').toBeLessThanOrEqual(0)
    })

  test.for(guarded)('$path redirects a person without permissions and names the missing ones', async ({
    path,
    title,
    scopes,
  }) => {
    const { said, ...screen } = await look(fill(path, values), 'nobody')
    expect(screen).toMatchObject({ path: '/', complained: [] })
    expect(said).toContain(`You may not open ${title}`)
    expect(scopes.some((scope) => said.includes(scope))).toBe(true)
  })

  test.for(guarded)('$path opens for a person with exactly its permissions', async (screen) => {
    const path = fill(screen.path, values)
    const { said, heading, ...opened } = await look(path, holder(screen))
    expect(opened).toMatchObject({ path, complained: [] })
    expect(opened.wide, 'scrolls sideways').toBeLessThanOrEqual(0)
    expect(said).not.toContain('You may not open')
    expect(heading).not.toMatch(/not found|could not/)
  })
})
