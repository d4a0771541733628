import { domainToASCII, domainToUnicode } from 'node:url'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { owners } from '../../hosting/owners/tables.ts'
import { systemUsers } from '../../hosting/systemUsers/tables.ts'
import { groups, websites } from '../../hosting/websites/tables.ts'
import { zones } from '../../net/dns/tables.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { enrolled } from '../../test/work.ts'
import { rows } from './db.ts'
import { nameLike } from './page.ts'

const lists = [
  '/websites?domain=b%C3%BCch',
  '/websites/groups?domain=%C3%BCcher.ex',
  '/origin-vhost/vhosts?search=B%C3%9CCH',
  '/dns/zones?search=b%C3%BCch',
]
let t: TestApp
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())

/** The names in Unicode form, in the order of the request. */
async function written(names: string[]): Promise<string[]> {
  const found = await rows<{ name: string }>(
    t.app.db,
    sql`select as_written(name) as name from jsonb_array_elements_text(${JSON.stringify(names)}::jsonb) with ordinality as n (name, at)
      order by at`,
  )
  return found.map(({ name }) => name)
}

describe('a name of the Internet', () => {
  it('is shown in its own script', async () => {
    const labels =
      'bücher blåbær αθήνα правда 例え 中文網 مثال मिसाल 한국 ไทย faß 🫐 naïve-café ꜟa ñ-1-ñ ööööööööö abc0-ä'.split(
        ' ',
      )
    const names = labels.map((label) => domainToASCII(`www.${label}.example`))
    const mixed = Array.from({ length: 300 }, (_, n) => {
      const letters = Array.from({ length: 1 + (n % 12) }, (_, i) =>
        String.fromCodePoint(0x430 + ((n * 7 + i * 13) % 32)),
      )
      return domainToASCII(`a${n}${letters.join('b')}.${labels[n % labels.length]}.example`)
    })
    const all = [...names, ...mixed].filter((name) => name.includes('xn--'))
    expect(all.length).toBeGreaterThan(300)
    expect(await written(all)).toEqual(all.map(domainToUnicode))
  })

  it('that is invalid stays unchanged', async () => {
    const broken = [
      'shop.example',
      'xn--',
      'xn---',
      'xn--99999999',
      'xn--a-ü',
      'XN--BCHER-KVA.example',
      'xn--zzzzzzzzzzzzzzz',
      '',
    ]
    expect(await written(broken)).toEqual(broken)
  })

  it('is found by a part, typed in either form', async () => {
    const name = domainToASCII('www.bücherei-blåbær.example')
    const finds = async (text: string) => {
      const [found] = await rows<{ is: boolean }>(
        t.app.db,
        sql`select ${nameLike(sql`name`, text)} as is from (values (${name}::text)) as n (name)`,
      )
      return found?.is
    }
    for (const text of ['büch', 'BÜCH', 'bu\u0308ch', 'rei-blå', 'blåbær.ex', 'xn--', '.example', 'www'])
      expect([text, await finds(text)]).toEqual([text, true])
    for (const text of ['bücher.', 'ü%e', 'ü_h', 'ø']) expect([text, await finds(text)]).toEqual([text, false])
  })

  it('is found in the same way in every list that searches names, with an index', async () => {
    const { db } = t.app
    const server = await enrolled(db, 'web-names')
    const [owner] = await db.insert(owners).values({ name: 'Kari', email: 'kari@example.org' }).returning()
    const [account] = await db
      .insert(systemUsers)
      .values({
        username: 'web1',
        serverId: server,
        ownerId: owner!.id,
        planId: 1,
        homeDir: '/home/web1',
        shell: '/bin/false',
      })
      .returning()
    const domain = domainToASCII('bücher.example')
    const of = { ownerId: owner!.id, serverId: server, planId: 1, systemUserId: account!.id, phpVersion: '8.2' }
    const made = await db
      .insert(websites)
      .values(
        [domain, 'shop.example'].map((name) => ({
          ...of,
          domain: name,
          status: 'active' as const,
          documentRoot: '/x',
        })),
      )
      .returning()
    const [group] = await db.insert(groups).values({ ownerId: owner!.id, mainWebsite: made[0]!.id }).returning()
    await db.update(websites).set({ groupId: group!.id })
    const { token } = await t.somebody('admin')
    await db.insert(zones).values([domain, 'shop.example'].map((name) => ({ domain: name, serial: 1, digest: '0' })))
    for (const path of lists) {
      const { status, body } = await t.call('GET', `/api${path}`, { token })
      expect([path, status, body.total]).toEqual([path, 200, 1])
    }
    await db.execute(sql`insert into websites (domain, kind, status, owner_id, server_id, plan_id, system_user_id, document_root, php_version)
      select case n % 20 when 0 then 'xn--bcher-kva' else 'shop' end || n || '.example', 'main', 'active', ${owner!.id}::int,
        ${server}::int, 1, ${account!.id}::int, '/x', '8.2' from generate_series(1, 20000) n`)
    await db.execute(sql`analyze websites`)
    const found = sql`from ${websites} where ${websites.deletedAt} is null and ${nameLike(websites.domain, 'ükher')}`
    const plan = await rows<{ 'QUERY PLAN': string }>(db, sql`explain select ${found}`)
    expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain('websites_written')
  })
})
