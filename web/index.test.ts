import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

it('keeps the width of a phone while a list opens in a dialog: the page cannot become wider, and people can zoom', () => {
  const html = readFileSync(join(import.meta.dirname, 'index.html'), 'utf8')
  expect(html).toContain('content="width=device-width,initial-scale=1,minimum-scale=1"')
})
