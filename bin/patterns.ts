import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { parseAst } from 'rolldown/parseAst'

/**
 * Checks that every pattern of the product costs no more than linear time, whatever text it reads. `patterns.txt` has the
 * checksums of patterns that recheck has found linear; others are judged now. Patterns that are put together while the
 * program runs, and functions that call themselves, cannot be judged: `foreign.test.ts` of the program tries the file, or
 * the file stands below with the reason. `--write` adds what was found linear to the list.
 */
const LIST = 'bin/patterns.txt'

/** Files with patterns put together while the program runs, which read no text of others or read it in bounds. */
const ownText = new Map([
  ...[
    ...['agent/drivers/accounts/slice.ts', 'agent/drivers/accounts/systemAccounts.ts', 'agent/heartbeat.ts'],
    ...['agent/drivers/sftp/sftpAccess.ts', 'agent/services.ts', 'agent/drivers/redis/redisStatus.ts'],
    ...['agent/drivers/firewall/ipSetTable.ts', 'agent/drivers/webServer/site.ts'],
  ].map((file) => [file, 'files and answers of the system'] as const),
  ['agent/drivers/mail/heldMail.ts', 'a header of at most 64 kB, as Postfix keeps them'],
  ['agent/drivers/mariadb/databaseRename.ts', 'one name, no repetition'],
  ['agent/drivers/mariadb/dumpText.ts', 'a line of mariadb-dump, whose names have at most 64 characters'],
  ['agent/drivers/restic/s3.ts', 'one tag, and no repetition over other tags'],
  ['contract/kit/access.ts', 'permissions of our own list'],
  ['server/kit/db/plan.ts', 'our own migrations'],
  ['contract/kit/values.ts', 'labels of at most 63 characters'],
  ['contract/net/ownRules/apacheRules.ts', 'words of a line of at most 1,000 characters'],
  [
    'agent/drivers/applications/findApplication.ts',
    'lines of a file of at most 1 MB, from their begin, without repetition of words',
  ],
  ['agent/drivers/applications/nameInText.ts', 'one name, no repetition'],
])
/** Functions that call themselves, and what bounds their depth. */
const recursive = new Map([
  ['agent/drivers/configs/collect.ts visit', 'folders of the system'],
  ['agent/drivers/replace/inBytes.ts within', 'MOST_DEPTH'],
  ['agent/drivers/restic/snapshotTree.ts search', 'folders of a snapshot, whose paths the kernel bounds'],
  ['agent/kit/patience/patience.ts next', 'a timer: no call is open inside another'],
  ['agent/redact.ts secretsIn', 'input of an operation, which its schema bounds'],
  ['agent/transfer/source.ts listen', 'tries of a port'],
  ['agent/drivers/nginx/nginxRules.ts all', 'MOST_DEPTH of nginxText.ts'],
  ['contract/net/dns/zoneLines.ts wordAt', 'a quoted word contains no further one'],
  ['server/kit/app/log.ts errorOf', 'causes of our own errors'],
  ['server/kit/audit/audit.ts idOf', 'names of two parts'],
  ['server/kit/audit/change.ts shown', 'input that a schema has accepted'],
  ['server/kit/audit/words.ts withoutWords', 'stored rows and input that a schema has accepted'],
  ['server/kit/audit/words.ts copy', 'stored rows and input that a schema has accepted'],
  ['server/kit/db/failures.ts reasonOf', 'causes of our own errors'],
  ['server/machines/servers/enrolment/practiceLab.ts again', 'a timer: no call is open inside another'],
  ['web/planning/calendarEvents/calendar/moveEntry.ts move', 'a click on Undo: no call is open inside another'],
  ['web/kit/form/merge.ts mergeValue', 'fields of our own forms'],
  ['server/kit/db/failures.ts rootOf', 'causes of our own errors'],
  ['server/kit/http/unknownFields.ts unknownIn', 'JSON, whose depth jsonBody.ts bounds'],
  ['server/kit/http/unknownFields.ts look', 'JSON, whose depth jsonBody.ts bounds'],
  ['server/kit/http/unknownFields.ts holdsFields', 'schemas of the contract'],
  ['server/kit/http/narrowed.ts narrowed', 'schemas of our own'],
  ['server/kit/work/claim.ts finish', 'tries of a transaction'],
  ['server/kit/work/queue.ts filled', 'plans of our own'],
  ['server/kit/work/queue.ts lookLater', 'a timer: no call is open inside another'],
  ['web/quality/dossiers/teams/chartRows.ts walk', 'teams, whose depth is bounded'],
  ['server/kit/http/idempotency.ts canonical', 'the input of a call, whose depth http.ts bounds'],
  ['web/kit/tree/rows.ts walk', 'trees of our own'],
  ['web/menuView.ts visibleEntries', 'the menu'],
  ['web/menuView.ts leaves', 'the menu'],
  ['web/shell/menu/useMenu.ts isActive', 'the menu'],
  ['web/hosting/stagings/pathTree.ts sorted', 'folders of a website, whose paths the kernel bounds'],
  ['web/hosting/stagings/pathTree.ts besides', 'folders of a website, whose paths the kernel bounds'],
])

interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

const files = spawnSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', 'server', 'agent', 'contract', 'web'],
  {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  },
)
  .stdout.split('\n')
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\/(?:test|seed)\/|vite\.config/.test(file))

const problems: string[] = []
const patterns = new Map<string, { source: string; flags: string; at: string }>()
const built = new Set<string>()
const calling = new Set<string>()

function read(file: string, text: string): void {
  const visit = (node: unknown, names: readonly string[]): void => {
    for (const one of Array.isArray(node) ? node : []) visit(one, names)
    if (!isNode(node)) return
    const regex = node.regex as { pattern: string; flags: string } | undefined
    if (node.type === 'Literal' && regex)
      patterns.set(`/${regex.pattern}/${regex.flags}`, {
        source: regex.pattern,
        flags: regex.flags,
        at: `${file}:${text.slice(0, node.start).split('\n').length}`,
      })
    const { callee, id, init } = node as { callee?: unknown; id?: unknown; init?: unknown }
    if (node.type === 'NewExpression' && isNode(callee) && callee.name === 'RegExp') built.add(file)
    const isNamed = node.type === 'FunctionDeclaration' || (isNode(init) && /Function/.test(init.type))
    const inner = isNamed && isNode(id) ? [...names, String(id.name)] : names
    if (node.type === 'CallExpression' && isNode(callee)) {
      if (callee.type === 'Identifier' && names.includes(String(callee.name))) calling.add(`${file} ${callee.name}`)
      for (const one of node.arguments as unknown[])
        if (
          isNode(one) &&
          one.type === 'Identifier' &&
          names.includes(String(one.name)) &&
          /\.(?:map|flatMap|forEach|some|every)$/.test(text.slice(callee.start, callee.end))
        )
          calling.add(`${file} ${one.name}`)
    }
    for (const value of Object.values(node)) visit(value, inner)
  }
  visit(parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }), [])
}
for (const file of files) {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    continue // deleted and not yet committed
  }
  read(file, text)
}

const tried = new Set(
  ['contract', 'server/test/hostile', 'agent/test/hostile', 'web'].flatMap((folder) => {
    const program = folder.split('/')[0] ?? ''
    const text = readFileSync(`${folder}/foreign.test.ts`, 'utf8')
    return [...text.matchAll(/from '(?:\.\.?\/)+([\w/.-]+)'/g)].map(([, path]) => `${program}/${path}`)
  }),
)
for (const file of built)
  if (!tried.has(file) && !ownText.has(file))
    problems.push(`${file} puts a pattern together: foreign.test.ts does not try the file`)
for (const one of calling) if (!recursive.has(one)) problems.push(`${one} calls itself: what bounds the depth?`)

const sumOf = (pattern: string) => createHash('sha256').update(pattern).digest('hex').slice(0, 12)
const known = new Set(readFileSync(LIST, 'utf8').split('\n'))
const unknown = [...patterns].filter(([pattern]) => !known.has(sumOf(pattern)))
const linear: string[] = []
if (unknown.length) {
  const { check } = await import('recheck')
  for (const [pattern, { source, flags, at }] of unknown) {
    let { status, ...more } = await check(source, flags, { timeout: 20_000 })
    // on a busy machine the attempts of the fuzzer look dearer than they are: the automaton proves, in up to a minute
    if (status !== 'safe' && 'checker' in more && more.checker === 'fuzz')
      ({ status, ...more } = await check(source, flags, { checker: 'automaton', timeout: 180_000 }))
    if (status === 'safe') linear.push(sumOf(pattern))
    else
      problems.push(
        `${at} ${pattern} is ${status}: ${('complexity' in more && more.complexity?.summary) || 'not judged'}`,
      )
  }
}
if (process.argv.includes('--write')) {
  const used = new Set([...patterns.keys()].map(sumOf))
  writeFileSync(
    LIST,
    `${[...known, ...linear]
      .filter((one) => used.has(one))
      .toSorted()
      .join('\n')}\n`,
  )
}
for (const problem of problems) console.error(problem)
process.exit(problems.length ? 1 : 0)
