import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/**
 * Checks the structure of the source: kit rooms import no domain, the number of circles between server domains does not
 * grow, and no file is longer than MOST_LINES. Prints each violation and ends with 1 where there is one.
 */
const MOST_LINES = 400
/** Pairs of server domains that import each other, and domains in any circle of imports. Both numbers may only go down. */
const MUTUAL = 0
const IN_CIRCLES = 0
/** Files that are still too long. A name may leave the list, never join it. */
const long = new Set(['agent/drivers/webServer/site.test.ts', 'web/kit/calendar/calendar.module.css'])

const files = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .stdout.split('\n')
  .filter((file) => /\.(ts|tsx|css)$/.test(file))
const texts = new Map(
  files.flatMap((file): [string, string][] => {
    try {
      return [[file, readFileSync(file, 'utf8')]]
    } catch {
      return [] // deleted and not yet committed
    }
  }),
)
const problems: string[] = []

/** The files of the repository that a file imports, types included. */
function importsOf(file: string, text: string): string[] {
  const specifiers = [...text.matchAll(/(?:from|import|import\() ?'([^']+)'/g)].map(([, specifier = '']) => specifier)
  return specifiers.flatMap((specifier) => {
    if (specifier.startsWith('.')) return [normalize(join(dirname(file), specifier))]
    const own = /^@innkeeper\/(.+)$/.exec(specifier)?.[1]
    return own ? [/\.tsx?$/.test(own) ? own : `${own}.ts`] : []
  })
}

const isTest = (file: string) => /\.test\.tsx?$|\/test[A-Z]\w*\.ts$|\/testing\//.test(file)

for (const [file, text] of texts) {
  const lines = text.split('\n').length - 1
  if (lines > MOST_LINES && !long.has(file)) problems.push(`${file} has ${lines} lines, more than ${MOST_LINES}`)
  const program = /^(server|web|agent)\/kit\//.exec(file)?.[1]
  if (!program || isTest(file)) continue
  for (const target of importsOf(file, text))
    if (
      target.startsWith(`${program}/`) &&
      (program === 'server' || new RegExp(`^${program}/[^/]+/`).test(target)) && // server/*.ts lists the domains
      !target.startsWith(`${program}/kit/`)
    )
      problems.push(`${file} imports ${target}: a kit room imports no domain, nor a list of them`)
}

/** Domain folder → the domain folders that it imports. */
const domains = new Map<string, Set<string>>()
const domainOf = (file: string) => /^server\/(?!kit\/|testing\/|hostile\/|migrations\/|seed\/)(\w+)\//.exec(file)?.[1]
for (const [file, text] of texts) {
  const domain = domainOf(file)
  if (!domain || isTest(file)) continue
  const imported = domains.get(domain) ?? new Set()
  domains.set(domain, imported)
  for (const target of importsOf(file, text)) {
    const other = domainOf(target)
    if (other && other !== domain) imported.add(other)
  }
}
/** Every domain that a domain reaches over imports. */
function reach(from: string): Set<string> {
  const found = new Set<string>()
  const visit = (domain: string) => {
    for (const next of domains.get(domain) ?? [])
      if (!found.has(next)) {
        found.add(next)
        visit(next)
      }
  }
  visit(from)
  return found
}
const inCircles = [...domains.keys()].filter((domain) => reach(domain).has(domain)).sort()
const mutual = [...domains].flatMap(([one, others]) =>
  [...others].filter((other) => one < other && domains.get(other)?.has(one)).map((other) => `${one} and ${other}`),
)

/** Refuses more than the budget, and a budget that is higher than the count. */
function budget(found: string[], allowed: number, name: string, what: string): void {
  if (found.length > allowed) problems.push(`${found.length} ${what}, ${allowed} allowed: ${found.join(', ')}`)
  if (found.length < allowed) problems.push(`only ${found.length} ${what} now: lower ${name} in bin/structure.ts`)
}
budget(mutual, MUTUAL, 'MUTUAL', 'pairs of server domains import each other')
budget(inCircles, IN_CIRCLES, 'IN_CIRCLES', 'server domains stand in circles of imports')

for (const problem of problems) console.error(problem)
process.exitCode = problems.length ? 1 : 0
