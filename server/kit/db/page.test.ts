import { type SQL, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { owners } from '../../hosting/owners/tables.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { rows } from './db.ts'
import { contains, pageKeys } from './page.ts'

let t: TestApp
beforeAll(async () => {
  t = await openTestApp()
  // many equal names, so that only a total order is stable
  await t.app.db.execute(
    sql`insert into owners (name, email) select 'name ' || (n % 7), n || '@example.org' from generate_series(1, 137) n`,
  )
})
afterAll(() => t.close())

const source = {
  from: sql`${owners}`,
  where: [],
  key: owners.id,
  order: { column: owners.name, type: 'text', direction: 'ASC' },
} as const
const page = (n: number, more: { after?: string; itemsPerPage?: number; direction?: 'ASC' | 'DESC' } = {}) =>
  pageKeys(t.app.db, { page: n, itemsPerPage: 10, ...more }, { ...source, where: [] })

describe('a list', () => {
  it.each([
    'ASC',
    'DESC',
  ] as const)('shows each row once over its pages, %s, by number or by key', async (direction) => {
    const byNumber: number[] = []
    for (let n = 1; n <= 14; n++) byNumber.push(...(await page(n, { direction })).ids)
    expect(new Set(byNumber).size).toBe(137)
    const byKey: number[] = []
    let after: string | undefined
    for (let n = 1; n <= 14; n++) {
      const answer = await page(n, { direction, after })
      byKey.push(...answer.ids)
      after = answer.next
    }
    expect(byKey).toEqual(byNumber)
    expect(after).toBeUndefined()
  })
  it('accepts the key of a bigint, which drivers read as text', async () => {
    const big = { ...source, where: [], key: sql`${owners.id}::bigint` }
    const first = await pageKeys(t.app.db, { page: 1, itemsPerPage: 10 }, big)
    const second = await pageKeys(t.app.db, { page: 2, itemsPerPage: 10, after: first.next }, big)
    expect(second.ids).toEqual((await page(2)).ids)
  })
  it('returns its total, and no rows on a page beyond its end', async () => {
    expect(await page(1)).toMatchObject({ total: 137, next: expect.any(String) })
    expect((await page(14)).ids).toHaveLength(7)
    expect((await page(15)).ids).toEqual([])
    expect((await page(999)).ids).toEqual([])
  })
  it('finds the same rows when it sorts a small result, and when it searches', async () => {
    await t.app.db.execute(sql`analyze owners`)
    const seven = async (where: SQL, direction: 'ASC' | 'DESC') => {
      const found: unknown[] = []
      let after: string | undefined
      for (let n = 1; n <= 4; n++) {
        const input = { page: n, itemsPerPage: 5, direction }
        const { ids, total, next } = await pageKeys(t.app.db, { ...input, after }, { ...source, where: [where] })
        expect((await pageKeys(t.app.db, input, { ...source, where: [where] })).ids).toEqual(ids)
        after = next
        found.push({ ids, total })
      }
      expect(after).toBeUndefined()
      return found
    }
    for (const direction of ['ASC', 'DESC'] as const) {
      const gathered = await seven(sql`${owners.id} between 20 and 36`, direction)
      const searched = await seven(sql`${owners.id} between 20 and 36 and ${contains(owners.name, 'name')}`, direction)
      expect(searched).toEqual(gathered)
      expect(gathered.flatMap((one) => (one as { ids: number[] }).ids)).toHaveLength(17)
    }
    const none = { ...source, where: [contains(owners.name, 'nobody')] }
    expect(await pageKeys(t.app.db, { page: 1, itemsPerPage: 5 }, none)).toEqual({ ids: [], total: 0 })
  })
  it('shows each row once in the order of a unique column, by number or by key', async () => {
    const order = { column: owners.email, type: 'text', direction: 'ASC', unique: true } as const
    const read = (n: number, after?: string) =>
      pageKeys(t.app.db, { page: n, itemsPerPage: 10, after }, { ...source, where: [], order })
    const byNumber: number[] = []
    const byKey: number[] = []
    let after: string | undefined
    for (let n = 1; n <= 14; n++) {
      byNumber.push(...(await read(n)).ids)
      const { ids, next } = await read(n, after)
      byKey.push(...ids)
      after = next
    }
    expect(new Set(byNumber).size).toBe(137)
    expect(byKey).toEqual(byNumber)
  })
  it('reads only the index for a jump to a far page of websites, in each order', async () => {
    const found = await rows<{ columns: string }>(
      t.app.db,
      sql`select pg_get_indexdef(i.oid) as columns from pg_class i
        where i.relname in ('websites_created', 'websites_updated', 'websites_domain')`,
    )
    expect(found).toHaveLength(3)
    for (const { columns } of found) expect(columns).toContain('website_id')
  })
  it('refuses a key that the list did not return', async () => {
    for (const after of ['x', btoa('{}'), btoa('["a"]'), btoa('[1,2]')])
      await expect(page(2, { after })).rejects.toThrow('Not a key')
  })
})
