import { permissions } from '@innkeeper/contract/permissions/services'
import { eq, sql } from 'drizzle-orm'
import { hashPassword } from '../access/users/signIn/passwords.ts'
import { chunks } from '../kit/db/chunks.ts'
import type { Db } from '../kit/db/db.ts'
import * as tables from '../tables.ts'
import { seedAccess } from './access.ts'
import { seedNames } from './aliases.ts'
import { seedCaches } from './caches.ts'
import { seedCertificates } from './certificates.ts'
import { seedDatabases } from './databases.ts'
import { type Dice, dice } from './dice.ts'
import { seedGroups } from './groups.ts'
import { history } from './history.ts'
import { seedMoves } from './moves.ts'
import { branches, brands, endings, firstNames, forms, lastNames, parts, sites, trades } from './names.ts'
import { seedUsage } from './usage.ts'
import { seedVhosts } from './vhosts.ts'

const DAY = 86_400_000
const STAFF = 40
const WEBSITES = 3000

/** Password of all seeded staff accounts; seeded data is for trials. */
const SEED_PASSWORD = 'innkeeper-seed'

/**
 * Seeds a provider: staff, owners, servers and 3,000 websites with history. Throws if the database is seeded already.
 */
export async function seed(
  db: Db,
  say: (line: string) => void,
  now = Date.parse('2026-11-21T09:00:00Z'),
  websites = WEBSITES,
): Promise<void> {
  const [known] = await db
    .select({ id: tables.servers.id })
    .from(tables.servers)
    .where(eq(tables.servers.name, 'web-osl-01'))
  if (known) throw new Error('This provider is seeded already')
  const d = dice(4400)
  await db.transaction(async (tx) => {
    const staff = await seedStaff(tx, d, now)
    say(`${staff.length} staff; each signs in with ${SEED_PASSWORD}`)
    const servers = await seedServers(tx, now)
    say(`${servers.length} servers`)
    const owners = await seedOwners(tx, d, now)
    say(`${owners.length} owners`)
    const groups = await seedWebsites(tx, d, now, { staff, servers, owners }, websites)
    say(`${websites} websites with their history, ${groups} groups`)
    say(`${await seedDatabases(tx, d, now)} databases`)
    say(`${await seedMoves(tx, d, now, { staff, servers })} moves between servers`)
    say(`${await seedCaches(tx, d, now)} Redis caches`)
    say(`${await seedCertificates(tx, dice(443), new Date(now))} certificates`)
    say(`${await seedAccess(tx, d, now, staff)} SFTP keys`)
    say(`${await seedVhosts(tx, d, now)} websites behind edges`)
    await seedUsage(tx, d, now)
  })
  await db.execute(sql`analyze`)
}

const at = (time: number) => new Date(time).toISOString()
const stamps = (time: number) => ({ createdAt: at(time), updatedAt: at(time) })

async function seedStaff(db: Db, d: Dice, now: number) {
  const all = Object.keys(permissions)
  const [platform, support, readers] = await db
    .insert(tables.roles)
    .values([
      {
        name: 'Platform',
        scopes: all.filter((scope) =>
          /^(server|website|system-user|dns|ssl|vhost|database|backup|calendar:leave):|^calendar:(event|shift|shift-type):read$/.test(
            scope,
          ),
        ),
      },
      {
        name: 'Support',
        scopes: all.filter((scope) =>
          /^((website|system-user|dns|ssl):.*:(read|retry|status)$|calendar:leave:|calendar:(event|shift|shift-type):read$)/.test(
            scope,
          ),
        ),
      },
      { name: 'Quality', scopes: all.filter((scope) => /^(qa|dossier|calendar):/.test(scope)) },
    ])
    .returning()
  const departments = await db
    .insert(tables.departments)
    .values(['Platform', 'Support', 'Quality', 'Finance'].map((name) => ({ name })))
    .returning()
  const passwordHash = await hashPassword(SEED_PASSWORD)
  const roles = [platform!, support!, support!, readers!]
  return db
    .insert(tables.users)
    .values(
      Array.from({ length: STAFF }, (_, i) => {
        const firstName = firstNames[i % firstNames.length]!
        const lastName = lastNames[(i * 7) % lastNames.length]!
        const username = `${firstName}.${lastName}`.toLowerCase()
        const role = roles[i % roles.length]!
        return {
          username,
          email: `${username}@fjellhost.example`,
          firstName,
          lastName,
          passwordHash,
          roleId: role.id,
          departmentId: departments.find(({ name }) => name === role.name)?.id,
          ...stamps(now - (400 + d.below(900)) * DAY),
          lastSignInAt: i % 9 === 8 ? null : at(now - ((i * 37) % 200) * 3_600_000),
        }
      }),
    )
    .returning()
}

/** The n-th further website of an owner: a part of the first one, or a branch with a name of its own. */
function further(domain: string, n: number, isPart: boolean): string {
  const [brand = '', ending = ''] = [
    domain.slice(0, domain.lastIndexOf('.')),
    domain.slice(domain.lastIndexOf('.') + 1),
  ]
  const round = Math.floor((n - 2) / parts.length)
  const again = round ? `${round + 1}` : ''
  return isPart
    ? `${parts[(n - 2) % parts.length]}${again}.${domain}`
    : `${brand}-${branches[(n - 2) % branches.length]}${again}.${ending}`
}

/** Eight web servers and one of each other type. None is enrolled, because they are not real. */
async function seedServers(db: Db, now: number) {
  const web = sites.flatMap((site, s) =>
    [1, 2, 3].slice(0, s === 2 ? 2 : 3).map((n) => ({ name: `web-${site}-0${n}`, type: 'web' })),
  )
  const others = ['dns-osl-01', 'database-osl-01', 'mail-fra-01', 'backup-hel-01'].map((name) => ({
    name,
    type: name.split('-')[0]!,
  }))
  return db
    .insert(tables.servers)
    .values(
      [...web, ...others].map((server, i) => ({
        ...server,
        address: `192.0.2.${10 + i}`, // documentation addresses are never routed
        note: 'Sample data: not a real server',
        status: 'up' as const,
        provisionedAt: at(now - 300 * DAY),
        ...stamps(now - (320 - i) * DAY),
      })),
    )
    .returning()
}

async function seedOwners(db: Db, d: Dice, now: number) {
  const seen = new Set<string>()
  const values = Array.from({ length: 1200 }, () => {
    let brand = ''
    let ending: (typeof endings)[number] = 'no'
    do {
      ending = d.pick(endings)
      brand = `${d.pick(brands)}-${d.pick(trades)}`
    } while (seen.has(`${brand}.${ending}`) && seen.size < 5000)
    seen.add(`${brand}.${ending}`)
    const name = brand
      .split('-')
      .map((word) => word[0]!.toUpperCase() + word.slice(1))
      .join(' ')
    return {
      brand,
      ending,
      row: {
        name: `${name} ${forms[ending]}`,
        email: `post@${brand}.${ending}`,
        ...stamps(now - (10 + d.below(700)) * DAY),
      },
    }
  })
  const rows = await inBatches(values, (batch) =>
    db
      .insert(tables.owners)
      .values(batch.map(({ row }) => row))
      .returning(),
  )
  return rows.map((row, i) => ({ ...row, domain: `${values[i]!.brand}.${values[i]!.ending}` }))
}

interface Cast {
  staff: (typeof tables.users.$inferSelect)[]
  servers: (typeof tables.servers.$inferSelect)[]
  owners: (typeof tables.owners.$inferSelect & { domain: string })[]
}

async function seedWebsites(
  db: Db,
  d: Dice,
  now: number,
  { staff, servers, owners }: Cast,
  count: number,
): Promise<number> {
  const plans = await db.select().from(tables.plans)
  const web = servers.filter(({ type }) => type === 'web')
  const taken = new Set<string>()
  const whose = Array.from({ length: count }, (_, i) => owners[i < owners.length ? i : d.below(owners.length)]!)
  const owned = Map.groupBy(whose, (owner) => owner.id)
  /** Chooses a plan that allows the websites of the owner. */
  const planOf = (ownerId: number) => {
    const fitting = plans.filter((plan) => plan.websites >= (owned.get(ownerId)?.length ?? 0))
    return fitting[ownerId % fitting.length]!
  }
  const allWanted = whose.map((owner, i) => {
    let domain = owner.domain
    for (let n = 2; taken.has(domain); n++) domain = further(owner.domain, n, d.chance(0.5))
    taken.add(domain)
    const status = i % 91 === 5 ? ('failed' as const) : i % 32 === 7 ? ('suspended' as const) : ('active' as const)
    return {
      owner,
      domain,
      status,
      server: web[owner.id % web.length]!,
      plan: planOf(owner.id),
      created: now - d.below(600 * DAY),
    }
  })

  const accounts = new Map<string, { ownerId: number; serverId: number; planId: number; username: string }>()
  for (const { owner, server, plan } of allWanted) {
    const key = `${owner.id}/${server.id}`
    if (!accounts.has(key))
      accounts.set(key, {
        ownerId: owner.id,
        serverId: server.id,
        planId: plan.id,
        username: `${owner.domain.replace(/[^a-z]/g, '').slice(0, 18)}${owner.id}`,
      })
  }
  const systemUsers = await inBatches([...accounts.values()], (batch) =>
    db
      .insert(tables.systemUsers)
      .values(
        batch.map((account) => ({ ...account, homeDir: `/home/${account.username}`, shell: '/usr/sbin/nologin' })),
      )
      .returning(),
  )
  const accountOf = new Map(systemUsers.map((account) => [`${account.ownerId}/${account.serverId}`, account]))

  const websites = await inBatches(allWanted, (batch) =>
    db
      .insert(tables.websites)
      .values(
        batch.map(({ owner, domain, status, server, plan, created }) => {
          const account = accountOf.get(`${owner.id}/${server.id}`)!
          return {
            domain,
            status,
            ownerId: owner.id,
            serverId: server.id,
            planId: plan.id,
            systemUserId: account.id,
            documentRoot: `/home/${account.username}/${domain}/public`,
            phpVersion: '8.2',
            createdAt: at(created),
            updatedAt: at(created + d.below(now - created)),
          }
        }),
      )
      .returning(),
  )
  await history(db, d, websites, { staff, servers, systemUsers })
  await seedNames(db, d, now, websites)
  return seedGroups(db, d, websites)
}

/** PostgreSQL accepts 65,535 parameters per statement. */
async function inBatches<T, R>(all: T[], insert: (batch: T[]) => Promise<R[]>): Promise<R[]> {
  const made: R[] = []
  for (const some of chunks(all, 500)) made.push(...(await insert(some)))
  return made
}
