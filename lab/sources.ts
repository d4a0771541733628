import { run } from './run.ts'

/** One entry of this machine's apt sources: `http://mirror.example/debian bookworm main`. */
export type Source = { uri: URL; suite: string; component: string }

const format = '$(REPO_URI) $(RELEASE) $(COMPONENT)'
const suites = /^bookworm(-updates|-security|-backports)?$/
/** The sources that `shareSources` read, one a line. */
const SHARED = 'INNKEEPER_LAB_SOURCES'

/** The package sources of this machine, as apt reads them. Empty without apt. */
export const machineSources = async (): Promise<Source[]> =>
  parse((process.env[SHARED] ?? (await listed())).split('\n'))

/** Reads the sources once for all processes that this one starts: apt takes most of a second, for each lab and each host. */
export async function shareSources(): Promise<void> {
  process.env[SHARED] = await listed()
}

async function listed(): Promise<string> {
  const argv = ['apt-get', 'indextargets', '--no-release-info', '--format', format, 'Created-By: Packages']
  const ran = await run(argv).catch(() => undefined) // no apt on this machine
  return ran?.code === 0 ? ran.stdout : ''
}

/**
 * Sources of Debian 12 on this machine; on another Debian release, Debian 12 on the same mirrors. Throws if there are
 * none.
 */
export async function debianSources(): Promise<Source[]> {
  const all = await machineSources()
  const own = all.filter((source) => suites.test(source.suite))
  const found = own.some((source) => source.suite === 'bookworm') ? own : all.flatMap(ofBookworm)
  if (!found.length) throw new Error('This machine has no Debian package sources to make practice servers from')
  return found
}

function ofBookworm({ uri, component }: Source): Source[] {
  const archive = uri.pathname.match(/\/(debian|debian-security)\/?$/)?.[1]
  if (!archive || component !== 'main') return []
  const wanted = archive === 'debian' ? ['bookworm', 'bookworm-updates'] : ['bookworm-security']
  return wanted.map((suite) => ({ uri, suite, component }))
}

/**
 * Formats sources as lines of a sources.list. `plain` turns https into http for hosts behind the proxy, which turns it
 * back.
 */
export function sourcesList(sources: readonly Source[], plain = false): string {
  const lines = sources.map(({ uri, suite, component }) => {
    const address = plain ? uri.href.replace(/^https:/, 'http:') : uri.href
    return `deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${address} ${suite} ${component}\n`
  })
  return [...new Set(lines)].join('')
}

function parse(lines: readonly string[]): Source[] {
  const sources = lines.flatMap((line) => {
    const [uri = '', suite, component] = line.trim().split(' ')
    return suite && component && /^https?:\/\//.test(uri) ? [{ uri: new URL(uri), suite, component }] : []
  })
  return sources
}
