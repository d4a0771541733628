import type { SecretKind } from '../../kit/app/secretKinds.ts'
import { wordingOf } from '../../kit/app/secretKinds.ts'
import type { Settings } from '../../kit/app/settings.ts'
import { reasonOf } from '../../kit/db/failures.ts'
import { openDatabase } from '../../kit/db/open.ts'
import { databaseFindings, replicaFindings } from './database.ts'
import { type Finding, linesOf, ok, wrong } from './finding.ts'
import { certificateFindings, diskFindings, filesFindings, settingFindings } from './machine.ts'
import { agentFindings, portFindings, proxyFindings } from './network.ts'

/** Looks at everything that a node needs, and says what is wrong and how to mend it. Throws if something is. */
export async function diagnose(
  settings: Settings,
  secretKinds: readonly SecretKind[],
  say: (line: string) => void,
): Promise<void> {
  const found: Finding[] = []
  const look = async (about: string, work: () => Finding[] | Promise<Finding[]>) => {
    const findings = await Promise.resolve()
      .then(work)
      .catch((error: unknown) => [wrong(about, reasonOf(error), 'look into the journal: journalctl -u innkeeper-*')])
    found.push(...findings)
    for (const line of findings.flatMap(linesOf)) say(line)
  }
  await look('settings', () => settingFindings(process.env))
  await look('disk', () => diskFindings(settings))
  await look('files', () => filesFindings(settings))
  await look('certificate', () => certificateFindings(settings, new Date()))
  await look('ports', () => portFindings(settings))
  await look('database', () => withDatabase(settings, secretKinds))
  await look('agents', () => agentFindings(settings))
  await look('proxy', () => proxyFindings(settings))
  const bad = found.filter(({ state }) => state === 'wrong').length
  if (bad) throw new Error(`${bad} of ${found.length} findings are wrong`)
  say(`Nothing is wrong in ${found.length} findings.`)
}

async function withDatabase(settings: Settings, secretKinds: readonly SecretKind[]): Promise<Finding[]> {
  // one process has the embedded database open; its readiness is asked at its port
  if (settings.embedded) return [ok('database', 'embedded: /readyz of the running process asks it')]
  let database: Awaited<ReturnType<typeof openDatabase>>
  try {
    database = await openDatabase(settings.database, { schema: 'as-is', now: true, replica: settings.replica })
  } catch (error) {
    return [
      wrong(
        'database',
        reasonOf(error),
        'start PostgreSQL, or correct DATABASE_URL; innkeeper setup --print-sql has the statements for roles and database',
      ),
    ]
  }
  try {
    const findings = await databaseFindings(database.db, settings, wordingOf(secretKinds))
    return [...findings, ...(await replicaFindings(database))]
  } finally {
    await database.close()
  }
}
