import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** Pixels that a phone has beside the gutters of a page. */
const PHONE = 358

it('has no table in a section that is wider than a phone: SectionTable shows its rows as cards there', () => {
  const sources = globSync('web/**/*.tsx', { exclude: ['web/dist/**', 'web/showcase/**'] })
  expect(sources.length).toBeGreaterThan(500)
  const wide = sources.filter((file) =>
    [...readFileSync(file, 'utf8').matchAll(/ScrollContainer[^>]*minWidth=\{(\d+)\}/g)].some(
      ([, width]) => Number(width) > PHONE,
    ),
  )
  expect(wide).toEqual([])
})
