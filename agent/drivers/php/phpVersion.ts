import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, rename, rm } from 'node:fs/promises'
import type { OperationInput } from '@innkeeper/contract/agent/operations'
import type { Context, Driver } from '../../kit/driver.ts'
import {
  apt,
  debianMirror,
  exclusive,
  hasSystemd,
  must,
  patience,
  reloadUnits,
  remove,
  replace,
  run,
  whenLocksAreFree,
} from '../../kit/host.ts'
import { packages } from '../machine/packages.ts'
import { rootOf } from './phpRoot.ts'

type Voice = Context<'php-version.ensure'>
type Repository = NonNullable<OperationInput<'php-version.ensure'>['repository']>
const extensions = ['fpm', 'cli', 'mysql', 'xml', 'mbstring', 'gd', 'intl', 'curl', 'zip']
const packagesOf = (version: string) => extensions.map((extension) => `php${version}-${extension}`)
/**
 * The Debian release of each PHP version. The packages need the libraries of that release, and therefore a root folder of
 * their own.
 */
const releases: Record<string, string> = { '7.4': 'bullseye', '8.2': 'bookworm', '8.4': 'trixie' }
const sourceFile = '/etc/apt/sources.list.d/innkeeper-php.list'
const keyFile = '/usr/share/keyrings/innkeeper-php.gpg'

/**
 * Installs a further PHP version: from the machine's package sources, else from a repository of PHP packages, else from
 * the Debian release that has it, in a root folder of its own.
 */
export const ensurePhpVersion: Driver<'php-version.ensure'> = {
  run: (c) =>
    exclusive('php-version', async () => {
      const { phpVersion: version, repository } = c.input
      const program = `/usr/sbin/php-fpm${version}`
      if (existsSync(program)) return c.say(`PHP ${version} is installed already`)
      if (!(await hasCandidate(version)) && repository) await addRepository(c, repository, version)
      if (await hasCandidate(version))
        // runs with the log and the fence of this operation
        await packages.run({ ...c, input: { packages: packagesOf(version) } } as Context<'packages.ensure'>)
      else await installRoot(c, version)
      const [said = ''] = (await must([program, '--version'])).split('\n')
      c.say(said)
      return { version: said.match(/^PHP (\S+)/)?.[1] ?? version }
    }),
  async undo({ input, say }) {
    say(`PHP ${input.phpVersion} stays, because other websites may use it meanwhile`)
  },
  async inspect({ input: { phpVersion }, task }) {
    return task === 'undo' || existsSync(`/usr/sbin/php-fpm${phpVersion}`) ? 'yes' : 'no'
  },
}

async function hasCandidate(version: string): Promise<boolean> {
  const { stdout } = await run(['apt-cache', 'policy', `php${version}-fpm`])
  return /^ {2}Candidate: \d/m.test(stdout)
}

/** Adds a package source. Removes it if it fails, because an unreadable source stops every later installation. */
async function addRepository({ say, fence }: Voice, { uri, suite, key }: Repository, version: string): Promise<void> {
  fence()
  const got = await run([
    'curl',
    '-fsS',
    '--max-time',
    `${patience.networkMs / 1000}`,
    '--output',
    `${keyFile}.new`,
    key,
  ])
  if (got.code !== 0) return say(`${new URL(uri).host} does not answer: ${got.stderr.trim().slice(0, 200)}`)
  await rename(`${keyFile}.new`, keyFile)
  await replace(sourceFile, `deb [signed-by=${keyFile}] ${uri} ${suite} main\n`)
  const updated = await apt(() => whenLocksAreFree(() => run(['apt-get', 'update', '--quiet'], { long: true })))
  if (updated.code === 0 && (await hasCandidate(version))) return say(`packages come from ${uri}`)
  await remove(sourceFile)
  say(`${uri} has no PHP ${version} for this machine: ${updated.stderr.trim().slice(-200)}`)
}

async function installRoot({ say, fence, ...c }: Voice, version: string): Promise<void> {
  const release = releases[version]
  if (!release)
    throw new Error(`Neither the package sources of this server nor a known Debian release have PHP ${version}`)
  if (!hasSystemd()) throw new Error(`PHP ${version} in a root of its own needs systemd`)
  const root = rootOf(version)
  // runs with the log and the fence of this operation
  await packages.run({ ...c, say, fence, input: { packages: ['debootstrap'] } } as Context<'packages.ensure'>)
  const aside = `${root}.new`
  await rm(aside, { recursive: true, force: true })
  await mkdir(aside, { recursive: true, mode: 0o755 })
  const { mirror, proxy } = await debianMirror()
  say(`PHP ${version} is installed from Debian ${release} into ${root}`)
  fence()
  const include = ['ca-certificates', ...packagesOf(version)].join(',')
  const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg'
  const options = ['--variant=minbase', `--keyring=${keyring}`, `--include=${include}`]
  const ran = await run(['debootstrap', ...options, release, aside, mirror], {
    long: true,
    env: { DEBIAN_FRONTEND: 'noninteractive', ...(proxy && { http_proxy: proxy }) },
    onLine: (line) => /^(I: (Unpacking|Configuring) (php|the base)|E:)/.test(line) && say(line),
  })
  if (ran.code !== 0) throw new Error(`debootstrap: ${(ran.stdout + ran.stderr).trim().slice(-1500)}`)
  fence()
  await rm(root, { recursive: true, force: true })
  await rename(aside, root)
  // use the machine's own configuration folder, as for other versions
  await cp(`${root}/etc/php/${version}`, `/etc/php/${version}`, { recursive: true })
  const unit = await readFile(`${root}/lib/systemd/system/php${version}-fpm.service`, 'utf8')
  await replace(`/etc/systemd/system/php${version}-fpm.service`, unit)
  await replace(`/usr/sbin/php-fpm${version}`, wrapper(version), { mode: 0o755 })
  await reloadUnits()
}

/**
 * Starts php-fpm in the root folder without forking, so that systemd supervises php-fpm itself. Accounts, sockets and
 * configuration are the machine's.
 */
const wrapper = (version: string) => `#!/bin/sh
# Written by Innkeeper: PHP ${version} in a root of its own, ${rootOf(version)}.
exec unshare --mount --propagation private /bin/sh -c '
  root=${rootOf(version)}
  mkdir -p "$root/etc/innkeeper"
  for path in /proc /dev /run /tmp /home /etc/innkeeper /etc/php/${version}; do mount --rbind "$path" "$root$path"; done
  for file in /etc/passwd /etc/group /etc/hosts /etc/resolv.conf; do
    [ -e "$root$file" ] || : >"$root$file"
    mount --bind "$file" "$root$file"
  done
  exec chroot "$root" /usr/sbin/php-fpm${version} "$@"
' php-fpm${version} "$@"
`
