import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Website } from '@innkeeper/contract/hosting/websites'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser, person } from './browser.ts'
import { onHosts } from './hosts.ts'
import { scratch } from './innkeeper.ts'
import { created, ends } from './sites.ts'
import { openStage, type Stage } from './stage.ts'

/** Rows that gzip compresses badly, so that the dump has more than two upload parts. */
const row = (n: number) => `(${n},'${createHash('sha512').update(`${n}`).digest('base64').repeat(8)}')`
const rows = Array.from(
  { length: 40 },
  (_, part) => `INSERT INTO \`posts\` VALUES ${Array.from({ length: 800 }, (_, n) => row(part * 800 + n)).join(',')};`,
)
const dump = `-- MySQL dump 10.13
CREATE TABLE \`posts\` (\`id\` int NOT NULL, \`body\` text COLLATE utf8mb4_0900_ai_ci, PRIMARY KEY (\`id\`)) DEFAULT CHARSET=utf8mb4;
${rows.join('\n')}
/*!50001 CREATE ALGORITHM=UNDEFINED */
/*!50013 DEFINER=\`root\`@\`%\` SQL SECURITY DEFINER */
/*!50001 VIEW \`latest\` AS select \`posts\`.\`id\` AS \`id\` from \`posts\` */;
GRANT ALL ON *.* TO 'evil'@'%';
-- Dump completed
`

describe('dumps of a database', onHosts, () => {
  let stage: Stage
  let browser: Browser
  let live: Website
  let database: { id: number; name: string }

  beforeAll(async () => {
    stage = await openStage('dumps1')
    live = await created(stage.innkeeper, stage.server, 'dumps.example', { database: true })
    database = (await api('GET', `/database/websites/${live.id}`)).items[0]
    await sql('create table old (id int); insert into old values (1);')
    browser = await openBrowser(stage.host.address)
  })
  afterAll(async () => {
    await browser?.close()
    await stage?.close()
  })
  const api = (method: 'GET' | 'POST' | 'DELETE' | 'PATCH', path: string, body?: unknown) =>
    stage.innkeeper.must(method, path, body)
  const sql = async (text: string) => {
    const ran = await stage.host.exec(['mariadb', '-BNr', database.name], { input: text })
    if (ran.code !== 0) throw new Error(ran.stderr)
    return ran.stdout.trim()
  }

  test('are uploaded, examined, imported, reverted, exported and downloaded', async () => {
    mkdirSync(scratch, { recursive: true })
    const file = join(scratch, 'stranger.sql.gz')
    writeFileSync(file, gzipSync(dump, { level: 1 }))
    const context = await person(browser, stage.innkeeper, { token: stage.innkeeper.token })
    const page = await context.newPage()
    await page.goto(`/websites/${live.id}?tab=data`)
    await page.getByRole('button', { name: 'Dumps', exact: true }).click()
    await page.getByRole('button', { name: 'Import dump…' }).click()
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByRole('button', { name: 'Read dump' }).click()
    const shown = page.getByRole('region', { name: 'Import stranger.sql.gz' })
    await shown.getByText('utf8mb4_0900_ai_ci becomes').waitFor()
    expect(await shown.getByRole('table').innerText()).toMatch(/left out[\s\S]*GRANT ALL[\s\S]*rewritten[\s\S]*root@%/)
    expect(await sql('show tables')).toBe('old')

    await shown.getByRole('button', { name: 'Import…' }).click()
    await page.getByRole('dialog').getByRole('textbox').fill(database.name)
    await page.getByRole('dialog').getByRole('button', { name: 'Import dump' }).click()
    await shown.getByRole('button', { name: 'Put former contents back…' }).waitFor()
    expect(await sql('select count(*), min(length(body)) from posts; select count(*) from latest; show tables')).toBe(
      '32000\t704\n32000\nlatest\nposts',
    )

    await page.getByRole('button', { name: 'Tables', exact: true }).click()
    await page.getByRole('button', { name: 'posts', exact: true }).click()
    const read = page.getByRole('table', { name: 'Rows of posts' })
    await read.getByRole('cell', { name: '49', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Next', exact: true }).click()
    await read.getByRole('cell', { name: '99', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Dumps', exact: true }).click()
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    const coming = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download', exact: true }).click()
    const whole = gunzipSync(readFileSync(await (await coming).path())).toString()
    expect(whole).toContain('-- Dump completed')
    expect(whole.match(/^\(\d+,/gm)).toHaveLength(32_000)
    expect(whole).toContain('VIEW `latest` AS select `posts`.`id` AS `id` from `posts`')

    const { imports } = await api('GET', `/database/databases/${database.id}/dumps`)
    const { workflowId } = await api('POST', `/database/imports/${imports[0].id}/revert`, { name: database.name })
    await ends(stage.innkeeper, workflowId, 'done')
    expect(await sql('show tables; select * from old; show databases like "ik%"')).toBe('old\n1')
    expect((await stage.host.exec(['ls', '/var/lib/innkeeper/spool'])).stdout).toBe('')
    await context.close()
  })
})
