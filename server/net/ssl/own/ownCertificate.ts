import { X509Certificate } from 'node:crypto'
import { sql } from 'drizzle-orm'
import * as z from 'zod'
import type { App } from '../../../kit/app/app.ts'
import { rows } from '../../../kit/db/db.ts'
import { reasonOf } from '../../../kit/db/failures.ts'
import { openTls, type Pair, type Tls } from '../../../kit/http/tls.ts'
import { openAcme, readThumbprint, withAccount } from '../acme/account.ts'
import type { Acme } from '../acme/client.ts'
import { AcmeProblem } from '../acme/problem.ts'
import { selfSigned, signingRequest } from '../certificates/generate.ts'

const LOOK_MS = 60_000
/** The time of an order, during which no other node orders. */
const CLAIM_S = 600
/** Pause after a failed order: authorities count them. */
const AGAIN_S = 3600

const Stored = z.object({ cert: z.string(), key: z.string() })
const secretOf = (name: string) => `own-certificate:${name}`

/**
 * The certificate of Innkeeper's own name by ACME, shared by all nodes. Any node can answer a challenge, because the answer
 * has nothing but its token and the thumbprint of the account.
 */
export async function openOwnCertificate(
  app: App,
  name: string,
): Promise<{ tls: Tls; look(): Promise<void>; stop(): void }> {
  const stored = await readStored(app, name)
  const own = stored ?? (await temporary(name))
  const tls = openTls(own)
  const leaving = new AbortController()
  const look = async () => {
    const known = await readStored(app, name)
    if (known) tls.use(known)
    if (known && !isDue(known, new Date())) return
    if (!(await claim(app, name))) return
    try {
      const made = await order(app, name, leaving.signal)
      await app.secrets.write(app.db, secretOf(name), JSON.stringify(made))
      await release(app, name, new X509Certificate(made.cert).validToDate, null)
      tls.use(made)
    } catch (error) {
      if (leaving.signal.aborted) return
      app.log.error({ err: error }, `no certificate for ${name}`)
      await release(app, name, null, reasonOf(error))
    }
  }
  let looking: Promise<void> | undefined
  const tick = () => {
    looking ??= look()
      .catch((error: unknown) => app.log.error({ err: error }, `the certificate of ${name}`))
      .finally(() => {
        looking = undefined
      })
  }
  const timer = setInterval(tick, LOOK_MS)
  return {
    tls,
    look: async () => {
      tick()
      await looking
    },
    stop() {
      clearInterval(timer)
      leaving.abort()
    },
  }
}

/** What the authority expects at a token. */
export const challengeAnswer = async (app: App, token: string): Promise<string> =>
  `${token}.${await readThumbprint(app, app.db)}`

async function temporary(name: string): Promise<Pair> {
  const { pem, key } = await selfSigned([name])
  return { cert: pem, key }
}

async function readStored({ secrets, db }: App, name: string): Promise<Pair | undefined> {
  const text = await secrets.readKept(db, secretOf(name))
  return text === undefined ? undefined : Stored.parse(JSON.parse(text))
}

/** A certificate is renewed in the last third of its time. */
function isDue({ cert }: Pair, now: Date): boolean {
  const { validFromDate, validToDate } = new X509Certificate(cert)
  const third = (validToDate.getTime() - validFromDate.getTime()) / 3
  return validToDate.getTime() - now.getTime() < third
}

/** Whether this node orders now. */
async function claim({ db }: App, name: string): Promise<boolean> {
  const got = await rows(
    db,
    sql`insert into own_certificates as o (name, claimed_until) values (${name}, now() + make_interval(secs => ${CLAIM_S}::int))
      on conflict (name) do update set claimed_until = excluded.claimed_until
        where o.claimed_until is null or o.claimed_until < now() returning 1`,
  )
  return got.length > 0
}

async function release({ db }: App, name: string, endsAt: Date | null, failure: string | null): Promise<void> {
  await db.execute(sql`update own_certificates set failure = ${failure},
    not_after = coalesce(${endsAt?.toISOString() ?? null}::timestamptz, not_after),
    claimed_until = case when ${failure !== null} then now() + make_interval(secs => ${AGAIN_S}::int) end
    where name = ${name}`)
}

async function order(app: App, name: string, signal: AbortSignal): Promise<Pair> {
  const acme = await openAcme(app, null, signal)
  return withAccount(app, acme, null, () => orderOf(acme, name))
}

async function orderOf(acme: Acme, name: string): Promise<Pair> {
  const order = await acme.newOrder([name])
  for (const url of order.authorizations) {
    const authorization = await acme.authorization(url)
    if (authorization.status === 'valid') continue
    const challenge = authorization.challenges.find(({ type }) => type === 'http-01')
    if (!challenge) throw new AcmeProblem(200, { detail: 'it offers no validation over http' }, acme.host)
    await acme.respond(challenge.url)
    const decided = await acme.decided(url)
    const failed = decided.challenges.find(({ error }) => error)?.error
    if (decided.status !== 'valid')
      throw new AcmeProblem(200, failed ?? { detail: `${name} was not validated` }, acme.host)
  }
  const { key, csr } = await signingRequest([name])
  return { key, cert: await acme.finalize(order, csr) }
}
