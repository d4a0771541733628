import { openBrowser, person } from './e2e/browser.ts'
const token = process.argv[2]
const browser = await openBrowser('127.0.0.1')
const look = { token, ...(process.argv[3] === 'dark' ? { dark: true } : {}), ...(process.argv[3] === 'narrow' ? { narrow: true } : {}) }
const c = await person(browser, { url: 'http://localhost:4710' }, look)
for (const path of process.argv.slice(4)) {
  const page = await c.newPage()
  page.on('console', (m) => { if (m.type() === 'error') console.log(path, m.text()) })
  await page.goto(path); await page.waitForLoadState('networkidle').catch(() => {}); await page.waitForTimeout(1500)
  await page.screenshot({ path: `/tmp/h/shots/w-${process.argv[3]}-${path.replaceAll('/', '_')}.png`, fullPage: true })
  await page.close()
}
await browser.close()
