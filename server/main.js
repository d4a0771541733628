import { existsSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'

/** Entry point of the bundle that `npm run build` makes; `--compile` only fills node's compile cache. */
const OLDEST = 24
const dist = join(import.meta.dirname, 'dist')
const bundle = join(dist, 'serve.mjs')
const fail = (message) => {
  console.error(message)
  process.exit(1)
}
if (Number.parseInt(process.versions.node, 10) < OLDEST)
  fail(
    `This is Node ${process.versions.node}, and Innkeeper needs ${OLDEST} or newer. npm has installed one here:\n` +
      'node_modules/.bin/node server/main.js',
  )
if (!existsSync(bundle)) fail('The server is not built: npm run build')
// if the folder is not writable, node starts without the cache
// a unit of systemd names a folder that its user can write
module.enableCompileCache(process.env.CACHE_DIRECTORY ?? join(dist, 'compiled'))

const { serve } = await import(bundle)
if (!process.argv.includes('--compile')) await serve()
module.flushCompileCache() // written now, so that a killed process leaves the cache too
