import { existsSync } from 'node:fs'
import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'

/** Entry point of the bundle that `npm run build` makes; `--compile` only fills node's compile cache. */
const dist = join(import.meta.dirname, 'dist')
const bundle = join(dist, 'serve.mjs')
if (!existsSync(bundle)) {
  console.error('The server is not built: npm run build')
  process.exit(1)
}
// if the folder is not writable, node starts without the cache
enableCompileCache(join(dist, 'compiled'))

const { serve } = await import(bundle)
if (!process.argv.includes('--compile')) await serve()
flushCompileCache() // written now, so that a killed process leaves the cache too
