import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { nasty } from '../../../bin/nasty.ts'
import { sliced } from '../../../bin/slice.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { rows } from './db.ts'
import { haveWords, wordsIn } from './words.ts'

let test: TestApp
beforeAll(async () => {
  test = await openTestApp()
})
afterAll(() => test.close())

const wordsOf = (text: string) =>
  rows<{ word: string }>(test.app.db, sql`select ${wordsIn(sql`${text}::text`, 20_000)} as word`)
async function timeOf(text: string): Promise<number> {
  const begun = performance.now()
  await wordsOf(text)
  return performance.now() - begun
}

// the sequences that the parser of PostgreSQL reads in quadratic time, and a slice of all others
it.each([
  ...['_a', '/.', '~/', 'a_1.', '<!--', '<!-- ', '=e1@'],
  ...sliced(nasty),
])('finds the words of a long text of %j in linear time', async (sequence) => {
  const text = sequence.replaceAll('\0', ' ').toWellFormed().repeat(20_000)
  const times = async () => [await timeOf(text.slice(0, 5_000)), await timeOf(text.slice(0, 20_000))] as const
  await expect
    .poll(async () => {
      const [quarter, whole] = await times()
      return whole < 9 * Math.max(quarter, 60)
    })
    .toBe(true)
})

it('finds words, addresses and long runs', async () => {
  const url = `https://example.org/${'folder/'.repeat(22)}`.slice(0, 180)
  const text = `Hello <b>you</b>, see info@example.org and\n${url}`
  const found = async (search: string) => {
    const [row] = await rows<{ is: boolean }>(
      test.app.db,
      sql`select ${haveWords(sql`array_to_tsvector(array(select ${wordsIn(sql`${text}::text`, 20_000)}))`, search)} as is`,
    )
    return row?.is
  }
  for (const search of ['hello', 'you see', 'info@example.org', url]) expect(await found(search), search).toBe(true)
  expect(await found('goodbye')).toBe(false)
})
