import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { step } from '../../kit/work/action.ts'
import { folderOf, hasOwnFolder } from '../websites/folders.ts'
import { type Carried, type Carry, comesAlong, type Part } from '../websites/parts/parts.ts'
import { onSite, onUser, type Site } from '../websites/siteSteps.ts'
import { crontabRest, crontabTake, logsPack, logsTake } from './actions.ts'

/**
 * Moves the logs of a website after the old server has started to forward to the new one; they are not needed earlier.
 */
async function moveLogs(_: Db, { from, to, prefix, fetch }: Carry): Promise<Carried> {
  const kinds = ['access', 'error'] as const
  const files = kinds.map((kind) => `${prefix}-${kind}-${from.id}.log.gz`)
  const after = kinds.flatMap((kind, i) => {
    const file = files[i] ?? ''
    const of = { domain: from.domain, kind, file }
    const pack = step(logsPack, of, onSite(from, `${kind}-log`))
    return [pack, fetch(file, pack), step(logsTake, of, onSite(to, `${kind}-log`))]
  })
  return { files, prepare: [], frozen: [], after }
}

/**
 * Moves cron jobs that name the website's folder, also by a former name. They stop at the freeze and start on the new
 * server. The last website of an account takes all its jobs.
 */
async function moveCron(db: Db, { from, to, prefix, fetch }: Carry): Promise<Carried> {
  const file = `${prefix}-${from.id}.cron.gz`
  const [left] = await rows<{ some: boolean }>(
    db,
    sql`select exists (select from websites w where w.system_user_id = ${from.systemUser.id} and w.deleted_at is null
      and w.kind <> 'alias' and w.website_id <> ${from.id} and w.parent_id is distinct from ${from.id}) as some`,
  )
  const former = hasOwnFolder(from) ? [...from.aliases, ...from.redirects] : []
  const folders = [folderOf(from), ...former.map((name) => `/home/${from.systemUser.username}/${name}`)].slice(0, 100)
  const of = { folders, everything: !left?.some, file }
  const rest = step(crontabRest, { username: from.systemUser.username, ...of }, onCron(from))
  const take = step(crontabTake, { username: to.systemUser.username, from: from.systemUser.username, file }, onCron(to))
  return { files: [file], prepare: [], freeze: [rest], frozen: [], after: [fetch(file, rest), take] }
}

/**
 * Logs and cron jobs are not listed as resources of a website; they only move with the website. The parts of the account
 * and of its logs say what becomes of them otherwise.
 */
const none = async () => []
export const belongings: readonly Part[] = [
  { kind: 'access-log', title: 'Logs', order: 81, along: comesAlong, list: none, move: moveLogs },
  { kind: 'crontab', title: 'Cron jobs', order: 15, along: comesAlong, list: none, move: moveCron },
]

/** The resource is named after the website, because each website of an account moves its own part of the crontab. */
const onCron = (site: Site) => ({ ...onUser(site, 'crontab'), resource: onSite(site, 'crontab').resource })
