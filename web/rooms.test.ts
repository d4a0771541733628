import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

const specifier = /(?:from |import |import\()'(\.[^']+)'/g

/** The files of the web that a file imports. */
const importsOf = (file: string): string[] =>
  [...readFileSync(join(import.meta.dirname, file), 'utf8').matchAll(specifier)].map(([, path = '']) =>
    normalize(join(dirname(file), path)),
  )

test('the kit imports no domain: only its own rooms and the palette', () => {
  const files = globSync('kit/**/*.{ts,tsx}', { cwd: import.meta.dirname })
  expect(files.length).toBeGreaterThan(100)
  const leaving = files.flatMap((file) =>
    importsOf(file)
      .filter((path) => !path.startsWith('kit/') && path !== 'palette.ts' && !path.startsWith('../bin/'))
      .map((path) => `${file} imports ${path}`),
  )
  expect(leaving).toEqual([])
})

test('a domain.ts imports no component and no contract, because its code comes with the shell', () => {
  const files = globSync(['home/domain.ts', '*/*/domain.ts', '*/*/*/screens.ts'], { cwd: import.meta.dirname })
  const heavy = files.flatMap((file) => {
    const loaded = readFileSync(join(import.meta.dirname, file), 'utf8').matchAll(/^import .* from '([^']+)'/gm)
    return [...loaded]
      .map(([, path]) => path)
      .filter((path) => !/^(\.\.\/)+domain\.ts$|\/section\.ts$|\/screens\.ts$/.test(path ?? ''))
  })
  expect(heavy).toEqual([])
})
