import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { emptyDatabase } from '../../test/emptyDatabase.ts'
import { checkProgram, folder, journal, oldestProgram } from './migrations.ts'
import { openDatabase } from './open.ts'

/** The migrations of each release with the sha256 of their text. A release adds its own and changes no others. */
const Released = z.object({ released: z.record(z.string(), z.record(z.string(), z.string())) })
const { released } = Released.parse(JSON.parse(readFileSync(join(folder, 'released.json'), 'utf8')))
const { entries } = journal()

it('a released migration never changes: add another one', () => {
  const texts = Object.values(released).flatMap((files) => Object.entries(files))
  for (const [tag, sha256] of texts) {
    const text = readFileSync(join(folder, `${tag}.sql`))
    expect(createHash('sha256').update(text).digest('hex'), tag).toBe(sha256)
  }
  expect(entries.slice(0, texts.length).map(({ tag }) => tag)).toEqual(texts.map(([tag]) => tag))
})

it('migrations are ordered by time, because databases with later ones would skip an inserted one', () => {
  const times = entries.map(({ when }) => when)
  expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b))
})

/** Statements that a running older program fails on: it still writes or reads what they change. */
const breaking = [
  /\bdrop (table|column|function)\b(?! pg_temp\.)/,
  /\brename (to|column)\b/,
  /\bset not null\b/,
  /\bset data type\b/,
  /\badd column (?=.*\bnot null\b)(?!.*\bdefault\b)/,
]

it('a migration that an older program fails on raises oldest.json', () => {
  const oldest = entries.findIndex(({ tag }) => tag === oldestProgram())
  expect(oldest, 'oldest.json').toBeGreaterThanOrEqual(0)
  for (const { tag } of entries.slice(oldest + 1))
    for (const statement of readFileSync(join(folder, `${tag}.sql`), 'utf8')
      .toLowerCase()
      .split('--> statement-breakpoint'))
      for (const one of breaking) expect(statement, `${tag}: name it in oldest.json`).not.toMatch(one)
})

it('an older program refuses a schema that needs a newer one, and says so about a schema that bears it', async () => {
  const place = await emptyDatabase()
  const { db, close } = await openDatabase(place.url)
  const [before, needed] = ['0093_backups_counted', oldestProgram()].map(
    (of) => entries.find(({ tag }) => tag === of)?.when,
  )
  await expect(checkProgram(db, before)).rejects.toThrow(/too old for its database/)
  if (needed !== entries.at(-1)?.when) expect(await checkProgram(db, needed)).toMatch(/may run on it/)
  expect(await checkProgram(db)).toBeUndefined()
  await close()
  await place.drop()
})
