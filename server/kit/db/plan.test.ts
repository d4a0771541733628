import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { folder, journal } from './migrations.ts'
import { planLines, stepsOf } from './plan.ts'

it.each([
  ['CREATE INDEX "w_a" ON "websites" USING btree ("a");', { table: 'websites', holds: 'writes', reads: true }],
  ['CREATE UNIQUE INDEX CONCURRENTLY "w_a" ON "websites" ("a");', { table: 'websites', holds: 'nothing', reads: true }],
  [
    'ALTER TABLE "websites" ALTER COLUMN "a" SET NOT NULL;',
    { table: 'websites', holds: 'reads and writes', reads: true },
  ],
  ['ALTER TABLE "websites" ADD COLUMN "a" text;', { table: 'websites', holds: 'reads and writes', reads: false }],
  ['-- why\nupdate "websites" set a = 1', { table: 'websites', holds: 'nothing', reads: true }],
])('%s', (text, step) => {
  expect(stepsOf('0001', text)).toEqual([{ migration: '0001', ...step }])
})

it('knows what every statement of the present migrations that changes a table locks', () => {
  for (const { tag } of journal().entries) {
    const text = readFileSync(join(folder, `${tag}.sql`), 'utf8')
    const changes = text
      .split('--> statement-breakpoint')
      .filter((statement) => /^\s*(alter table|create (unique )?index)/i.test(statement))
    expect(stepsOf(tag, text).length, tag).toBeGreaterThanOrEqual(changes.length)
  }
})

it('says which tables the waiting migrations lock, and what becomes of running nodes', async () => {
  const t = await openTestApp()
  const { db } = t.app
  expect(await planLines(db)).toEqual([expect.stringContaining('nothing to do')])
  const [before, ...waiting] = journal().entries.slice(-3)
  await db.execute(sql`delete from drizzle.__drizzle_migrations where created_at > ${before?.when}`)
  const lines = await planLines(db)
  expect(lines[0]).toBe('2 migrations wait:')
  for (const { tag } of waiting) expect(lines).toContain(tag)
  expect(lines.at(-1)).toMatch(/^Running nodes of the former version/)
  await t.close()
})
