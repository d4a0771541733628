import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StoredFile } from '@innkeeper/contract/desk/files'
import { MiB } from '@innkeeper/contract/kit/transfer'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { complaints, openBrowser, person, settled, shoot, violations } from './browser.ts'
import { Innkeeper } from './innkeeper.ts'
import { type Line, openLine } from './line.ts'
import { until } from './until.ts'

const base = '/internal-file-manager'
/** A file of more than five parts. */
const LARGE = 40 * MiB

describe('files in the browser', () => {
  let innkeeper: Innkeeper
  let line: Line
  let browser: Browser
  let clerk: string
  const open: BrowserContext[] = []
  const complained: string[][] = []

  beforeAll(async () => {
    innkeeper = await Innkeeper.open({ people: { clerk: ['file-manager:file:browse'] } })
    line = await openLine(innkeeper.port)
    browser = await openBrowser('127.0.0.1')
    clerk = await innkeeper.signIn('clerk')
  })
  afterAll(async () => {
    await browser?.close()
    await line?.close()
    await innkeeper?.close()
  })
  afterEach(async ({ task }) => {
    line.mend()
    if (task.result?.state === 'fail')
      for (const page of open.flatMap((context) => context.pages())) await shoot(page, `failed ${task.name}`)
    for (const context of open.splice(0)) await context.close()
    expect(complained.splice(0).flat()).toEqual([])
  })

  async function visit(path: string, look: Parameters<typeof person>[2] = {}, by: { url: string } = innkeeper) {
    const context = await person(browser, by, look)
    open.push(context)
    const page = await context.newPage()
    if (by === innkeeper) complained.push(complaints(page)) // tests with a cut connection expect errors
    await page.goto(path)
    await settled(page)
    return page
  }
  const asAdmin = (path: string, by?: { url: string }) => visit(path, { token: innkeeper.token }, by)
  /** A file on the disk of the person. */
  function onDisk(name: string, bytes: Buffer): string {
    const path = join(innkeeper.dataDir, name)
    writeFileSync(path, bytes)
    return path
  }
  const stored = async (name: string): Promise<StoredFile> => {
    const { items } = await innkeeper.must('GET', `${base}/files?search=${encodeURIComponent(name)}`)
    if (items.length !== 1) throw new Error(`${items.length} files are called ${name}`)
    return items[0]
  }
  async function choose(page: Page, ...paths: string[]): Promise<void> {
    await page.getByRole('button', { name: 'Upload…' }).click()
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Choose files' }).click()
    await (await chooser).setFiles(paths)
  }
  const tray = (page: Page) => page.getByRole('region', { name: 'Uploads' })
  const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
  async function act(page: Page, name: string, what: string): Promise<void> {
    await page.getByRole('button', { name: `Actions for ${name}` }).click()
    await page.getByRole('menuitem', { name: what, exact: true }).click()
  }
  /** Uploads a small file over the API. */
  async function put(name: string, content: string, more: Record<string, unknown> = {}): Promise<StoredFile> {
    const bytes = Buffer.from(content)
    const wanted = { name, size: bytes.length, isPrivate: true, folderId: '', ...more }
    const { id } = await innkeeper.must('POST', `${base}/uploads`, wanted)
    const answer = await fetch(`${innkeeper.url}/api${base}/uploads/${id}?offset=0`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${innkeeper.token}`, 'content-type': 'application/octet-stream' },
      body: bytes,
    })
    const { file } = (await answer.json()) as { file: StoredFile }
    return file
  }

  test('several uploads run at once and resume after a broken connection', async () => {
    const page = await asAdmin('/ifm', line)
    const bytes = randomBytes(LARGE)
    const small = ['one.txt', 'two.txt', 'three.txt'].map((name) => onDisk(name, Buffer.from(`I am ${name}`)))
    const held = line.hold(24 * MiB)
    await choose(page, ...small, onDisk('large.bin', bytes))
    await held
    await tray(page)
      .getByText(/ MB of 40 MB$/)
      .waitFor()
    await shoot(page, 'files-uploading')
    line.cut()
    await tray(page).getByText('The connection broke. The upload continues by itself.').waitFor()
    await shoot(page, 'files-broken')
    line.mend()
    await tray(page).getByText('4 files uploaded').waitFor()
    expect((await stored('large.bin')).sha256).toBe(sha256(bytes))
    expect((await stored('two.txt')).sha256).toBe(sha256(Buffer.from('I am two.txt')))
    expect(line.passed, 'the upload restarted').toBeLessThan(LARGE)
  })

  test('an upload resumes after the server was killed and restarted', async () => {
    const page = await asAdmin('/files-manager', line)
    const bytes = randomBytes(LARGE)
    const held = line.hold(24 * MiB)
    await choose(page, onDisk('outlives.bin', bytes))
    await held
    await innkeeper.kill()
    await tray(page).getByText('The connection broke. The upload continues by itself.').waitFor()
    line.mend()
    await innkeeper.start()
    await tray(page).getByText('1 file uploaded').waitFor()
    expect((await stored('outlives.bin')).sha256).toBe(sha256(bytes))
    expect(line.passed, 'the upload restarted').toBeLessThan(LARGE)
  })

  test('files dropped while the server is unreachable wait and upload when it returns', async () => {
    const page = await asAdmin('/ifm', line)
    await page.getByPlaceholder('Name').waitFor()
    line.cut()
    await drop(page, 'patient.txt', 'here I am')
    await tray(page).getByText('The connection broke. The upload continues by itself.').waitFor()
    line.mend()
    await tray(page).getByText('1 file uploaded').waitFor()
    expect((await stored('patient.txt')).sha256).toBe(sha256(Buffer.from('here I am')))
  })

  test('after a reload an upload resumes for the same file and restarts for another file of the same name and length', async () => {
    const page = await asAdmin('/ifm', line)
    const [first, second] = [randomBytes(LARGE), randomBytes(LARGE)]
    const path = onDisk('again.bin', first)
    const begin = async (upTo: number) => {
      const held = line.hold(upTo)
      await choose(page, path)
      await held
      line.cut()
      await tray(page).getByText('The connection broke. The upload continues by itself.').waitFor()
      page.once('dialog', (dialog) => dialog.accept()) // the page asks before it leaves an upload
      line.mend()
      await page.reload()
      await settled(page)
      line.mend()
    }
    await begin(24 * MiB)
    await choose(page, path)
    await tray(page).getByText('1 file uploaded').waitFor()
    expect(line.passed, 'the upload restarted').toBeLessThan(LARGE)
    const kept = await stored('again.bin')
    expect(kept.sha256).toBe(sha256(first))
    await innkeeper.must('DELETE', `${base}/delete-files?ids=${kept.id}`)

    await begin(24 * MiB)
    onDisk('again.bin', second)
    await choose(page, path)
    await tray(page).getByText('1 file uploaded').waitFor()
    expect((await stored('again.bin')).sha256).toBe(sha256(second))
  })

  test('files are dropped on the page or chosen by keyboard', async () => {
    const page = await asAdmin('/files-manager')
    await drop(page, 'dropped.txt', 'dropped')
    await tray(page).getByText('1 file uploaded').waitFor()
    await row(page, 'dropped.txt').waitFor()

    await page.getByRole('button', { name: 'Upload…' }).focus()
    await page.keyboard.press('Enter')
    const chooser = page.waitForEvent('filechooser')
    await until(
      'the way on has the focus',
      async () => (await page.evaluate(() => document.activeElement?.textContent)) === 'Choose files',
    )
    await page.keyboard.press('Enter')
    await (await chooser).setFiles(onDisk('typed.txt', Buffer.from('typed')))
    await row(page, 'typed.txt').waitFor()
    expect(await violations(page)).toEqual([])
    expect(await stored('typed.txt')).toMatchObject({ isPrivate: true, sha256: sha256(Buffer.from('typed')) })
  })

  test('dialogs create a folder, rename a file and move it into the folder', async () => {
    await put('draft.txt', 'a draft')
    const page = await asAdmin('/files-manager')
    await page.getByRole('button', { name: 'New folder' }).click()
    const making = page.getByRole('dialog', { name: 'New folder' })
    await making.getByLabel('Name').fill('a/b')
    await page.keyboard.press('Tab')
    await making.getByText('Slashes are not allowed', { exact: true }).waitFor()
    await making.getByLabel('Name').fill('Papers')
    await making.getByLabel('Name').press('Enter')
    await making.waitFor({ state: 'hidden' })

    await act(page, 'draft.txt', 'Rename…')
    const renaming = page.getByRole('dialog', { name: 'Rename draft.txt' })
    await renaming.getByLabel('Name').fill('final.txt')
    expect(await violations(page)).toEqual([])
    await renaming.getByRole('button', { name: 'Rename file' }).click()
    await row(page, 'final.txt').waitFor()

    await act(page, 'final.txt', 'Move…')
    const moving = page.getByRole('dialog', { name: 'Move final.txt' })
    expect(await moving.getByRole('button', { name: 'Move here' }).isDisabled()).toBe(true)
    await moving.getByRole('button', { name: 'Papers' }).click()
    await moving.getByText('No folder in here.').waitFor()
    await shoot(page, 'files-move')
    await moving.getByRole('button', { name: 'Move here' }).click()
    await page.getByText('final.txt is in Papers').waitFor()
    await row(page, 'final.txt').waitFor({ state: 'hidden' })
    await page.getByRole('link', { name: 'Papers' }).click()
    await row(page, 'final.txt').waitFor()
    await page.goBack()
    await row(page, 'final.txt').waitFor({ state: 'hidden' })
  })

  test('a grant opens a file for another person, and after its revocation the file answers 404', async () => {
    const { path } = await put('salaries.txt', 'for two pairs of eyes')
    const asked = () => innkeeper.call('GET', `${base}/private/${path}`, undefined, clerk)
    const theirs = await visit('/ifm', { token: clerk })
    expect(await row(theirs, 'salaries.txt').count()).toBe(0)
    expect((await asked()).status).toBe(404)

    const page = await asAdmin('/ifm')
    await act(page, 'salaries.txt', 'Who can open it…')
    const dialog = page.getByRole('dialog', { name: 'Who can open salaries.txt' })
    await dialog.getByRole('combobox', { name: 'Open it to' }).fill('clerk')
    await page.getByRole('option', { name: 'Some clerk', exact: true }).click()
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Share file' }).click()
    const back = dialog.getByRole('button', { name: 'Revoke the access of Some clerk' })
    await back.waitFor()

    await theirs.reload()
    await act(theirs, 'salaries.txt', 'Download')
    const saved = await theirs.waitForEvent('download')
    expect(saved.suggestedFilename()).toBe('salaries.txt')
    expect(readFileSync(await saved.path(), 'utf8')).toBe('for two pairs of eyes')

    await back.click()
    await back.waitFor({ state: 'hidden' })
    expect((await asked()).status).toBe(404)
    await theirs.reload()
    await settled(theirs)
    expect(await row(theirs, 'salaries.txt').count()).toBe(0)
  })

  test('a visitor sees public files only', async () => {
    const hidden = await innkeeper.must('POST', `${base}/folders`, { name: 'Cellar', parentId: '', private: true })
    await innkeeper.must('POST', `${base}/folders`, { name: 'Lobby', parentId: '' })
    await put('for-guests.txt', 'welcome', { isPrivate: false })
    const secret = await put('not-for-guests.txt', 'secret')
    const below = await put('below.txt', 'secret', { isPrivate: false, folderId: hidden.id })
    const page = await visit('/files-manager')
    await page.getByRole('link', { name: /for-guests\.txt/ }).waitFor()
    await page.getByRole('link', { name: 'Lobby' }).waitFor()
    const said = await page.locator('body').innerText()
    for (const name of ['not-for-guests', 'Cellar', 'below.txt', 'Administrator']) expect(said).not.toContain(name)
    expect(await violations(page)).toEqual([])
    await shoot(page, 'files-visitor')
    for (const { path } of [secret, below])
      for (const way of ['public', 'private'])
        expect((await innkeeper.call('GET', `${base}/${way}/${path}`, undefined, '')).status).toBe(
          way === 'public' ? 404 : 401,
        )
    const saved = page.waitForEvent('download')
    await page.getByRole('link', { name: /for-guests\.txt/ }).click()
    expect(readFileSync(await (await saved).path(), 'utf8')).toBe('welcome')
    await page.goto(`/files-manager/${hidden.id}`)
    await page.getByRole('heading', { level: 1, name: 'This folder is not public' }).waitFor()
  })

  test.for([
    ['picture.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>document.title = "it ran"</script></svg>'],
    ['page.html', '<!doctype html><title>a page</title><script>document.title = "it ran"</script>'],
  ])('%s is saved and never shown, however it is asked for', async ([name = '', content = '']) => {
    const { path } = await put(name, content, { isPrivate: false })
    const admin = await asAdmin('/ifm')
    await admin.getByRole('button', { name: `Actions for ${name}` }).click()
    const show = admin.getByRole('menuitem', { name: 'Show', exact: true })
    expect(await show.getAttribute('aria-disabled')).toBe('true')
    const page = await visit('/files-manager')
    const saved = page.waitForEvent('download')
    await page.goto(`/api${base}/public/${path}/${name}?inline=true`).catch(() => undefined) // a download aborts the navigation
    expect((await saved).suggestedFilename()).toBe(name)
    const framed = await page.evaluate(
      (src) =>
        new Promise<string>((resolve) => {
          const image = new Image()
          image.onload = () => resolve('shown')
          image.onerror = () => resolve('refused')
          image.src = src
        }),
      `/api${base}/public/${path}?inline=true`,
    )
    expect([framed, await page.title()]).toEqual(['refused', expect.not.stringContaining('it ran')])
  })

  test('a profile picture is cropped by mouse and keyboard, and everybody sees it', async () => {
    const page = await asAdmin('/profile')
    const halves = await twoHalves(page)
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Choose picture…' }).click()
    await (await chooser).setFiles(onDisk('me.png', halves))
    const dialog = page.getByRole('dialog', { name: 'Choose the part to show' })
    const stage = dialog.getByRole('button', { name: 'Your picture: arrow keys move it' })
    await stage.focus()
    for (let n = 0; n < 25; n++) await page.keyboard.press('ArrowRight')
    await dialog.getByRole('slider', { name: 'Nearer' }).focus()
    await page.keyboard.press('ArrowRight')
    expect(await violations(page)).toEqual([])
    await shoot(page, 'crop')
    await dialog.getByRole('button', { name: 'Save picture' }).click()
    await page.getByText('The picture is saved').waitFor()
    const { user } = await innkeeper.must('GET', '/auth/validate')
    const kept = await page.evaluate(async (src) => {
      const picture = await createImageBitmap(await (await fetch(src)).blob())
      const canvas = new OffscreenCanvas(picture.width, picture.height)
      const context = canvas.getContext('2d')
      context?.drawImage(picture, 0, 0)
      const [red = 0, , blue = 0] = context?.getImageData(256, 256, 1, 1).data ?? []
      return { width: picture.width, height: picture.height, side: blue > 200 && red < 50 ? 'right' : 'left' }
    }, `/api${base}/public/${user.profileImage}`)
    expect(kept).toEqual({ width: 512, height: 512, side: 'right' })
  })
})

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** Drops files like a mouse from another window. */
async function drop(page: Page, name: string, content: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([called = '', text = '']) => {
      const carried = new DataTransfer()
      carried.items.add(new File([text], called, { type: 'text/plain' }))
      return carried
    },
    [name, content],
  )
  const target = page.getByPlaceholder('Name')
  await target.dispatchEvent('dragenter', { dataTransfer })
  await page.getByText(/^Drop to upload/).waitFor()
  await target.dispatchEvent('dragover', { dataTransfer })
  await target.dispatchEvent('drop', { dataTransfer })
  await page.getByText(/^Drop to upload/).waitFor({ state: 'hidden' })
}

/** A picture of 1200 × 600, red on the left, blue on the right. */
async function twoHalves(page: Page): Promise<Buffer> {
  const data = await page.evaluate(() => {
    const canvas = document.createElement('canvas')
    canvas.width = 1200
    canvas.height = 600
    const context = canvas.getContext('2d')
    for (const [colour, left] of [['#f00', 0] as const, ['#00f', 600] as const]) {
      if (context) context.fillStyle = colour
      context?.fillRect(left, 0, 600, 600)
    }
    return canvas.toDataURL('image/png')
  })
  return Buffer.from(data.replace(/^.*,/, ''), 'base64')
}
