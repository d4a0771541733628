import { realpath } from 'node:fs/promises'
import { absent, read } from '../../../kit/host.ts'
import { configurationIn, type Directive, directivesIn, serverIn } from '../../nginx/nginxText.ts'

/** A file of somebody else's nginx with the servers of one website. */
interface SiteFile {
  file: string
  text: string
  /** The servers in the order of the file. */
  parts: string[]
  /** The file without them. */
  after: string
}
export interface SiteBlocks {
  files: SiteFile[]
  /** The same servers, with what their files include. */
  servers: Directive[]
  /** Its own name first. */
  names: string[]
  /** Names of other websites in these servers. */
  strangers: string[]
  /** Whether somebody else serves names that no server has, without a declaration. */
  hasNameless: boolean
}

/** Whether a file may name one of these websites. Another one of hundreds is not read. */
function mayName(content: string, names: ReadonlySet<string>): boolean {
  const text = content.toLowerCase()
  // a name with escapes is written otherwise than it is read
  return text.includes('\\') || [...names].some((name) => text.includes(name))
}

/** Stands where a server was. It ends its line, so that nothing behind it becomes a comment. */
const markOf = (domain: string, n: number) => `# Innkeeper serves ${domain}, part ${n}\n`

/** The servers of a website in what `nginx -T` prints: those of its names, and those that lead to it. */
export async function siteBlocks(domain: string, aliases: readonly string[], printed: string): Promise<SiteBlocks> {
  const all = serverBlocks(configurationIn(printed))
  const leading = all.filter((one) => leadsTo(one, domain)).flatMap(namesOf)
  const wanted = new Set([domain, ...aliases, ...leading])
  const isOurs = (one: Directive) => namesOf(one).some((name) => wanted.has(name))
  const paths = new Set<string>()
  const parts = printed.split(/^# configuration file (\/[^\n]{1,500}):$/m)
  for (let at = 1; at < parts.length; at += 2) {
    const [path = '', content = ''] = parts.slice(at, at + 2)
    if (path.startsWith('/etc/nginx/innkeeper/') || !mayName(content, wanted)) continue
    const real = await realpath(path).catch(absent)
    if (real) paths.add(real)
  }
  const files: SiteFile[] = []
  for (const file of paths) {
    const text = (await read(file)) ?? ''
    const blocks = serverBlocks(directivesIn(text)).filter(isOurs)
    if (!blocks.length) continue
    const own = blocks.map(({ from, to }) => text.slice(from, to))
    files.push({ file, text, parts: own, after: withoutParts(domain, text, own) })
  }
  const servers = all.filter(isOurs)
  return {
    ...{ files, servers, names: [...wanted] },
    strangers: [...new Set(servers.flatMap(namesOf))].filter((name) => !wanted.has(name)),
    hasNameless: all.some((one) => {
      const listens = one.block.filter(({ words }) => words[0] === 'listen')
      const declared = listens.some(({ words }) => words.includes('default_server'))
      const isLocal = listens.some(({ words }) => /^(?:127\.|\[::1\]|unix:)/.test(words[1] ?? ''))
      const claims = one.block.some(
        ({ words }) => words[0] === 'server_name' && words.some((name) => name.includes('.')),
      )
      return !declared && !isLocal && !claims
    }),
  }
}

/** The file with a mark in the place of each server that is still in it. */
export function withoutParts(domain: string, text: string, parts: readonly string[]): string {
  let now = text
  for (const [i, part] of parts.entries()) {
    const at = now.indexOf(part)
    if (at >= 0) now = now.slice(0, at) + markOf(domain, i + 1) + now.slice(at + part.length)
  }
  return now
}

/** The file as it was before `markOf` stood in it; what others have changed in it meanwhile stays. */
export function withParts(domain: string, file: string, text: string, parts: readonly string[]): string {
  let now = text
  for (const [i, part] of parts.entries()) {
    const mark = markOf(domain, i + 1)
    const at = now.indexOf(mark)
    if (at < 0)
      throw new Error(
        `${file} was changed: its line “${mark.trim()}” is missing, behind which the former configuration belongs. Put the line back, or the configuration that the plan shows`,
      )
    now = now.slice(0, at) + part + now.slice(at + mark.length)
  }
  return now
}

/** Whether a server does nothing else than lead to a website. */
const leadsTo = ({ block }: Directive, domain: string) =>
  block.some(({ words: [name, status = '', to = ''] }) => {
    const [, host] = /^https?:\/\/([^/$]{1,253})/.exec(to) ?? []
    return name === 'return' && /^30[1278]$/.test(status) && host === domain
  })

export const namesOf = (one: Directive) => serverIn(one).names.map((name) => name.toLowerCase())

/** Servers of a file, also of one that has them within `http`. */
const serverBlocks = (found: readonly Directive[]): Directive[] =>
  [...found, ...found.flatMap(({ words, block }) => (words[0] === 'http' ? block : []))].filter(
    ({ words, block }) => words[0] === 'server' && block.length > 0,
  )
