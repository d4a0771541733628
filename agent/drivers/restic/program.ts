import { existsSync } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import type { Context, Driver } from '../../kit/driver.ts'
import { debianMirror, ensureDirectory, exclusive, must, places, replace, run } from '../../kit/host.ts'

type Program = Context<'backup-program.ensure'>

const folder = `${places.home}/backup`
export const restic = `${folder}/restic`
export const restServer = `${folder}/restic-rest-server`
/** Debian 12 has restic 0.14, whose restore has no machine-readable output. This release has 0.18. */
const release = 'trixie'
const wanted = [0, 18] as const

/**
 * Installs restic 0.18, and rest-server on a backup server: from the package sources of the machine if they are new
 * enough, else from Debian 13. Both are single programs that run on Debian 12; apt checks the signatures.
 */
export const ensureProgram: Driver<'backup-program.ensure'> = {
  run: (c) =>
    exclusive('backup-program', async () => {
      const names = ['restic', ...(c.input.server ? ['restic-rest-server'] : [])]
      for (const name of names) if (!(await isFresh(`${folder}/${name}`))) await bring(c, name)
      const found = { restic: await versionOf(restic), server: c.input.server ? await versionOf(restServer) : null }
      c.say(`restic ${found.restic}${found.server ? `, rest-server ${found.server}` : ''}`)
      return found
    }),
  async undo({ say }) {
    say('the backup programs stay: other backups need them')
  },
  async inspect({ task }) {
    return task === 'undo' ? 'yes' : 'no' // the answer is needed; a repeat is harmless
  },
}

async function bring(c: Program, name: string): Promise<void> {
  await ensureDirectory(folder)
  const aside = `${folder}/new`
  await rm(aside, { recursive: true, force: true })
  await mkdir(`${aside}/lists/partial`, { recursive: true })
  await mkdir(`${aside}/archives/partial`, { recursive: true })
  const sources = (await candidate(name)) ? undefined : await releaseSources(aside)
  const apt = (...args: string[]): [string, ...string[]] => [
    'apt-get',
    '--quiet',
    '-o=APT::Sandbox::User=root',
    '-o=Acquire::Retries=2',
    ...(sources
      ? [
          `-o=Dir::State::lists=${aside}/lists`,
          `-o=Dir::Etc::sourcelist=${sources}`,
          '-o=Dir::Etc::sourceparts=/dev/null',
          `-o=Dir::Cache=${aside}`,
          '-o=Acquire::Languages=none',
        ]
      : []),
    ...args,
  ]
  c.fence()
  if (sources) {
    c.say(`${name} comes from Debian ${release}`)
    await must(apt('update'), { long: true })
  }
  const cwd = `${aside}/archives`
  await must(['env', `--chdir=${cwd}`, ...apt('download', '--', name)], { long: true })
  const packed = (await must(['find', cwd, '-maxdepth', '1', '-name', `${name}_*.deb`])).trim().split('\n')[0]
  if (!packed) throw new Error(`apt-get brought no ${name}`)
  await must(['dpkg-deb', '--extract', packed, `${aside}/root`])
  await versionOf(`${aside}/root/usr/bin/${name}`) // throws if the program does not run on this machine
  c.fence()
  await rename(`${aside}/root/usr/bin/${name}`, `${folder}/${name}`)
  await rm(aside, { recursive: true, force: true })
}

/** Whether the package sources of this machine have a version that is new enough. */
async function candidate(name: string): Promise<boolean> {
  if (name !== 'restic') return /^ {2}Candidate: \d/m.test((await run(['apt-cache', 'policy', name])).stdout)
  const [, major, minor] =
    (await run(['apt-cache', 'policy', name])).stdout.match(/^ {2}Candidate: (\d+)\.(\d+)/m) ?? []
  return isEnough(Number(major), Number(minor))
}

const isEnough = (major: number, minor: number) => major > wanted[0] || (major === wanted[0] && minor >= wanted[1])

async function isFresh(program: string): Promise<boolean> {
  if (!existsSync(program)) return false
  const version = await versionOf(program).catch(() => undefined) // an interrupted copy does not run
  if (version === undefined || !program.endsWith('/restic')) return version !== undefined
  const [major, minor] = version.split('.').map(Number)
  return isEnough(major ?? 0, minor ?? 0)
}

/** Versions of programs by path, size and time: each backup asks for them. */
const versions = new Map<string, string>()

async function versionOf(program: string): Promise<string> {
  const { size, mtimeMs, ino } = await stat(program)
  const file = [program, size, mtimeMs, ino].join(' ')
  const version = versions.get(file) ?? (await askVersion(program))
  if (versions.size > 100) versions.clear()
  versions.set(file, version)
  return version
}

async function askVersion(program: string): Promise<string> {
  const said = await must([program, ...(program.endsWith('/restic') ? ['version'] : ['--version'])])
  return said.match(/\d{1,5}\.\d{1,5}\.\d{1,5}/)?.[0] ?? said.trim().slice(0, 40)
}

/** The package source of the release at the mirror that this machine uses. */
async function releaseSources(aside: string): Promise<string> {
  const { mirror } = await debianMirror()
  const file = `${aside}/sources.list`
  await replace(file, `deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${mirror} ${release} main\n`)
  return file
}
