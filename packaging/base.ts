import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Arch = 'amd64' | 'arm64'
interface Pinned {
  name: string
  version: string
  sha256: string
}

/** Only these: the packages have documentation and tools, too. */
const libraries = ['lib', 'lib64', 'usr/lib']
/**
 * What the image takes of Debian 12: the libraries that Node needs, and `sync`, which the embedded database calls. There is no
 * shell and no package manager.
 */
const taken: Record<string, readonly string[]> = {
  libc6: libraries,
  'libgcc-s1': libraries,
  'libstdc++6': libraries,
  coreutils: ['bin/sync'],
}
const list = join(import.meta.dirname, 'base.json')

/** Unpacks the libraries of the base into a folder, in the versions and with the sums of `base.json`. `pin` writes these anew. */
export function unpackBase(arch: Arch, cache: string, to: string, pin: boolean): void {
  const apt = aptOf(arch, cache)
  const pins = JSON.parse(readFileSync(list, 'utf8')) as Record<Arch, Pinned[]>
  if (pin) {
    apt('update')
    pins[arch] = Object.keys(taken).map((name) => {
      const version = /Candidate: (\S+)/.exec(run('apt-cache', [...optionsOf(arch, cache), 'policy', name], cache))?.[1]
      if (!version) throw new Error(`Debian has no ${name} for ${arch}`)
      return { name, version, sha256: sumOf(fetched(apt, cache, { name, version, arch })) }
    })
    writeFileSync(list, `${JSON.stringify(pins, null, 2)}\n`)
  }
  for (const { name, version, sha256 } of pins[arch]) {
    const file = fetched(apt, cache, { name, version, arch })
    if (sumOf(file) !== sha256) throw new Error(`${name} ${version} differs from packaging/base.json`)
    const aside = join(cache, `unpacked-${arch}`)
    rmSync(aside, { recursive: true, force: true })
    run('dpkg-deb', ['--extract', file, aside], cache)
    for (const path of taken[name] ?? [])
      if (existsSync(join(aside, path)))
        cpSync(join(aside, path), join(to, path), { recursive: true, verbatimSymlinks: true })
    rmSync(aside, { recursive: true })
  }
}

type Apt = (...words: string[]) => void
const optionsOf = (arch: Arch, cache: string) => [
  ...['-o', `APT::Architecture=${arch}`, '-o', `APT::Architectures=${arch}`],
  ...['-o', `Dir::State=${join(cache, `apt-${arch}`)}`, '-o', `Dir::State::status=/dev/null`],
  ...['-o', `Dir::Cache=${join(cache, `apt-${arch}`)}`, '-o', 'APT::Sandbox::User='],
]
/** apt with lists of its own: the packages are those of another architecture, and the machine keeps its state. */
function aptOf(arch: Arch, cache: string): Apt {
  mkdirSync(join(cache, `apt-${arch}`, 'lists/partial'), { recursive: true })
  mkdirSync(join(cache, `apt-${arch}`, 'archives/partial'), { recursive: true })
  return (...words) => void run('apt-get', ['--quiet', ...optionsOf(arch, cache), ...words], cache)
}

function fetched(
  apt: Apt,
  cache: string,
  { name, version, arch }: { name: string; version: string; arch: Arch },
): string {
  const file = join(cache, `${name}_${version.replace(':', '%3a')}_${arch}.deb`)
  if (existsSync(file)) return file
  const get = () => apt('download', `${name}:${arch}=${version}`)
  try {
    get()
  } catch {
    apt('update') // the lists may be missing or old
    try {
      get()
    } catch (error) {
      const why = error instanceof Error ? error.message : error
      throw new Error(
        `${name} ${version} cannot be fetched. If Debian has a newer one: npm run package -- --pin\n${why}`,
      )
    }
  }
  return file
}

const sumOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')

function run(program: string, words: string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(program, words, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${words.at(-1)}: ${(stderr || error?.message || '').trim()}`)
  return stdout
}
