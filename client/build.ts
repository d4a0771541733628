import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

/** Bundles the client and the command line, each into one file that needs Node and nothing else. */
for (const [name, input] of [
  ['index', 'index.ts'],
  ['innkeeper', 'cli/main.ts'],
] as const) {
  const bundle = await rolldown({
    input: join(import.meta.dirname, input),
    platform: 'node',
    external: /^node:/,
    onLog(level, { message }) {
      if (level === 'warn') throw new Error(message)
    },
  })
  const file = join(import.meta.dirname, 'dist', `${name}.js`)
  await bundle.write({ file, format: 'esm', codeSplitting: false })
  await bundle.close()
  if (name === 'innkeeper') await chmod(file, 0o755)
}
