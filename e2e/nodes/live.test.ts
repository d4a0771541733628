import type { EventData, EventName } from '@innkeeper/contract/kit/events'
import { sql } from 'drizzle-orm'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { notify } from '../../server/access/notifications/notify.ts'
import { push } from '../../server/kit/live/live.ts'
import { openBrowser, person, shoot, violations } from '../browser.ts'
import { signInByForm } from '../forms.ts'
import { password } from '../innkeeper.ts'
import { until } from '../until.ts'
import { type Cluster, onPostgres, openCluster, signIn } from './cluster.ts'
import { call, type Node, ready, startNode } from './node.ts'

/** Limit in ms from a push to the painted text, on a busy machine. */
const SOON = 3000

describe('two browsers on two nodes', onPostgres, () => {
  const open: { context: BrowserContext; node: Node }[] = []
  let cluster: Cluster
  let browser: Browser
  const a = () => cluster.nodes[0]!
  const b = () => cluster.nodes[1]!
  const urlOf = ({ port }: Node) => `http://127.0.0.1:${port}`

  beforeAll(async () => {
    cluster = await openCluster('live', ['api', 'api'])
    browser = await openBrowser('127.0.0.1')
  })
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail')
      for (const page of open.flatMap(({ context }) => context.pages())) await shoot(page, `failed ${task.name}`)
    for (const { context } of open.splice(0)) await context.close()
  })
  afterAll(async () => {
    await browser?.close()
    await cluster?.close()
  })

  const sockets = async (node: Node) => {
    const { body } = await call(node.port, 'GET', '/metrics')
    return Number(/^innkeeper_sockets (\d+)$/m.exec(body)?.[1])
  }
  /** Opens a page of this person on that node and waits for its socket. */
  async function page(node: Node, token: string, path = '/profile'): Promise<Page> {
    const pages = () => open.filter((one) => one.node === node).length
    await until('sockets of earlier pages are closed', async () => (await sockets(node)) === pages())
    const context = await person(browser, { url: urlOf(node) }, { token })
    open.push({ context, node })
    const made = await context.newPage()
    await made.goto(path)
    await made.getByRole('heading', { level: 1 }).first().waitFor()
    await until('the page has its socket', async () => (await sockets(node)) === pages())
    await made.waitForLoadState('networkidle')
    return made
  }
  const send = <N extends EventName>(name: N, data: EventData<N>, to: number) =>
    push(cluster.database.db, name, data, [to])
  /** Time when the text first appears on the page, by the clock of this machine. */
  const watch = (one: Page, text: string) =>
    one.evaluate(
      (wanted) =>
        new Promise<number>((resolve) => {
          const stands = () => document.body.innerText.includes(wanted)
          if (stands()) return resolve(Date.now())
          const observer = new MutationObserver(() => {
            if (!stands()) return
            observer.disconnect()
            resolve(Date.now())
          })
          observer.observe(document.body, { childList: true, subtree: true, characterData: true })
        }),
      text,
    )
  async function seen(pages: Page[], text: string, act: () => Promise<unknown>): Promise<number> {
    const watched = pages.map((one) => watch(one, text))
    const began = Date.now()
    await act()
    const times = (await Promise.all(watched)).map((at) => at - began)
    console.log(`${text}: seen after ${times.join(' and ')} ms`)
    return Math.min(...times)
  }

  test('a notification appears on both nodes, in the list, in Swedish time, and is marked as read on both at once', async () => {
    const ida = await cluster.somebody()
    const [near, far] = [await page(a(), await ida.signIn(a())), await page(b(), await ida.signIn(b()))]
    const told = { to: [ida.id], reason: 'handover', title: 'What Per held is yours now', body: 'Files: 3' } as const
    const first = await seen([near, far], told.title, () =>
      notify(cluster.database.db, { ...told, link: '/notifications' }),
    )
    expect(first).toBeLessThan(SOON)
    for (const one of [near, far]) {
      await one
        .getByRole('status')
        .filter({ hasText: told.title })
        .getByText(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
        .waitFor()
      await one.getByRole('button', { name: 'Notifications, 1 unread' }).waitFor()
    }
    await near.getByRole('button', { name: 'Notifications, 1 unread' }).click()
    const bell = near.getByRole('dialog', { name: 'Notifications' })
    await bell.getByText(/Handed over to me/).waitFor()
    expect(await violations(near)).toEqual([])
    await bell.getByRole('button', { name: told.title }).click()
    await near.waitForURL('**/notifications')
    await far.getByRole('button', { name: 'Notifications', exact: true }).waitFor() // without a reload: marked as read
  })

  test.for([
    ['success', 'Done'],
    ['error', 'Error'],
    ['info', 'Note'],
  ] as const)('a dialog of the kind %s opens on both, with its message and Close', async ([kind, title]) => {
    const ola = await cluster.somebody()
    const pages = [await page(a(), await ola.signIn(a())), await page(b(), await ola.signIn(b()))]
    await seen(pages, `It is ${kind}`, () => send('dialog', { kind, message: `It is ${kind}` }, ola.id))
    for (const one of pages) {
      const dialog = one.getByRole('dialog', { name: title })
      expect((await dialog.boundingBox())?.width).toBeLessThanOrEqual(600)
      await dialog.getByRole('button', { name: 'Close' }).click()
      await dialog.waitFor({ state: 'hidden' })
    }
  })

  test('a changed role closes and opens screens at once on both', async () => {
    const una = await cluster.somebody(['employee:profile:read'])
    const admin = await signIn(a(), 'admin')
    const pages = [
      await page(a(), await una.signIn(a()), '/profiles'),
      await page(b(), await una.signIn(b()), '/profiles'),
    ]
    const give = (scopes: string[]) => call(b().port, 'PATCH', `/api/auth/roles/${una.roleId}`, admin, { scopes })
    await seen(pages, 'Your Role Has Been Changed', () => give([]))
    for (const one of pages) {
      await one.getByRole('alert').getByText('You may not open Profiles').waitFor()
      expect(new URL(one.url()).pathname).toBe('/')
    }
    await give(['employee:profile:read'])
    const [near] = pages
    await near!.getByRole('button', { name: /account of/ }).click()
    await near!.getByRole('menuitem', { name: 'My profile' }).click()
    await near!.getByRole('link', { name: 'All profiles' }).click()
    await near!.getByRole('heading', { level: 1, name: 'Profiles' }).waitFor()
  })

  test('new credentials: the session continues with the new token and the new name', async () => {
    const kai = await cluster.somebody(['employee:profile:read'])
    const near = await page(a(), await kai.signIn(a()))
    const jwt = await kai.signIn(b())
    await cluster.database.db.execute(sql`update users set last_name = 'Renamed' where user_id = ${kai.id}`)
    await seen([near], 'Your Permissions Has Been Updated', () =>
      send('updateCredentials', { jwt, userId: kai.id, scopes: ['employee:profile:read'] }, kai.id),
    )
    const kept = () => near.evaluate(() => JSON.parse(localStorage.getItem('innkeeper.user') ?? '{}'))
    await until('the new name is stored', async () => (await kept()).name === 'Some Renamed')
    expect((await kept()).jwt).toMatch(/^cookie-/)
    await seen([near], 'Still here', () => send('dialog', { kind: 'info', message: 'Still here' }, kai.id))
  })

  test('a forced sign-out: both browsers show the sign-in page with a message and store no session', async () => {
    const liv = await cluster.somebody()
    const pages = [await page(a(), await liv.signIn(a())), await page(b(), await liv.signIn(b()))]
    await seen(pages, 'You have been logged out, please login again.', () => send('forceLogout', {}, liv.id))
    for (const one of pages) {
      await one.waitForURL('**/login*')
      await one.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
      expect(await one.evaluate(() => localStorage.getItem('innkeeper.user'))).toBeNull()
    }
  })

  test('the theme reaches the other browser at once and without a flash at the next load', async () => {
    const eva = await cluster.somebody()
    const [near, far] = [await page(a(), await eva.signIn(a())), await page(b(), await eva.signIn(b()))]
    const scheme = (one: Page) => one.evaluate(() => document.documentElement.dataset.mantineColorScheme)
    await near.getByText('Dark', { exact: true }).click()
    await until('the other browser is dark too', async () => (await scheme(far)) === 'dark')
    await far.addInitScript(() => {
      // before any script except the first one
      document.addEventListener('readystatechange', () => {
        document.documentElement.dataset.atFirst ??= document.documentElement.dataset.mantineColorScheme
      })
    })
    await far.reload()
    expect(await far.evaluate(() => document.documentElement.dataset.atFirst)).toBe('dark')
  })

  test('the page shows that a node is away, and catches up when it returns', async () => {
    const odd = await cluster.somebody()
    const far = await page(b(), await odd.signIn(b()))
    const { port } = b()
    await b().signal('SIGTERM')
    await far.getByText('Not live').waitFor()
    await notify(cluster.database.db, {
      to: [odd.id],
      reason: 'rights',
      title: 'While you were away',
      body: 'Nobody heard it',
    })
    cluster.nodes[1] = await startNode('api', cluster.env, port)
    await ready(b())
    await far.getByText('While you were away').waitFor({ timeout: 40_000 })
    await far.getByRole('button', { name: 'Notifications, 1 unread' }).waitFor()
    await far.getByText('Not live').waitFor({ state: 'hidden' })
  })

  describe('with an authenticator', () => {
    /** Browsers have passkeys for names, not for addresses. */
    const localOf = ({ port }: Node) => `http://localhost:${port}`
    /** A page with a new authenticator that always says yes. */
    async function withAuthenticator(): Promise<Page> {
      const context = await person(browser, { url: localOf(a()) })
      open.push({ context, node: a() })
      const made = await context.newPage()
      const devtools = await context.newCDPSession(made)
      await devtools.send('WebAuthn.enable')
      const options = {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
      } as const
      await devtools.send('WebAuthn.addVirtualAuthenticator', {
        options: { ...options, isUserVerified: true, automaticPresenceSimulation: true },
      })
      return made
    }
    const isIn = (page: Page) => page.getByRole('button', { name: /account of/ }).waitFor()
    async function signOut(page: Page): Promise<void> {
      await page.getByRole('button', { name: /account of/ }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await page.waitForURL('**/login*')
    }
    /** Fills the form that makes a passkey, and returns the backup codes of the first one. */
    async function makePasskey(page: Page): Promise<string[]> {
      await page.getByLabel('Name', { exact: true }).fill('Blue key')
      await page.getByLabel('Your password', { exact: true }).fill(password)
      await page.getByRole('button', { name: 'Add passkey' }).click()
      await page.getByRole('button', { name: 'I have kept them' }).waitFor()
      const codes = await page.getByText(/^(?:[A-Z2-7]{4}-){3}[A-Z2-7]{4}$/).allInnerTexts()
      await page.getByRole('button', { name: 'I have kept them' }).click()
      return codes
    }
    async function enrolled(): Promise<{ page: Page; codes: string[]; id: number; username: string }> {
      const { id, username } = await cluster.somebody()
      const page = await withAuthenticator()
      await page.goto('/login?to=/security')
      await signInByForm(page, username)
      await page.getByRole('button', { name: 'Add passkey' }).click()
      const codes = await makePasskey(page)
      await page.getByRole('button', { name: 'Remove Blue key' }).waitFor()
      return { page, codes, id, username }
    }
    const linkOf = async (path: string, token: string) => (await call(a().port, 'POST', `/api${path}`, token)).body.link
    async function choosePassword(page: Page): Promise<void> {
      await page.getByLabel('New password', { exact: true }).fill(`${password} again`)
    }

    test('a passkey signs in alone on the other node, beside a password, and by a backup code once', async () => {
      const { page, codes, username } = await enrolled()
      expect(codes).toHaveLength(10)
      await signOut(page)
      await page.goto(`${localOf(b())}/login`)
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
      await isIn(page)
      await signOut(page)
      await signInByForm(page, username)
      await page.getByRole('button', { name: 'Use a passkey instead' }).click()
      await isIn(page)
      for (const isUsed of [false, true]) {
        await signOut(page)
        await signInByForm(page, username)
        await page.getByLabel('Code', { exact: true }).fill(codes[0] ?? '')
        await page.getByRole('button', { name: 'Sign in', exact: true }).click()
        if (!isUsed) await isIn(page)
      }
      await page.getByRole('alert').waitFor()
    })

    test('a passkey answers a required second factor, and a sign-in link', async () => {
      const due = await cluster.somebody()
      await cluster.database.db.execute(
        sql`update roles set requires_second_factor = true where role_id = ${due.roleId}`,
      )
      const page = await withAuthenticator()
      await page.goto('/login')
      await signInByForm(page, due.username)
      await page.getByRole('heading', { level: 1, name: 'Set up your second factor' }).waitFor()
      await page.getByRole('button', { name: 'Use a passkey instead' }).click()
      await makePasskey(page)
      await isIn(page)
      await signOut(page)
      await page.goto(await linkOf(`/auth/users/${due.id}/link`, await signIn(a(), 'admin')))
      await choosePassword(page)
      await page.getByRole('button', { name: 'Use a passkey instead' }).click()
      await isIn(page)
    })

    test('two administrators recover an account, whose passkey then signs in no more', async () => {
      const { page, id, username } = await enrolled()
      await signOut(page)
      const second = await cluster.somebody()
      await cluster.database.db.execute(
        sql`update users set is_admin = true, role_id = null where user_id = ${second.id}`,
      )
      const reason = 'Lost the phone, called from the number that we know'
      const asked = await call(a().port, 'POST', '/api/auth/recoveries', await signIn(a(), 'admin'), {
        userId: id,
        reason,
      })
      expect(asked.status).toBe(201)
      const theirs = await withAuthenticator()
      await theirs.goto('/login?to=/recoveries')
      await signInByForm(theirs, second.username)
      await theirs.getByRole('button', { name: 'Confirm…' }).click()
      await theirs.getByRole('button', { name: 'Confirm recovery' }).click()
      const link = await theirs.getByText(/\/login#link=/).innerText()
      await page.goto(link)
      await choosePassword(page)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await isIn(page)
      await signOut(page)
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
      await page.getByRole('alert').waitFor()
      await signInByForm(page, username, `${password} again`)
      await isIn(page)
    })
  })
})
