import type { Context, Driver } from '../../kit/driver.ts'
import { apt as alone, installedPackages, run, whenLocksAreFree } from '../../kit/host.ts'

const quietly = {
  DEBIAN_FRONTEND: 'noninteractive',
  APT_LISTCHANGES_FRONTEND: 'none',
  NEEDRESTART_SUSPEND: '1',
}
// locally changed configuration files are kept
const options = [
  '-o=Dpkg::Options::=--force-confdef',
  '-o=Dpkg::Options::=--force-confold',
  '-o=Dpkg::Use-Pty=0',
  '-o=Acquire::Retries=2',
  '-o=Acquire::http::Timeout=30',
]
const telling = /^(Get:|Unpacking|Setting up|Err|E:|W:|dpkg:)/

/** Installs Debian packages. Undo keeps them, because other programs may need them meanwhile. */
export const packages: Driver<'packages.ensure'> = {
  async run(c) {
    if ((await missingOf(c.input.packages)).length) return alone(() => install(c))
    c.say(`${c.input.packages.length} packages are installed already`)
    return { installed: [] }
  },
  async undo({ say }) {
    say('packages stay: others may need them')
  },
  async inspect({ input, task }) {
    if (task === 'undo') return 'yes'
    return (await missingOf(input.packages)).length === 0 ? 'yes' : 'no'
  },
}

async function install({ input, say, fence }: Context<'packages.ensure'>): Promise<{ installed: string[] }> {
  const missing = await missingOf(input.packages) // another operation may have installed them meanwhile
  if (missing.length === 0) {
    say('another operation has installed them meanwhile')
    return { installed: [] }
  }
  say(`${missing.length} of ${input.packages.length} packages are missing: ${missing.join(' ')}`)
  const apt = (...args: string[]) => {
    fence()
    return whenLocksAreFree(() =>
      run(['apt-get', '--yes', '--quiet', ...options, ...args], {
        env: quietly,
        long: true,
        onLine: (line) => telling.test(line) && say(line),
      }),
    )
  }
  const getAll = () => apt('install', '--no-install-recommends', '--', ...missing.map(exactly))
  let ran = await getAll()
  if (ran.code !== 0 && /dpkg --configure -a/.test(ran.stderr)) {
    say('an earlier installation was interrupted: completing it')
    fence()
    await whenLocksAreFree(() =>
      run(['dpkg', '--configure', '-a', '--force-confdef', '--force-confold'], { env: quietly, long: true }),
    )
    ran = await getAll()
  }
  if (ran.code !== 0 || (await missingOf(missing)).length) {
    say('asking for the current package lists')
    const updated = await apt('update')
    if (updated.code !== 0) throw new Error(`apt-get update: ${complaint(updated.stderr)}`)
    ran = await getAll()
  }
  if (ran.code !== 0) throw new Error(`apt-get install: ${complaint(ran.stderr)}`)
  const still = await missingOf(input.packages)
  if (still.length) throw new Error(`apt-get knows no such package: ${still.join(' ')}`)
  return { installed: missing }
}

/**
 * An exact pattern: apt-get removes a package when a name ends with `-`, and takes a missing name with dots for a
 * regular expression.
 */
const exactly = (name: string) => `?exact-name(${name})?architecture(${architecture})`
// Debian's name of the architecture; apt 2.6 finds nothing with `native`
const architecture = process.arch === 'x64' ? 'amd64' : process.arch

async function missingOf(wanted: readonly string[]): Promise<string[]> {
  const installed = await installedPackages(wanted)
  return wanted.filter((name) => !installed.has(name))
}

/** What apt and dpkg complain of. dpkg names its reason, such as a full disk, in an indented line below. */
function complaint(stderr: string): string {
  const lines = stderr.split('\n')
  const isComplaint = (line: string | undefined) => /^(E|Err|dpkg):?/.test(line ?? '')
  const told = lines.filter((line, n) => isComplaint(line) || (/^\s+\S/.test(line) && isComplaint(lines[n - 1])))
  return (told.join('\n') || stderr.trim()).slice(-2000)
}
