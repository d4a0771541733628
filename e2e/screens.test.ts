import type { Host } from '@innkeeper/lab/host'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { complaints, type Look, openBrowser, person, settled, shoot, still, violations } from './browser.ts'
import { enrol, freshHost, onHosts } from './hosts.ts'
import { fill, readScreens, type ScreenPlace } from './screens.ts'
import { created, ends } from './sites.ts'
import { openStage, type Stage } from './stage.ts'

const screens = await readScreens()
const keyOf = ({ scopes }: ScreenPlace) => scopes.join(' ')
const keys = [...new Set(screens.map(keyOf))]
/** One person for each set of scopes that a screen wants. */
const holder = (screen: ScreenPlace) => `holder${keys.indexOf(keyOf(screen))}`
const people = Object.fromEntries(screens.map((screen) => [holder(screen), screen.scopes]))
const guarded = screens.filter(({ scopes }) => scopes.length)
const looks: (Look & { name: string })[] = [
  { name: 'light' },
  { name: 'dark', dark: true },
  { name: 'narrow', narrow: true },
]
/** `$` stands for a field in names of tests. */
const named = (path: string) => path.replaceAll('$', ':')
const nameOf = (path: string) => path.replaceAll('$', '').replaceAll('/', '-').replace(/^-/, '') || 'home'

describe('every screen', onHosts, () => {
  let stage: Stage
  let other: Host | undefined
  let browser: Browser
  let values: Record<string, string | number>

  beforeAll(async () => {
    stage = await openStage('screens1', { people: { ...people, nobody: [] } })
    browser = await openBrowser(stage.host.address)
    const { id } = await created(stage.innkeeper, stage.server, 'shown.example')
    const department = await stage.innkeeper.must('POST', '/auth/departments', { name: 'Shown' })
    const folder = await stage.innkeeper.must('POST', '/internal-file-manager/folders', { name: 'Shown' })
    // of the first website, whose number it has: one `id` serves every path
    const group = await stage.innkeeper.must('POST', '/groups', { ownerId: 1, mainWebsite: id })
    expect(group.id).toBe(id)
    const zone = await stage.innkeeper.must('POST', '/dns/zones', { domain: 'shown.example' })
    expect(zone.id).toBe(id)
    const signed = await stage.innkeeper.must('POST', '/ssl-controller/certificate/self-signed', { websiteId: id })
    expect(signed.data.id).toBe(id)
    await ends(stage.innkeeper, signed.workflowId, 'done')
    const set = await stage.innkeeper.must('POST', '/ipset/sets', { name: 'shown' })
    // the first of each kind: one `eventId` serves their paths
    const times = { startLocal: '2030-01-07T09:00', startsAt: '2030-01-07T09:00', endsAt: '2030-01-07T10:00' }
    const events: [path: string, more: object][] = [
      ['event', times],
      ['repeatable-event', { ...times, rrule: 'FREQ=WEEKLY', durationMin: 30 }],
      ['national-event', { month: 1, day: 7 }],
    ]
    for (const [path, more] of events) {
      const wish = { title: 'Shown', name: 'Shown', ...more }
      expect((await stage.innkeeper.must('POST', `/event-calendar/${path}`, wish)).id).toBe(1)
    }
    const shift = { name: 'Shown', startTime: '06:00', endTime: '14:00' }
    const { id: shiftTypeId } = await stage.innkeeper.must('POST', '/calendar/shifts/type', shift)
    const pattern = { name: 'Shown', userId: 1, startDate: '2030-01-07', pattern: [shiftTypeId, null] }
    expect((await stage.innkeeper.must('POST', '/calendar/shifts/automations', pattern)).id).toBe(id)
    // the first move, of another website, to another host
    other = await freshHost(stage.lab, 'screens2')
    const { id: moving } = await created(stage.innkeeper, stage.server, 'moving.example')
    const targetServerId = await enrol(stage.innkeeper, other)
    const move = await stage.innkeeper.must('POST', `/websites/${moving}/migrate`, { targetServerId })
    expect(move.id).toBe(id)
    values = {
      server: stage.server,
      id,
      websiteId: id,
      resourceType: 'nginx-site',
      resourceId: id,
      userId: 1,
      roleId: 1,
      departmentId: department.id,
      folderId: folder.id,
      setName: set.name,
      eventId: 1,
      shiftTypeId,
    }
  })
  afterAll(async () => {
    await browser?.close()
    await other?.wipe()
    await stage?.close()
  })

  interface Window {
    page: Page
    complained: string[]
  }
  const windows = new Map<string, Promise<Window>>()
  /** One for each person and look, kept from screen to screen as people keep theirs: what is loaded stays loaded. */
  function windowOf(who: string | undefined, look: Look): Promise<Window> {
    const key = JSON.stringify([who, look])
    const open = async () => {
      const token = who === 'admin' ? stage.innkeeper.token : who && (await stage.innkeeper.signIn(who))
      const context = await person(browser, stage.innkeeper, { ...look, ...(token && { token }) })
      const page = await context.newPage()
      return { page, complained: complaints(page) }
    }
    const known = windows.get(key) ?? open()
    windows.set(key, known)
    return known
  }

  /** Opens the path; answers where that led, what was seen, and what was complained of. */
  async function look(path: string, who: string | undefined, how: Look = {}, shot?: string) {
    const { page, complained } = await windowOf(who, how)
    complained.length = 0
    await page.goto(path)
    await still(page)
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    if (shot) await shoot(page, shot)
    return {
      path: new URL(page.url()).pathname,
      heading: await page.getByRole('heading', { level: 1 }).first().innerText(),
      said: await page.locator('body').innerText(),
      violations: shot ? await violations(page) : [],
      complained: [...complained],
      wide,
    }
  }

  test('what these tests look for is found where it is', async () => {
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

  test.for(looks)('the sign-in page, $name: sound', async ({ name, ...how }) => {
    const seen = await look('/login', undefined, how, `login-${name}`)
    expect(seen).toMatchObject({ path: '/login', heading: 'Sign in', violations: [], complained: [] })
    expect(seen.wide).toBeLessThanOrEqual(0)
  })

  for (const { path, title } of screens)
    test.for(looks)(`${named(path)}, $name: an administrator finds it sound`, async ({ name, ...how }) => {
      const seen = await look(fill(path, values), 'admin', how, `${nameOf(path)}-${name}`)
      expect(seen).toMatchObject({ path: fill(path, values), violations: [], complained: [] })
      expect(seen.heading, title).not.toMatch(/not found|may not|could not/)
      expect(seen.wide, 'scrolls sideways').toBeLessThanOrEqual(0)
    })

  test.for(guarded)('$path sends home who holds nothing, and says what is missing', async ({ path, title, scopes }) => {
    const seen = await look(fill(path, values), 'nobody')
    expect(seen).toMatchObject({ path: '/', complained: [] })
    expect(seen.said).toContain(`You may not open ${title}`)
    expect(scopes.some((scope) => seen.said.includes(scope))).toBe(true)
  })

  test.for(guarded)('$path opens for who holds exactly its scopes', async (screen) => {
    const path = fill(screen.path, values)
    const seen = await look(path, holder(screen))
    expect(seen).toMatchObject({ path, complained: [] })
    expect(seen.said).not.toContain('You may not open')
    expect(seen.heading).not.toMatch(/not found|could not/)
  })
})
