import { run } from './run.ts'

/** One line of this machine's apt sources: `http://deb.debian.org/debian bookworm main`. */
export type Source = { uri: URL; suite: string; component: string }

const format = '$(REPO_URI) $(RELEASE) $(COMPONENT)'
const suites = /^bookworm(-updates|-security|-backports)?$/
const fallback = [
  'http://deb.debian.org/debian bookworm main',
  'http://deb.debian.org/debian bookworm-updates main',
  'http://deb.debian.org/debian-security bookworm-security main',
]

/** Where this machine has its packages from, as apt itself reads it. Empty without apt. */
export async function machineSources(): Promise<Source[]> {
  const argv = ['apt-get', 'indextargets', '--no-release-info', '--format', format, 'Created-By: Packages']
  const ran = await run(argv).catch(() => undefined) // no apt on this machine
  return ran?.code === 0 ? parse(ran.stdout.split('\n')) : []
}

/** The Debian 12 part of this machine's sources, or Debian's own mirror where this machine is another Debian. */
export async function debianSources(): Promise<Source[]> {
  const own = (await machineSources()).filter((source) => suites.test(source.suite))
  return own.some((source) => source.suite === 'bookworm') ? own : parse(fallback)
}

/** The same as lines of a sources.list; `plain` turns https into http, for hosts behind our proxy, which turns it back. */
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
