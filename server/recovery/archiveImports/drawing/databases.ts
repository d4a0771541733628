import { databaseName, databaseUsername, charset as mariadbCharset } from '@innkeeper/contract/kit/values'
import type { HashForm, Inventory } from '@innkeeper/contract/recovery/archiveImports/inventory'
import type { PlanLine } from '@innkeeper/contract/recovery/archiveImports/shapes'
import { checkName, checkUsername } from '../../../hosting/databases/freeNames.ts'
import { sized } from '../../../kit/app/sized.ts'
import type { Db } from '../../../kit/db/db.ts'
import { Refusal } from '../../../kit/http/errors.ts'
import type { Target } from './target.ts'
import type { DrawnWebsite } from './websites.ts'

export interface DrawnDatabase {
  name: string
  charset: string
  username: string
  /** The account keeps its password; otherwise it gets a new one, which known configuration files get too. */
  hashed: boolean
  website: DrawnWebsite
}

const words: Partial<Record<HashForm, string>> = {
  none: 'the archive has no password of it',
  'mysql-sha2': 'MariaDB does not take passwords in the form of MySQL 8 (caching_sha2_password)',
}

/** What becomes of the databases. A database belongs to a website: to the one whose configuration names it. */
export async function drawDatabases(
  db: Db,
  inventory: Inventory,
  { server }: Target,
  websites: readonly DrawnWebsite[],
  left: ReadonlySet<string>,
): Promise<{ made: DrawnDatabase[]; lines: PlanLine[] }> {
  const made: DrawnDatabase[] = []
  const lines: PlanLine[] = []
  for (const found of inventory.databases) {
    const key = `database:${found.name}`
    const detail = found.dumpBytes === null ? 'no dump' : `dump of ${sized(found.dumpBytes)}`
    const [user, ...more] = found.users
    const wasWith = made.find((one) => one.username === user?.name)?.website
    const naming = websites.find(({ found: site }) => site.mentions.includes(found.name))
    const website = wasWith ?? naming ?? websites[0]
    const why = await whyNot(db, server.id, found, made, website)
    if (why || !user || !website || left.has(key)) {
      lines.push({
        key,
        kind: 'database',
        name: found.name,
        verdict: 'left out',
        detail,
        notes: [why ?? 'You leave it out'],
        choice: !why,
      })
      continue
    }
    const hashed = user.hash === 'mysql-native'
    const charset = mariadbCharset.safeParse(found.charset ?? 'utf8mb4')
    const notes = [
      ...(hashed
        ? []
        : [
            `${user.name} gets a new password, which configuration files of known applications get too: ${words[user.hash] ?? 'the form of its password is unknown'}`,
          ]),
      ...(naming || wasWith ? [] : [`It goes to ${website.domain}, the first website: no configuration file names it`]),
      ...(charset.success ? [] : [`The character set ${found.charset} becomes utf8mb4`]),
      ...(more.length ? [`Only ${user.name} comes along, not ${more.map(({ name }) => name).join(', ')}`] : []),
      ...(website.state === 'suspended'
        ? ['Its account stays closed, as its website is suspended']
        : found.suspended
          ? ['It was suspended, and is not any more']
          : []),
    ]
    made.push({ name: found.name, charset: charset.data ?? 'utf8mb4', username: user.name, hashed, website })
    lines.push({
      ...{ key, kind: 'database', name: found.name, notes, choice: true },
      verdict: notes.length ? 'changed' : 'carried',
      detail: `${detail}, with ${user.name}, for ${website.domain}`,
    })
  }
  return { made, lines }
}

async function whyNot(
  db: Db,
  serverId: number,
  { name, engine, users, dumpBytes }: Inventory['databases'][number],
  made: readonly DrawnDatabase[],
  website: DrawnWebsite | undefined,
): Promise<string | undefined> {
  const [user] = users
  if (engine !== 'mysql') return `Databases of ${engine} are not imported yet`
  if (dumpBytes === null) return 'The archive has no dump of it'
  if (!website) return 'No website of the archive is carried, and a database belongs to a website'
  if (!databaseName.safeParse(name).success) return 'Innkeeper takes names of lower-case letters, digits and _'
  if (!user) return 'The archive names no user of it'
  if (!databaseUsername.safeParse(user.name).success) return `Innkeeper does not take the name of its user ${user.name}`
  if (made.some((one) => one.name === name)) return 'The archive has this name twice'
  try {
    await checkName(db, serverId, name, 'mariadb')
    if (!made.some((one) => one.username === user.name))
      await checkUsername(db, serverId, 0, { username: user.name, engine: 'mariadb' })
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}
