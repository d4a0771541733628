import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { availableParallelism, release, totalmem, version } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { imageName } from '../lab/image.ts'
import { imagesDir } from '../lab/places.ts'

/**
 * What the tests of agent and lab depend on, apart from the contract. Whole folders: one driver more or less changes the bundle
 * that runs in each host.
 */
const sources = [
  ...['agent/**', 'lab/**', 'bin/**', 'vitest.config.ts', 'tsconfig*.json', 'package.json', 'contract/package.json'],
  ...['package-lock.json', 'node_modules/.package-lock.json'],
]
/** Variables of the environment that programs under test may read. */
const telling = /^(INNKEEPER_|TEST_|NODE|VITEST|FUZZ|LC_|DEBIAN|APT|TZ$|LANG|PATH$|HOME$|USER$|CI$)|_proxy$/i
const contractImport = /'@innkeeper\/contract((?:\/[\w./-]+)?)'/g
const relativeImport = /(?:from|import)\s*\(?\s*'(\.[^']+)'/g

/** A digest of everything on which a result of the suites `agent` and `lab` depends on this machine. */
export async function inputsOfHosts(): Promise<string> {
  const files = filesOf(sources)
  const hash = createHash('sha256')
  const add = (name: string, content: string | Buffer) =>
    hash.update(`${name}\0${Buffer.byteLength(content)}\0`).update(content)
  for (const file of [...files, ...contractOf(files)]) add(file, readFileSync(file))
  const image = await imageName()
  const installed = join(imagesDir(), image, 'var/lib/dpkg/status')
  add('image', existsSync(installed) ? readFileSync(installed) : 'not built yet')
  add(
    'machine',
    JSON.stringify([process.version, process.arch, release(), version(), totalmem(), availableParallelism()]),
  )
  add('user', String(process.getuid?.()))
  add('packages', output('dpkg-query', ['-W']))
  add('sources', output('apt-get', ['indextargets', '--format', '$(REPO_URI) $(RELEASE) $(COMPONENT)']))
  const own = Object.entries(process.env).filter(([name]) => telling.test(name) && name !== 'INNKEEPER_LAB_IMAGE')
  add('environment', JSON.stringify(own.sort()).replaceAll(process.cwd(), '.'))
  return hash.digest('hex')
}

function filesOf(patterns: readonly string[]): string[] {
  const found = globSync(patterns, {
    withFileTypes: true,
    exclude: ({ name }) => name === 'dist' || name === 'node_modules',
  })
  const named = found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const installed = 'node_modules/.package-lock.json' // the exclusion drops it
  return [...new Set([...named.map((file) => file.replace(`${process.cwd()}/`, '')), installed])].sort()
}

/** Files of the contract that these files import, and what those import in turn. An import that leads nowhere is an error. */
export function contractOf(files: readonly string[]): string[] {
  const known = new Set<string>()
  const queue = files.filter((file) => file.endsWith('.ts')).flatMap(imported)
  for (let file = queue.pop(); file; file = queue.pop()) {
    if (known.has(file)) continue
    known.add(file)
    queue.push(...imported(file))
  }
  return [...known].sort()
}

function imported(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  const found = [...text.matchAll(contractImport)].map(([, name]) => `contract${name || '/index'}`)
  const inside = file.startsWith('contract/')
    ? [...text.matchAll(relativeImport)].map(([, name]) => normalize(join(dirname(file), name ?? '')))
    : []
  return [...found, ...inside].map((name) => {
    const path = [name, `${name}.ts`, `${name}/index.ts`].find((one) => /\.\w+$/.test(one) && existsSync(one))
    if (!path) throw new Error(`${file} imports ${name}, which is no file of the contract`)
    return path
  })
}

function output(program: string, argv: string[]): string {
  try {
    return execFileSync(program, argv, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 26 })
  } catch {
    return 'none' // not Debian: its hosts cannot run either
  }
}
