import { domain as domainSchema } from '@innkeeper/contract/kit/values'
import type { FoundWebsite, Inventory } from '@innkeeper/contract/recovery/archiveImports/inventory'
import type { PlanLine } from '@innkeeper/contract/recovery/archiveImports/shapes'
import { wwwOf } from '../../../hosting/websites/names.ts'
import { takenName } from '../../../hosting/websites/placement/takenName.ts'
import { sized } from '../../../kit/app/sized.ts'
import type { Db } from '../../../kit/db/db.ts'
import { lookAt } from '../../../net/ssl/certificates/custom.ts'
import type { Target } from './target.ts'
import { counted } from './words.ts'

export interface DrawnWebsite {
  /** The name as the archive has it. */
  from: string
  domain: string
  aliases: string[]
  phpVersion: string | undefined
  state: 'active' | 'suspended'
  certificate: boolean
  found: FoundWebsite
}
const MOST_FOLDER = 128

/** What becomes of the websites and their certificates. */
export async function drawWebsites(db: Db, inventory: Inventory, target: Target, left: ReadonlySet<string>) {
  const made: DrawnWebsite[] = []
  const lines: PlanLine[] = []
  const names = new Set<string>()
  // a name that is an alias here and a website there, as panels write addon domains, is a website
  const own = new Set(inventory.websites.flatMap((one) => domainSchema.safeParse(one.domain).data ?? []))
  for (const found of inventory.websites) {
    const key = `website:${found.domain}`
    const read = domainSchema.safeParse(found.domain)
    const why = await whyNot(db, found, read.success ? read.data : undefined, names, target)
    const chosen = !left.has(key)
    const notes: string[] = []
    if (why || !chosen || !read.success) {
      const detail = `${counted(found.files, 'file')}, ${sized(found.bytes)}`
      lines.push({
        key,
        kind: 'website',
        name: found.domain,
        verdict: 'left out',
        detail,
        notes: [why ?? 'You leave it out'],
        choice: !why,
      })
      continue
    }
    const domain = read.data
    names.add(domain)
    if (domain !== found.domain) notes.push(`Its name is written ${domain}`)
    const { aliases, lost } = await aliasesOf(db, found, domain, { names, own }, target)
    for (const text of lost) notes.push(text)
    const phpVersion = phpFor(found, target, notes)
    changes(found, target.server.webServer, notes)
    const certificate = certificateLine(found, [domain, ...aliases], left, lines)
    made.push({
      ...{ from: found.domain, domain, aliases, phpVersion, certificate, found },
      state: found.suspended || inventory.account.suspended ? 'suspended' : 'active',
    })
    lines.push({
      ...{ key, kind: 'website', name: domain, choice: true, notes },
      verdict: notes.length ? 'changed' : 'carried',
      detail: [
        counted(found.files, 'file'),
        sized(found.bytes),
        ...(phpVersion ? [`PHP ${phpVersion}`] : []),
        ...(aliases.length ? [`also ${aliases.join(', ')}`] : []),
        ...(found.suspended || inventory.account.suspended ? ['stays suspended'] : []),
      ].join(', '),
    })
  }
  return { made, lines: lines.toSorted((a, b) => Number(a.kind === 'certificate') - Number(b.kind === 'certificate')) }
}

async function whyNot(
  db: Db,
  found: FoundWebsite,
  domain: string | undefined,
  names: ReadonlySet<string>,
  { ownerId }: Target,
) {
  if (domain === undefined) return 'Its name is no domain name'
  if (domain.length > MOST_FOLDER) return `Its name has more than ${MOST_FOLDER} characters`
  if (names.has(domain)) return 'The archive has this name twice'
  if (found.fault) return `Its files cannot be read: ${found.fault}`
  if (found.rootProblem) return `Not the usual folder: ${found.rootProblem}`
  return takenName(db, domain, { ownerId })
}

interface Names {
  /** Names that are given away. */
  names: Set<string>
  own: ReadonlySet<string>
}

async function aliasesOf(db: Db, found: FoundWebsite, domain: string, { names, own }: Names, { ownerId }: Target) {
  const aliases: string[] = []
  const lost: string[] = []
  for (const one of [...new Set(found.aliases)].slice(0, 300)) {
    const read = domainSchema.safeParse(one)
    if (!read.success) lost.push(`The alias ${one} is left out: it is no domain name`)
    else if (
      read.data !== domain &&
      !wwwOf(domain).includes(read.data) &&
      !aliases.some((name) => name === read.data || wwwOf(name).includes(read.data))
    ) {
      const taken = own.has(read.data)
        ? 'it is a website of its own in the archive'
        : names.has(read.data)
          ? 'the archive has it twice'
          : await takenName(db, read.data, { ownerId })
      if (taken) lost.push(`The alias ${read.data} is left out: ${taken}`)
      else {
        aliases.push(read.data)
        names.add(read.data)
      }
    }
  }
  return { aliases, lost }
}

/** The version of the archive, or the nearest that server and plan have. */
function phpFor(
  { phpVersion: was }: FoundWebsite,
  { phpVersions, server, plan }: Target,
  notes: string[],
): string | undefined {
  const value = (text: string) => Number(text.split('.')[0]) * 100 + Number(text.split('.')[1])
  if (!phpVersions.length) return undefined
  if (was && phpVersions.includes(was)) return was
  const [nearest] = was
    ? phpVersions.toSorted(
        (a, b) => Math.abs(value(a) - value(was)) - Math.abs(value(b) - value(was)) || value(b) - value(a),
      )
    : phpVersions
  notes.push(
    was
      ? `PHP ${nearest} instead of ${was}, which ${plan ? `${server.name} and the plan ${plan.name} do` : `${server.name} does`} not have`
      : `PHP ${nearest}: the archive does not name a version`,
  )
  return nearest
}

function changes(found: FoundWebsite, webServer: string, notes: string[]): void {
  for (const [reason, count] of Object.entries(found.refused)) notes.push(`${counted(count, 'member')}: ${reason}`)
  if (found.redirect) notes.push(`The redirect to ${found.redirect.slice(0, 200)} is left out: set it up by hand`)
  if (found.protectedBy.length) notes.push(`The password protection of ${found.protectedBy.join(', ')} is left out`)
  if (found.htaccess && webServer === 'nginx')
    notes.push(
      `${counted(found.htaccess, 'file')} .htaccess: nginx does not read their rules, such as redirects and passwords`,
    )
  if (found.ownSettings.length)
    notes.push(`Own settings of the web server are left out: ${found.ownSettings.join(', ')}`)
}

/** Adds the line of a certificate; answers whether the import installs it. */
function certificateLine(found: FoundWebsite, names: string[], left: ReadonlySet<string>, lines: PlanLine[]): boolean {
  if (!found.ssl && !found.certificate) return false
  const key = `certificate:${found.domain}`
  const line = (verdict: PlanLine['verdict'], detail: string, notes: string[], choice: boolean) => {
    lines.push({ key, kind: 'certificate', name: found.domain, verdict, detail, notes, choice })
    return verdict === 'carried'
  }
  const { certificate } = found
  if (!certificate) return line('left out', '', ['The archive has no certificate with its key: order one'], false)
  const detail = `for ${certificate.names.slice(0, 5).join(', ')}, until ${certificate.notAfter.slice(0, 10)}`
  const { problems, warnings } = lookAt({ certificate: certificate.chain }, names)
  const [problem] = Object.values(problems)
  if (problem) return line('left out', detail, [problem], false)
  if (left.has(key)) return line('left out', detail, ['You leave it out'], true)
  return line(
    'carried',
    detail,
    [
      ...warnings,
      certificate.renews
        ? 'Innkeeper renews it in time, once its names lead here'
        : 'It is not renewed by itself: order one once the name points here',
    ],
    true,
  )
}
