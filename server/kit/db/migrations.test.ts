import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { folder, journal } from './migrations.ts'

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
