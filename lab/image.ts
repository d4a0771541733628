import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withLock } from './lock.ts'
import { settle } from './places.ts'
import { run } from './run.ts'
import { debianSources, sourcesList } from './sources.ts'
import { mmdebstrap } from './tools.ts'

/** A build step. `text` is for people ("Unpacking php8.2-fpm"); `done` of `total` steps, three per package. */
export type Step = { text: string; done: number; total: number }
export type OnStep = (step: Step) => void

const packages = [
  ...['systemd', 'systemd-sysv', 'dbus', 'ca-certificates', 'curl', 'procps', 'iproute2', 'nftables', 'openssl'],
  ...['acl', 'rsync', 'nginx-light', 'php8.2-fpm', 'php8.2-cli', 'php8.2-mysql', 'php8.2-xml', 'php8.2-mbstring'],
  ...['php8.2-gd', 'php8.2-intl', 'php8.2-curl', 'php8.2-zip'],
]
const customize = fileURLToPath(new URL('customize.sh', import.meta.url))
const usualPackages = 212 // estimate until apt has reported the number

/** Name of the current image, derived from the package list and the customize script. */
export async function imageName(): Promise<string> {
  const recipe = `${packages.join(' ')}\n${await readFile(customize, 'utf8')}`
  return createHash('sha256').update(recipe).digest('hex').slice(0, 12)
}

/** Answers the name of the image under `dir`, building it first if it does not exist. */
export async function ensureImage(dir: string, onStep: OnStep = () => {}, signal?: AbortSignal): Promise<string> {
  const images = settle(dir)
  const name = await imageName()
  const image = join(images, name)
  if (existsSync(image)) return name
  return await withLock(`image ${images}`, async () => {
    if (existsSync(image)) return name // another process built it while this one waited
    await clearInterrupted(images)
    const aside = join(images, `building-${name}`)
    await build(aside, images, onStep, signal)
    await rename(aside, image)
    return name
  })
}

async function clearInterrupted(images: string): Promise<void> {
  const left = (await readdir(images)).filter((entry) => entry.startsWith('building-'))
  for (const entry of left) await rm(join(images, entry), { recursive: true, force: true })
}

async function build(root: string, images: string, onStep: OnStep, signal?: AbortSignal): Promise<void> {
  onStep({ text: 'Reading the package lists', done: 0, total: usualPackages * 3 })
  const sources = `${root}.list`
  await writeFile(sources, sourcesList(await debianSources()))
  const builder = await mmdebstrap(join(images, 'mmdebstrap'))
  const argv = [
    // The build runs in namespaces of its own and dies with this process, together with its mounts.
    ...['setpriv', '--pdeathsig', 'KILL', 'unshare', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'],
    ...[...builder, '--verbose', '--mode=root', '--variant=minbase', `--include=${packages.join(',')}`],
    ...[`--customize-hook=${customize}`, '--aptopt=Acquire::Languages "none"', '--aptopt=APT::Install-Recommends "0"'],
    ...['bookworm', root, sources],
  ]
  const ran = await run(argv, { onLine: progress(onStep), signal })
  await rm(sources, { force: true })
  if (signal?.aborted) throw new Error('The build of the practice server image was interrupted')
  if (ran.code !== 0) throw new Error(`The practice server image could not be built: ${lastWords(ran.stderr)}`)
}

/**
 * Converts output of apt and dpkg into steps. They report the number of packages twice: for essential packages, then
 * for the rest.
 */
function progress(onStep: OnStep): (line: string) => void {
  const counts: number[] = []
  let done = 0
  return (line) => {
    const count = /^\d+ upgraded, (\d+) newly installed/.exec(line)?.[1]
    if (count) counts.push(Number(count))
    const step = /^(?:Get:\d+ \S+ \S+ \S+|(Unpacking|Setting up)) ([a-z0-9][a-z0-9.+-]+)/.exec(line)
    if (!step || counts.length === 0) return // before the packages, apt reads the lists
    const known = counts.length < 2 ? Math.max(usualPackages, counts[0] ?? 0) : counts.reduce((sum, n) => sum + n)
    done += 1
    onStep({ text: `${step[1] ?? 'Downloading'} ${step[2]}`, done: Math.min(done, known * 3), total: known * 3 })
  }
}

function lastWords(stderr: string): string {
  const errors = stderr.split('\n').filter((line) => /^(E:|Err:|dpkg: error|W: Failed)/.test(line))
  return (errors.length > 0 ? errors : stderr.trim().split('\n')).slice(-3).join(' ')
}
