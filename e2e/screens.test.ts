import { permissionWords } from '@innkeeper/contract/permissions/services'
import type { Host } from '@innkeeper/lab/host'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { letPass } from '../bin/pass.ts'
import { isWhole, ofSlice, sliced, third } from '../bin/slice.ts'
import {
  complaints,
  type Look,
  layoutShifts,
  openBrowser,
  person,
  settled,
  shoot,
  signedIn,
  violations,
} from './browser.ts'
import { enrol, freshHost, onHosts } from './hosts.ts'
import { plantedIn, plantMarkup } from './planted.ts'
import { addFixtures, fill, readScreens, type ScreenPlace } from './screens.ts'
import { created, ends } from './sites.ts'
import { openStage, type Stage } from './stage.ts'
import { still } from './traffic.ts'
import { until } from './until.ts'

type NamedLook = Look & { name: string }

const screens = await readScreens()
const keyOf = ({ scopes }: ScreenPlace) => scopes.join(' ')
const keys = [...new Set(screens.map(keyOf))]
/** A person per set of permissions that a screen requires. */
const holder = (screen: ScreenPlace) => `holder${keys.indexOf(keyOf(screen))}`
const people = Object.fromEntries(screens.map((screen) => [holder(screen), screen.scopes]))
/** Screens whose rows are visible only to the people concerned or in their department, whatever permissions somebody has. */
const personal = [
  '/calendar/shifts/automation/$id',
  '/dossiers/$userId/feedbacks/$feedbackId',
  '/dossiers/$userId/feedbacks/$feedbackId/update',
  '/qc-v2/calibrations/$calibrationId',
  '/scrums/edit/audits/$auditId',
]
/** Screens of the same person follow one another, so that they need one sign-in. */
const guarded = keys.flatMap((key) => (key ? screens.filter((screen) => keyOf(screen) === key) : []))
const wide: NamedLook = { name: 'wide and light' }
const narrow: NamedLook = { name: 'narrow and dark', narrow: true, dark: true }
/** Covers each theme and each width once: colours depend only on the theme, horizontal scrolling only on the width. */
const looks = [wide, narrow]
/** A window whose answers come later than a page of several blocks waits before it shows them from the top on. */
const late: NamedLook = { ...narrow, name: 'late' }
const LATE_MS = 2600
/** A window in whose answers every text ends with markup. */
const foreign: NamedLook = { ...wide, name: 'foreign' }
/** Windows for people without the administrator's rights, so that their tests can run beside the administrator's. */
const closed: NamedLook = { name: 'closed' }
const permitted: NamedLook = { name: 'permitted' }
/** A test of a concurrent suite that waits for the test before it. */
const alone = { concurrent: false }
/**
 * Every screen opens once in a run: in a third of them, and where no permission is needed, the administrator's narrow window looks
 * closely; the others open wide for holders of their permissions. The administrator opens a tenth wide, too.
 */
const close = new Set(third(screens))
const places: [ScreenPlace, NamedLook][] = [
  ...screens
    .filter((screen) => close.has(screen) || !keyOf(screen))
    .map((screen): [ScreenPlace, NamedLook] => [screen, narrow]),
  ...sliced(screens).map((screen): [ScreenPlace, NamedLook] => [screen, wide]),
]
const held = guarded.filter((screen) => isWhole || !close.has(screen))
/** Widths of notebooks and desks. A holder's screen opens in one of them, which the slice chooses, and is measured in each. */
const widths = [1280, 1440, 1920] as const
/** Frames in which a resized list leaves out columns. */
const FRAMES = 60

/** Replaces `$`, which marks a field in test titles. */
const named = (path: string) => path.replaceAll('$', ':')

describe('every screen', onHosts, () => {
  let stage: Stage
  const others: Host[] = []
  let browser: Browser
  let values: Awaited<ReturnType<typeof addFixtures>>

  beforeAll(async () => {
    stage = await openStage('screens1', { people: { ...people, nobody: [] } })
    const { innkeeper, server } = stage
    const added = async (name: string, type: 'mail' | 'all-in-one', layer?: 'mail') => {
      const host = await freshHost(stage.lab, name, layer)
      others.push(host)
      return enrol(innkeeper, host, type)
    }
    const [otherServer, mailServer, website] = await Promise.all([
      added('screens2', 'all-in-one'), // a web server that can store backups
      added('screens3', 'mail', 'mail'), // services.test.ts proves the installation
      created(innkeeper, server, 'shown.example'),
    ])
    values = await addFixtures({
      post: (path: string, body?: unknown) => innkeeper.must('POST', path, body),
      firstOf: (path: string) =>
        until(`${path} has a row`, async () => (await innkeeper.must('GET', path)).items[0]?.id),
      done: (workflowId: number) => ends(innkeeper, workflowId, 'done'),
      addWebsite: async (domain: string) => (await created(innkeeper, server, domain)).id,
      ...{ server, otherServer, mailServer, website: website.id, systemUser: website.systemUserId },
    })
    browser = await openBrowser(stage.host.address)
  })
  afterAll(async () => {
    await browser?.close()
    for (const other of others) await other.wipe()
    await stage?.close()
  })

  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail')
      for (const open of windows.values()) await shoot((await open).page, `failed ${task.name.replaceAll('/', '-')}`)
  })

  interface Window {
    page: Page
    complained: string[]
    shifts: Awaited<ReturnType<typeof layoutShifts>>
    /** User name of the signed-in person. */
    who: string | undefined
  }
  const windows = new Map<string, Promise<Window>>()
  /** A window per look, reused for all screens, so that loaded scripts stay loaded. */
  function windowOf({ name, ...look }: NamedLook): Promise<Window> {
    const open = async () => {
      const page = await (await person(browser, stage.innkeeper, look)).newPage()
      const complained = complaints(page)
      const shifts = await layoutShifts(page)
      await page.goto('/login')
      if (name === late.name)
        await page.route('**/api/**', async (route) => {
          await letPass(LATE_MS, 'an answer of a slow server')
          await route.continue()
        })
      if (name === foreign.name) await plantMarkup(page)
      return { page, complained, shifts, who: undefined }
    }
    const known = windows.get(name) ?? open()
    windows.set(name, known)
    return known
  }
  const tokenOf = (who: string) => (who === 'admin' ? stage.innkeeper.token : stage.innkeeper.signIn(who))

  /**
   * Opens the path as this person: by loading it after a sign-in, like a link afterwards. Answers the final path, the
   * contents and the console errors, once `sign` is visible.
   */
  async function look(path: string, who: string, how: NamedLook, sign?: string) {
    const window = await windowOf(how)
    const { page } = window
    window.complained.length = 0
    await window.shifts.restart()
    if (window.who === who) await page.evaluate((to) => history.pushState({}, '', to), path)
    else {
      await page.evaluate(
        (items) => {
          for (const { name, value } of items) localStorage.setItem(name, value)
        },
        signedIn(await tokenOf(who)),
      )
      await page.goto(path)
      window.who = who
    }
    if (sign) await page.getByText(sign, { exact: true }).waitFor()
    return seen(window)
  }

  async function seen({ page, complained, shifts }: Window) {
    await still(page)
    const shifted = await shifts.sum()
    const contents = await page.evaluate(() => ({
      path: location.pathname,
      heading: document.querySelector('h1')?.innerText,
      said: document.body.innerText,
      wide: document.documentElement.scrollWidth - window.innerWidth,
      tall: document.documentElement.scrollHeight - window.innerHeight,
      // rows that open a page only by a click: the keyboard needs a link
      clickOnly: document.querySelectorAll('table[data-opens] tbody tr:not(:has(a[href]))').length,
    }))
    return { ...contents, complained: [...complained], shifted, page }
  }
  /** Gives the window this width, and waits until its lists have drawn the columns that fit. */
  async function resize(page: Page, width: number): Promise<void> {
    if (page.viewportSize()?.width === width) return
    await page.setViewportSize({ width, height: 900 })
    await page.evaluate(async () => {
      const widths = () =>
        [...document.querySelectorAll('table[data-rows]')]
          .flatMap(({ scrollWidth, parentElement }) => [scrollWidth, parentElement?.clientWidth])
          .join()
      for (let same = 0, before = ''; same < 3; ) {
        await new Promise(requestAnimationFrame)
        const now = widths()
        same = now === before ? same + 1 : 0
        before = now
      }
    })
  }
  /** The widths in which the page or one of its lists scrolls sideways. */
  async function sideways(page: Page): Promise<number[]> {
    const found: number[] = []
    for (const width of widths) {
      await resize(page, width)
      const isWide = await page.evaluate(async (frames) => {
        const isWide = () => {
          const lists = [...document.querySelectorAll('table[data-rows]')].map(({ parentElement }) => parentElement)
          return [document.documentElement, ...lists].some((one) => one && one.scrollWidth > one.clientWidth)
        }
        // a busy machine draws the columns that fit some frames later
        for (let drawn = 0; isWide() && drawn < frames; drawn++) await new Promise(requestAnimationFrame)
        return isWide()
      }, FRAMES)
      if (isWide) found.push(width)
    }
    return found
  }

  test('the checks of this file find planted mistakes', async () => {
    const context = await person(browser, stage.innkeeper)
    const page = await context.newPage()
    const complained = complaints(page)
    const shifts = await layoutShifts(page)
    await page.goto('/login')
    await settled(page)
    expect((await shifts.sum()).score).toBeLessThanOrEqual(0.02)
    await page.evaluate(() => {
      const mistakes = '<button></button><p style="width: 1300px; height: 300px"></p>'
      document.querySelector('h1')?.insertAdjacentHTML('afterend', mistakes)
      console.error('a complaint')
    })
    expect((await violations(page)).join()).toContain('button-name')
    expect(complained.join()).toContain('a complaint')
    expect(await sideways(page)).toEqual([1280, 1440])
    await until('the shift is seen', async () => (await shifts.sum()).score > 0.02)
    await context.close()
  })

  test.for(looks)('the sign-in page, $name: no error', async (how) => {
    const { page, ...login } = await seen(await windowOf(how))
    expect(login).toMatchObject({ path: '/login', heading: 'Sign in', complained: [] })
    expect(await violations(page)).toEqual([])
    expect(login.wide).toBeLessThanOrEqual(0)
  })

  // three suites run in parallel, each with its own windows and one test at a time
  describe.concurrent('shows an administrator no error', () => {
    for (const [{ path, title }, how] of places)
      test(`${named(path)}, ${how.name}`, alone, async () => {
        const { page, ...screen } = await look(fill(path, values), 'admin', how)
        expect(screen).toMatchObject({ path: fill(path, values), complained: [] })
        expect(await violations(page)).toEqual([])
        expect(screen.heading, title).not.toMatch(/not found|may not|could not/)
        expect(screen.wide, 'scrolls sideways').toBeLessThanOrEqual(0)
        expect(screen.tall, 'the window scrolls, beside the page').toBeLessThanOrEqual(0)
        expect(screen.shifted.score, `moved: ${screen.shifted.moved.join('\n')}`).toBeLessThanOrEqual(0.02)
      })
  })

  describe('moves nothing that is visible while answers come late', () => {
    // an item with comments: its facts stand below them on a phone
    const item = '/internal-tickets/bugs/$id'
    const pages = ['/websites/$id', '/dossiers/$userId', '/qc/dossiers/$userId', '/departments/edit/$departmentId']
    for (const path of [item, ...sliced(pages)])
      test(named(path), async () => {
        const { shifted } = await look(fill(path, values), 'admin', late)
        expect(shifted.score, `moved: ${shifted.moved.join('\n')}`).toBeLessThanOrEqual(0.02)
      })
  })

  describe('shows markup of customers as the text that it is', () => {
    let shown = 0
    const all = sliced(screens)
    // screens that show the words of a conversation only if the address names one
    const asked = ['/qc/chats/review?chat=1', '/qc-v2/chats/review?chat=1', '/qc-v2/mine/review?review=1']
    for (const path of [...all.map((screen) => screen.path), ...asked])
      test(named(path), async () => {
        const { page, heading, complained, wide: over } = await look(fill(path, values), 'admin', foreign)
        const { active, spilled, isShown } = await plantedIn(page)
        expect({ active, spilled, complained }).toEqual({ active: [], spilled: [], complained: [] })
        expect(heading).not.toMatch(/could not/)
        expect(over, 'scrolls sideways').toBeLessThanOrEqual(0)
        if (isShown) shown++
      })
    // the others are forms for something new; a slice may have more of them
    const most = all.length * (isWhole ? 0.65 : 0.4)
    test('most of them show it', () => expect(shown).toBeGreaterThan(most))
  })

  describe.concurrent('sends a person without permissions home, names the missing permissions, and offers to request them', () => {
    // one function guards all screens: a slice shows that it does
    for (const { path, title, scopes } of sliced(guarded))
      test(named(path), alone, async () => {
        const refusal = `You may not open ${title}`
        const { said, ...screen } = await look(fill(path, values), 'nobody', closed, refusal)
        expect(screen).toMatchObject({ path: '/', complained: [] })
        expect(said).toContain('Ask for it')
        expect(said).toContain(refusal)
        expect(scopes.some((scope) => said.includes(`“${permissionWords(scope)}”`))).toBe(true)
        expect(scopes.filter((scope) => said.includes(scope))).toEqual([])
      })
  })

  describe.concurrent('opens for a person with exactly its permissions', () => {
    for (const screen of held)
      test(named(screen.path), alone, async () => {
        const path = fill(screen.path, values)
        const width = ofSlice(widths, screens.indexOf(screen))
        await resize((await windowOf(permitted)).page, width)
        const { said, heading, page, ...opened } = await look(path, holder(screen), permitted)
        const isHidden = personal.includes(screen.path)
        expect(opened.path).toBe(path)
        expect(opened.complained.filter((complaint) => !isHidden || !complaint.includes('404'))).toEqual([])
        expect(opened.shifted.score, `moved: ${opened.shifted.moved.join('\n')}`).toBeLessThanOrEqual(0.02)
        expect(await sideways(page), 'scroll sideways').toEqual([])
        expect(opened.clickOnly, 'rows without a link').toBe(0)
        expect(said).not.toContain('You may not open')
        if (isHidden) expect(heading).toMatch(/could not be loaded/)
        else expect(heading).not.toMatch(/not found|could not/)
      })
  })
})
