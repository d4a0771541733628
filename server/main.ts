import { enableCompileCache, flushCompileCache, registerHooks } from 'node:module'
import { join } from 'node:path'

/**
 * Entry point. Without this hook, node parses drizzle-orm's package.json (180 kB) for each of four hundred imports;
 * without the compile cache, node compiles every file at each start. Hook and cache together halve the time of a
 * restart.
 */
const found = new Map<string, { url: string; format?: string | null | undefined; shortCircuit: true }>()
registerHooks({
  resolve(specifier, context, next) {
    if (!/^drizzle-orm(\/|$)/.test(specifier)) return next(specifier, context)
    const known = found.get(specifier) ?? { ...next(specifier, context), shortCircuit: true }
    found.set(specifier, known)
    return known
  },
})
// if the folder is not writable, node starts without the cache
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/innkeeper'))

await import('./serve.ts')
flushCompileCache() // written now, so that a killed process leaves the cache too
