import { createHash, randomBytes } from 'node:crypto'
import { type edgeRulesChange, NO_RULES, type Visitor } from '@innkeeper/contract/net/edgeRules/rules'
import type * as z from 'zod'
import type { App } from '../../../kit/app/app.ts'
import { crypt } from '../../../kit/app/crypt.ts'
import type { Db } from '../../../kit/db/db.ts'
import { invalid, refused } from '../../../kit/http/errors.ts'
import { secret } from '../../../kit/work/action.ts'
import { shownNames } from '../../ssl/certificates/names.ts'
import { certificatesIn, namesOf } from '../../ssl/certificates/read.ts'
import type { Behind } from './behind.ts'
import type { StoredRules } from './tables.ts'

type Change = z.output<typeof edgeRulesChange>

/** Rules for an agent. A suspended website shows the page about the suspension instead of its error pages. */
function rulesOf({ rules, suspended }: Pick<Behind, 'rules' | 'suspended'>) {
  const { users: _, passwords: __, passwordsSum: ___, ...others } = { ...NO_RULES, ...rules }
  return { ...others, errors: suspended ? [] : others.errors }
}

/** Rules for an agent, with the name in the origin's certificate, and a reference to the secret with the passwords. */
export const rulesInStep = (behind: Behind) => ({
  rules: { ...rulesOf(behind), ...certificateName(behind) },
  ...(behind.rules.passwords !== undefined && { passwords: secret(behind.rules.passwords) }),
})
/** Rules for a comparison, without passwords. */
export const rulesToCompare = (behind: Behind) => ({
  rules: { ...rulesOf(behind), ...certificateName(behind) },
  passwordsSum: behind.rules.passwordsSum ?? '',
})

function certificateName({ rules, site, served }: Behind): { certificateName?: string } {
  if (rules.fetch !== 'https' || !served) return {}
  const [leaf] = certificatesIn(served.certificate.chain) ?? []
  const covered = leaf ? shownNames(site, namesOf(leaf)).filter((name) => !name.startsWith('*.')) : []
  return { certificateName: covered[0] ?? site.domain }
}

/** The rules after a change. New passwords get a new secret; the former secret stays for a rollback. */
export async function changedRules(
  app: App,
  db: Db,
  behind: Behind,
  { users, ...change }: Change,
): Promise<StoredRules> {
  const after: StoredRules = { ...behind.rules, ...change, ...(users && (await keepPasswords(app, db, behind, users))) }
  check(behind, after)
  return after
}

/** Like `changedRules`, but for a preview: stores nothing. */
export function previewedRules(behind: Behind, { users, ...change }: Change): StoredRules {
  const isNew = users?.some(({ password }) => password !== undefined) || users?.length !== behind.rules.users?.length
  return {
    ...behind.rules,
    ...change,
    ...(users && { users: users.map(({ name }) => name) }),
    ...(users && isNew && { passwordsSum: users.length ? '0'.repeat(64) : '' }),
  }
}

function check({ site, served }: Behind, { locked, paths = [], users = [], fetch }: StoredRules): void {
  const needing = locked ? 'rules.locked' : paths.findIndex((path) => path.locked)
  if (needing !== -1 && !users.length)
    throw invalid({
      'rules.users': 'Somebody needs a password, or nobody gets in',
    })
  if (fetch !== 'https') return
  if (!served)
    throw refused(`${site.domain} has no certificate: edges cannot fetch from it over TLS`, {
      'rules.fetch': 'Needs a certificate on the website',
    })
  if (served.certificate.kind === 'self-signed')
    throw refused(`The certificate of ${site.domain} is self-signed: edges cannot check it`, {
      'rules.fetch': 'Needs a certificate of a known authority',
    })
}

async function keepPasswords(app: App, db: Db, { id, rules }: Behind, users: readonly Visitor[]) {
  if (!users.length) return { users: [], passwords: undefined, passwordsSum: undefined }
  const before = rules.passwords ? ((await app.secrets.readKept(db, rules.passwords)) ?? '') : ''
  const known = new Map(before.split('\n').map((line) => [line.split(':')[0] ?? '', line]))
  const lines = users.map(({ name, password }, at) => {
    const line = password === undefined ? known.get(name) : `${name}:${crypt(password)}`
    if (!line) throw invalid({ [`rules.users.${at}`]: `${name} needs a password` })
    return `${line}\n`
  })
  const text = lines.join('')
  const name = `vhost:${id}:${randomBytes(6).toString('hex')}`
  await app.secrets.write(db, name, text)
  const passwordsSum = createHash('sha256').update(text).digest('hex')
  return { users: users.map((user) => user.name), passwords: name, passwordsSum }
}
