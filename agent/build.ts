import { createHash } from 'node:crypto'
import { readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { bundledTexts } from './bundled.ts'
import { version } from './version.ts'

export interface Built {
  file: string
  version: string
  sha256: string
}

/** Bundles the agent into one file that needs Node and nothing else. Readers see the old file or the new one. */
export async function buildAgent(folder = join(import.meta.dirname, 'dist')): Promise<Built> {
  const bundle = await rolldown({
    input: join(import.meta.dirname, 'main.ts'),
    platform: 'node',
    external: /^node:/,
    plugins: [bundledTexts()],
    onLog(level, entry) {
      if (level === 'warn') throw new Error(entry.message)
    },
  })
  const file = join(folder, 'agent.mjs')
  const aside = `${file}.${process.pid}.new`
  await bundle.write({ file: aside, format: 'esm', minify: false, codeSplitting: false })
  await bundle.close()
  await rename(aside, file)
  const sha256 = createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
  return { file, version, sha256 }
}

if (import.meta.main) {
  const { version: built, sha256, file } = await buildAgent()
  console.log(`${file}\n${built} ${sha256}`)
}
