import { generateKeyPairSync } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { App } from '../../../kit/app/app.ts'
import type { Db } from '../../../kit/db/db.ts'
import { acmeAccounts } from '../tables.ts'
import { Acme, thumbprintOf } from './client.ts'
import { AcmeProblem } from './problem.ts'

/** One account key for all directories, so that web servers can answer challenges with one thumbprint. */
const KEY = 'acme-account'

const newKey = () =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

export async function readThumbprint({ secrets }: Pick<App, 'secrets'>, db: Db): Promise<string> {
  return thumbprintOf(await secrets.readOrMake(db, KEY, newKey))
}

/** A client of the configured authority without an account, for requests that need no signature. */
export async function lookAtAcme(app: App): Promise<Acme> {
  const { acme: directory, acmeCa: ca } = app.settings
  return new Acme({ directory, ca, accountKey: await app.secrets.readOrMake(app.db, KEY, newKey) })
}

/** A client of the configured authority, with our account there; registers the account on first use. */
export async function openAcme(app: App, email: string | null, signal?: AbortSignal): Promise<Acme> {
  const { acme: directory, acmeCa: ca } = app.settings
  const accountKey = await app.secrets.readOrMake(app.db, KEY, newKey)
  const [known] = await app.db.select().from(acmeAccounts).where(eq(acmeAccounts.directory, directory))
  const acme = new Acme({ directory, accountKey, accountUrl: known?.url, ca, signal })
  if (!known) await register(app, acme, email)
  return acme
}

/**
 * Runs `work`; when the authority no longer knows the account, registers it again and retries once. A test authority
 * loses its accounts at each restart.
 */
export async function withAccount<T>(app: App, acme: Acme, email: string | null, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AcmeProblem) || error.type !== 'accountDoesNotExist') throw error
    await register(app, acme, email)
    return work()
  }
}

async function register(app: App, acme: Acme, email: string | null): Promise<void> {
  const { db, settings } = app
  const url = await acme.account(email)
  const thumbprint = await readThumbprint(app, db)
  await db
    .insert(acmeAccounts)
    .values({ directory: settings.acme, url, thumbprint })
    .onConflictDoUpdate({ target: acmeAccounts.directory, set: { url } })
}
