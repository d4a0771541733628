import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { importsOf, reach } from './imports.ts'

/**
 * Checks the structure of the source: kit rooms import no domain, no circle of imports connects areas, domains or files, no file is
 * longer than MOST_LINES, files that two programs need are the same in both, server/tables.ts exports every file with tables,
 * one test file at most imports a file with hooks, and tests do not sleep. Prints each violation and ends with 1 where there is one.
 */
const MOST_LINES = 400
/** Files that are still too long. A name may leave the list, never join it. */
const long = new Set(['web/kit/calendar/calendar.module.css'])
/** Files that two programs need. Programs share only the contract, so each has a copy; only the comment that names the other copy differs. */
const copies = [['agent/drivers/monitoring/request.ts', 'server/hosting/monitoring/request.ts']] as const

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

/**
 * Files of the server that open connections without `server/kit/outgoing`, which judges, pins and bounds requests to hosts
 * that people name. These ask no such host.
 */
const ownTargets = new Map([
  ['server/kit/app/offeredTasks.ts', 'the socket of its own process'],
  ['server/kit/storage/s3.ts', 'the store of the operator'],
  ['server/operating/ready.ts', 'the ports of this machine’s own services'],
  ['server/operating/doctor/network.ts', 'the own name, for the operator'],
  ['server/machines/servers/enrolment/reachability.ts', 'its own agents’ port'],
  ['server/net/ssl/acme/wire.ts', 'the authority of the operator'],
  ['server/net/dns/signing/ask.ts', 'the resolver of the operator, and name servers by their address'],
  ...[
    ...[
      'server/hosting/monitoring/request.ts',
      'server/hosting/websites/probe.ts',
      'server/recovery/archiveImports/verifySource.ts',
      'server/net/ssl/workflow/actions.ts',
    ],
    ...[
      'server/net/ssl/orders/preflight.ts',
      'server/hosting/websites/preview/preview.ts',
      'server/hosting/websites/preview/webSocket.ts',
    ],
  ].map((file) => [file, 'a managed server by its address'] as const),
])
/** The same for the agent, whose guard is agent/kit/network/reach.ts: these ask the machine itself, Innkeeper, or another server of ours. */
const ownTargetsOfAgents = new Map([
  ...['agent/door.ts', 'agent/pinnedAgent.ts', 'agent/transfer/link.ts'].map((file) => [file, 'Innkeeper'] as const),
  ['agent/transfer/wire.ts', 'the agent of another server, by its address'],
  ['agent/drivers/monitoring/request.ts', 'a managed server by its address'],
  ['agent/drivers/restic/locks.ts', 'a backup server by its address'],
  ['agent/drivers/restic/drillRequest.ts', 'a socket of the network of a drill'],
  ...[
    ...['agent/drivers/adopt/inPlace/answers.ts', 'agent/drivers/dns/powerdnsApi.ts', 'agent/drivers/ftp/ftpFront.ts'],
    ...['agent/drivers/ftp/front/passive.ts', 'agent/drivers/ftp/front/session.ts', 'agent/kit/network/fastcgi.ts'],
    ...['agent/kit/network/probe.ts', 'agent/kit/network/talk.ts', 'agent/kit/network/tlsProbe.ts'],
  ].map((file) => [file, 'services of this machine'] as const),
])
const connects =
  /import \{[^}]*\b(?:request|get|connect|createConnection|Agent)\b[^}]*\} from 'node:(?:http|https|net|tls|http2)'|from 'undici'|(?<![\w.])fetch\((?!\w+: )/

/**
 * Drivers and workflows that have a limit of time of their own; all others wait by `agent/kit/patience` and by
 * `server/kit/agents/liveRead.ts`, because a slow machine is not a broken one.
 */
const ownLimits = new Map([
  ['agent/drivers/monitoring/request.ts', 'what visitors of a monitored website wait'],
  ['agent/drivers/restic/drillRequest.ts', 'a script that runs in the network of a drill'],
  ['agent/drivers/restic/full.ts', 'how long restic may repeat a refused write'],
  ['agent/drivers/restic/locks.ts', 'when a lock of restic counts as left behind'],
  ['agent/drivers/restic/archive.ts', 'when a download counts as abandoned'],
  ['agent/drivers/restic/s3.ts', 'a bucket over the internet'],
  ['agent/drivers/machine/agentUpdate.ts', 'the old agent waits for its own end'],
  ...['session', 'passive', 'front'].map(
    (name) => [`agent/drivers/ftp/front/${name}.ts`, 'idle clients of FTP'] as const,
  ),
])
const limits =
  /\b(?:timeoutMs|withinMs|waitsMs)\s*[:=]\s*\d|AbortSignal\.timeout\(\s*\d|\.setTimeout\(\s*\d|\btimeout:\s*\d|performance\.now\(\) \+ \d|'--max-time', '\d|'timeout', '\d|(?:PATIENCE|ANSWER|WAIT|LONG|HOUR)_MS = /

const isTest = (file: string) => /\.test\.tsx?$|\/test\//.test(file)

for (const [file, text] of texts) {
  const isOutgoing = !isTest(file) && connects.test(text.replace(/\bimport type [^']*'[^']*'/g, ''))
  if (
    isOutgoing &&
    file.startsWith('server/') &&
    !file.startsWith('server/kit/outgoing/') &&
    !ownTargets.has(file) &&
    !/\bimport .*\bfetch\b|[{(,]\s*fetch\b[^(]/.test(text)
  )
    problems.push(`${file} opens a connection: hosts that people name are asked by server/kit/outgoing`)
  if (isOutgoing && file.startsWith('agent/') && !ownTargetsOfAgents.has(file) && !/\breach\.lookup\(/.test(text))
    problems.push(`${file} opens a connection: hosts that people name are judged by agent/kit/network/reach.ts`)
  if (
    (file.startsWith('agent/drivers/') || /liveRead\(/.test(text)) &&
    !isTest(file) &&
    !ownLimits.has(file) &&
    !file.startsWith('server/kit/') &&
    limits.test(text)
  )
    problems.push(`${file} has a limit of time of its own: wait for progress, by agent/kit/patience or liveRead`)
  if (/\bto_tsvector\(/.test(text) && file.startsWith('server/') && file !== 'server/kit/db/words.ts')
    problems.push(`${file} calls to_tsvector: its cost is quadratic without server/kit/db/words.ts`)
  if (/text\/csv;/.test(text) && !/\bcsvLine\b/.test(text) && !isTest(file))
    problems.push(`${file} writes CSV: csvLine of contract/kit/csv.ts writes each line, without formulas`)
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

/** Test code waits for conditions: where time itself is the subject, `letPass` of bin/pass.ts sleeps, with a reason. */
const sleeps =
  /import \{[^}]*\bsetTimeout\b[^}]*\} from '(?:node:)?timers\/promises'|new Promise(?:<\w+>)?\(\(?(\w+)\)? => (?:\{\s*)?(?:void )?setTimeout\(\1\b/
for (const [file, text] of texts)
  if ((isTest(file) || file.startsWith('e2e/')) && sleeps.test(text))
    problems.push(`${file} sleeps: a test waits for a condition, and letPass of bin/pass.ts says why time must pass`)

const code = (file: string) => texts.get(file)?.replace(/\/\*\*.*same file.*\*\/\n/, '')
for (const [file, copy] of copies)
  if (code(file) === undefined || code(file) !== code(copy)) problems.push(`${file} and ${copy} are not the same`)

/** All files that this file exports again, itself included. */
const exportedBy = (file: string): string[] => [
  file,
  ...[...(texts.get(file) ?? '').matchAll(/^export \* from '([^']+)'/gm)].flatMap(([, specifier = '']) =>
    exportedBy(normalize(join(dirname(file), specifier))),
  ),
]
const listed = new Set(exportedBy('server/tables.ts'))
for (const file of texts.keys())
  if (/^server\/.+\/tables\.ts$/.test(file) && !listed.has(file))
    problems.push(`server/tables.ts does not export ${file}`)

/** Test files of one program share a process, and vitest runs the hooks of a file only for the first test file that imports it. */
for (const [file, text] of texts) {
  if (file.endsWith('.test.ts') || !/^(?:before|after)(?:All|Each)\(/m.test(text)) continue
  const by = [...texts].filter(([test, its]) => test.endsWith('.test.ts') && importsOf(test, its).includes(file))
  if (by.length > 1) problems.push(`${file} has hooks, and ${by.map(([test]) => test).join(' and ')} import it`)
}

/** The areas, whose folders have the same names in server, web and contract. The README.md in server/ says what lives there. */
const areas = globSync('server/*/README.md').map((page) => dirname(page).slice('server/'.length))
const areaOf = (file: string) => new RegExp(`^(?:server|web|contract)/(?:${areas.join('|')})(?=/)`).exec(file)?.[0]
/** The domain folder of a file of the server or of the web; its name starts with that of the program. */
const domainOf = (file: string) =>
  new RegExp(`^(?:(?:server|web)/(?:${areas.join('|')})/\\w+|web/(?:home|shell|showcase))(?=/)`).exec(file)?.[0]
/** The calls of a web domain as functions: imports the kit and the contract only, so no circle leads through it. */
const isBinding = (file: string) => /^web\/\w+\/\w+\/api\.ts$/.test(file)

/** Folder → the folders that it imports, of the domains or of the areas. */
function importsBetween(folderOf: (file: string) => string | undefined): Map<string, Set<string>> {
  const folders = new Map<string, Set<string>>()
  for (const [file, text] of texts) {
    const folder = folderOf(file)
    if (!folder || isTest(file)) continue
    const imported = folders.get(folder) ?? new Set()
    folders.set(folder, imported)
    for (const target of importsOf(file, text)) {
      const other = folderOf(target)
      if (!other || other === folder || (isBinding(target) && !isBinding(file))) continue
      imported.add(other)
    }
  }
  return folders
}
function findCircles(imports: ReadonlyMap<string, ReadonlySet<string>>): void {
  for (const [one, others] of imports)
    for (const other of others)
      if (reach(imports, other).has(one))
        problems.push(`${one} imports ${other}, which imports ${one}, directly or through others`)
}
findCircles(importsBetween(domainOf))
findCircles(importsBetween(areaOf))
for (const file of files)
  if (
    /^(?:server|contract)\/\w+\/\w+\//.test(file) &&
    !areaOf(file) &&
    !/^server\/(?:kit|test|seed|migrations|operating)\//.test(file)
  )
    problems.push(`${file} is in no area: ${areas.join(', ')}`)

/**
 * The services of the process. Every part of the kit gets them, and they name the types of every part: this circle of types
 * stays.
 */
const services = 'server/kit/app/app.ts'
// a circle of files fails at the start of a program if the wrong one is loaded first; a circle of types has no owner
const all = new Map(
  [...texts].flatMap(([file, text]): [string, Set<string>][] =>
    /^(contract|server|web|agent|lab)\//.test(file) && file !== services
      ? [[file, new Set(importsOf(file, text))]]
      : [],
  ),
)
/** Files that import something and are imported by something: only these can be in a circle. */
function inner(imports: Map<string, Set<string>>): Map<string, Set<string>> {
  const imported = new Set([...imports.values()].flatMap((targets) => [...targets]))
  const kept = new Map<string, Set<string>>()
  for (const [file, targets] of imports) {
    const own = new Set([...targets].filter((target) => imports.get(target)?.size))
    if (own.size && imported.has(file)) kept.set(file, own)
  }
  return kept.size < imports.size ? inner(kept) : kept
}
findCircles(inner(all))

for (const problem of problems) console.error(problem)
process.exitCode = problems.length ? 1 : 0
