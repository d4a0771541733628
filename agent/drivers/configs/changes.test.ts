import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { isLinked } from './changes.ts'

test('a folder behind a symlink is found, also if the folder itself is missing', async () => {
  const root = realpathSync(mkdtempSync(`${tmpdir()}/linked-`))
  try {
    mkdirSync(`${root}/own`)
    symlinkSync(`${root}/own`, `${root}/led`)
    symlinkSync(`${root}/nowhere`, `${root}/broken`)
    for (const folder of ['own', 'own/missing/deep', '.'])
      expect(await isLinked(`${root}/${folder}`.replace('/.', ''))).toBe(false)
    for (const folder of ['led', 'led/missing/deep', 'broken', 'broken/x'])
      expect(await isLinked(`${root}/${folder}`), folder).toBe(true)
  } finally {
    rmSync(root, { recursive: true })
  }
})
