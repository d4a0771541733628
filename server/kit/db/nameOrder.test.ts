import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { servers } from '../../machines/servers/tables.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { rows } from './db.ts'
import { nameOrder } from './nameOrder.ts'

let t: TestApp
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())

const sorted = async (names: string[]) => {
  const found = await rows<{ name: string }>(
    t.app.db,
    sql`select name from jsonb_array_elements_text(${JSON.stringify(names)}::jsonb) as n (name) order by ${nameOrder(sql`name`)}, name`,
  )
  return found.map(({ name }) => name)
}

test.each([
  ['numbers by their value', ['host-4', 'host-39', 'host-100']],
  ['numbers anywhere in the name', ['a2b10', 'a10b2', 'a10b10']],
  ['names without numbers by letters', ['a', 'b', 'b-1']],
  ['leading zeros as the same number', ['web-007', 'web-8', 'web-09', 'web-10']],
  ['numbers of many digits', ['n12345678901234567890', 'n99999999999999999999']],
])('%s', async (_, names) => {
  expect(await sorted(names.toReversed())).toEqual(names)
})

test('pages by key follow the order and lose no server', async () => {
  const names = Array.from({ length: 12 }, (_, n) => `host-${n + 1}`)
  await t.app.db.insert(servers).values(names.toSorted().map((name) => ({ name, type: 'web' as const })))
  const { token } = await t.somebody('admin')
  const seen: string[] = []
  let after = ''
  do {
    const { body } = await t.call('GET', `/api/cloud-management/servers?itemsPerPage=5&search=host-${after}`, { token })
    seen.push(...body.items.map(({ name }: { name: string }) => name))
    after = body.next ? `&after=${body.next}` : ''
  } while (after)
  expect(seen).toEqual(names)
})
