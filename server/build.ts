import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

const dist = join(import.meta.dirname, 'dist')
/** Packages with files of their own (WebAssembly, native code, a thread), and a large one that few nodes load. */
const external = [/^node:/, /^@electric-sql\/pglite/, '@node-rs/argon2', 'pino', 'date-holidays', 'pg-native']

/** Bundles the server, which takes less memory and starts sooner than two thousand modules do: see decision 103. */
const bundle = await rolldown({
  input: {
    serve: join(import.meta.dirname, 'serve.ts'),
    command: join(import.meta.dirname, 'operating/command.ts'),
    task: join(import.meta.dirname, 'task.ts'),
    proving: join(import.meta.dirname, 'kit/ownBackup/proving.ts'),
  },
  platform: 'node',
  external,
  onLog(level, { message }) {
    if (level === 'warn') throw new Error(message)
  },
})
rmSync(dist, { recursive: true, force: true })
await bundle.write({ dir: dist, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' })
await bundle.close()

// node compiles the bundle now instead of at each start
const { status } = spawnSync(process.execPath, [join(import.meta.dirname, 'main.js'), '--compile'], {
  stdio: 'inherit',
})
process.exitCode = status ?? 1
