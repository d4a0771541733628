import { enableCompileCache, flushCompileCache, registerHooks } from 'node:module'
import { join } from 'node:path'

/**
 * The entry. Node reads the 180 kB of drizzle-orm's package.json anew for each of four hundred imports, and strips and
 * compiles every file at every start: both are done once here, and a node that was killed is back in half the time.
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
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/innkeeper')) // where it cannot write, it goes without

await import('./serve.ts')
flushCompileCache() // who is killed leaves it behind as well
