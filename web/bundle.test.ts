import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

const LOGIN = 150_000
const SCREEN = 40_000

type Chunk = Rolldown.OutputChunk
let chunks = new Map<string, Chunk>()

beforeAll(async () => {
  vi.stubEnv('NODE_ENV', 'production') // otherwise React's development build is measured
  const configFile = `${import.meta.dirname}/vite.config.ts`
  const made = await build({ configFile, mode: 'production', logLevel: 'error', build: { write: false } })
  const [output] = [made].flat()
  if (!output || !('output' in output)) throw new Error('vite did not build')
  chunks = new Map(output.output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file]] : [])))
})
afterAll(() => vi.unstubAllEnvs())

/** The chunk of a module with all its imports. */
function loadedWith(...ends: string[]): Set<Chunk> {
  const found = new Set<Chunk>()
  const visit = (chunk: Chunk | undefined) => {
    if (!chunk || found.has(chunk)) return
    found.add(chunk)
    for (const name of chunk.imports) visit(chunks.get(name))
  }
  for (const end of ends) {
    const chunk = [...chunks.values()].find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/web/${end}`)))
    if (!chunk) throw new Error(`no chunk of ${end}`)
    visit(chunk)
  }
  return found
}
const gzipped = (set: Iterable<Chunk>) => [...set].reduce((sum, { code }) => sum + gzipSync(code).length, 0)
const modules = (set: Iterable<Chunk>) =>
  [...set].flatMap((chunk) =>
    Object.entries(chunk.modules).flatMap(([id, { renderedLength }]) => (renderedLength ? [id] : [])),
  )

test('the sign-in page loads at most 150 kB of script', () => {
  expect(gzipped(loadedWith('main.tsx', 'access/auth/LoginScreen.tsx'))).toBeLessThan(LOGIN)
})

test('the sign-in page carries the contract of signing in and no other', () => {
  const contracts = modules(loadedWith('main.tsx', 'access/auth/LoginScreen.tsx')).flatMap(
    (id) => /\/contract\/([\w/]+)\.ts$/.exec(id)?.[1] ?? [],
  )
  expect(contracts.sort()).toEqual([
    'access/auth',
    'access/locale',
    'access/passkeyAnswer',
    'kit/endpoint',
    'kit/fieldMessages',
    'kit/passwords',
    'kit/request',
    'kit/transfer',
  ])
})

/** The chunks that are certainly loaded before a lazy part: those common to all screens that show it. */
function before(part: string): Set<Chunk> {
  const file = [...loadedWith(part)][0]?.fileName ?? ''
  const hosts = [...chunks.values()].filter(({ dynamicImports }) => dynamicImports.includes(file))
  const loads = hosts.flatMap(({ facadeModuleId, moduleIds }) => {
    const name = facadeModuleId?.split('/web/')[1]
    if (name?.endsWith('Screen.tsx')) return [loadedWith(name)]
    // imported by a domain.ts instead of a screen: a section of the website page
    const isStated = moduleIds.some((id) => id.endsWith('/domain.ts'))
    return isStated && !part.endsWith('Screen.tsx') ? [loadedWith('hosting/websites/page/WebsiteScreen.tsx')] : []
  })
  return loads.reduce((all, some) => all.intersection(some), loads[0] ?? new Set())
}

test('no screen adds more than 40 kB of script to the shell, and no lazy part more to its screen', () => {
  const shell = loadedWith('main.tsx', 'App.tsx', 'shell/Shell.tsx')
  const screens = [...chunks.values()].flatMap(({ isDynamicEntry, facadeModuleId }) => {
    const name = facadeModuleId?.split('/web/')[1]
    return isDynamicEntry && name?.endsWith('.tsx') && !/^(App|shell\/|login\/)/.test(name) ? [name] : []
  })
  const sizes = Object.fromEntries(
    screens.map((name) => {
      const there = shell.union(before(name))
      return [name, gzipped(loadedWith(name).difference(there))]
    }),
  )
  expect(sizes).toHaveProperty(['home/HomeScreen.tsx'])
  expect(Object.entries(sizes).filter(([, size]) => size > SCREEN)).toEqual([])
})

test('developer tools are in no chunk', () => {
  expect(modules(chunks.values()).filter((id) => id.includes('/web/showcase/'))).toEqual([])
})

test('zod is configured not to compile before any contract creates a schema', () => {
  const first = [...chunks.values()].find((chunk) => Object.keys(chunk.modules).some((id) => /\/zod\//.test(id)))
  expect(modules(first ? [first] : []).filter((id) => id.endsWith('/web/jitless.ts'))).toHaveLength(1)
})
