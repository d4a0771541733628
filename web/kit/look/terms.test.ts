import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { meaningOf, words } from './terms.ts'

const web = join(import.meta.dirname, '../..')
const screens = globSync('{access,desk,hosting,machines,net,planning,quality,recovery}/**/*.tsx', { cwd: web })
  .map((file) => readFileSync(join(web, file), 'utf8'))
  .join('\n')

test('every explained word is a label or a title of a screen, and is explained in two sentences at most', () => {
  const unused = words.filter((word) => !screens.includes(`"${word}"`) && !screens.includes(`'${word}'`))
  expect(unused).toEqual([])
  for (const word of words) {
    const { says = '', more = '' } = meaningOf(word) ?? {}
    expect(says.length, word).toBeLessThan(140)
    expect(says.endsWith('.'), word).toBe(true)
    expect(more, word).toMatch(/^https:\/\//)
  }
})

test('other words explain nothing', () => expect(meaningOf('Status')).toBeUndefined())
