import { poolShape } from '@innkeeper/contract/agent/websites'
import type { FileDiff } from '@innkeeper/contract/net/originVhosts/shapes'
import { eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { ownPool, pool, served } from '../../../hosting/websites/siteSteps.ts'
import { originVhosts } from '../../../hosting/websites/tables.ts'
import { liveRead } from '../../../kit/agents/liveRead.ts'
import type { App } from '../../../kit/app/app.ts'
import { changed } from '../../../kit/live/live.ts'
import type { PlanStep } from '../../../kit/work/action.ts'
import { diffOf } from '../diff.ts'
import { changesNothing, choose, type Wanted } from './change.ts'

const Answer = z.object({ files: z.array(z.object({ file: z.string(), is: z.string(), wanted: z.string() })) })

/**
 * The changes of files that new settings would cause, read live from the server. Without new settings: how the files
 * differ from the desired ones; the list shows this result. 503 if the server does not answer.
 */
export async function diffOfOrigin(
  app: App,
  id: number,
  requested: Wanted,
): Promise<{ files: FileDiff[]; at: string }> {
  const chosen = await choose(app, app.db, id, requested)
  const { before, after, state } = chosen
  const leaves = before.php && (!after.php || before.phpVersion !== after.phpVersion)
  const { files } = Answer.parse(
    await liveRead(app, before.server.id, 'vhost-files.compare', {
      site: { ...served(after), state },
      pools: [pool(after), ...ownPool(after)].map(shapeOf),
      gone: leaves ? [{ username: before.systemUser.username, phpVersion: before.phpVersion, website: before.id }] : [],
    }),
  )
  const at = new Date().toISOString()
  if (changesNothing(chosen)) await remember(app, id, files.length ? 'differs' : 'same', at)
  return { files: files.map(({ file, is, wanted }) => ({ file, lines: diffOf(is, wanted) })), at }
}

const shapeOf = ({ input }: PlanStep) => poolShape.parse(input)

async function remember({ db }: App, websiteId: number, seen: 'same' | 'differs', seenAt: string): Promise<void> {
  const [before] = await db
    .select({ seen: originVhosts.seen })
    .from(originVhosts)
    .where(eq(originVhosts.websiteId, websiteId))
  await db
    .insert(originVhosts)
    .values({ websiteId, seen, seenAt })
    .onConflictDoUpdate({ target: originVhosts.websiteId, set: { seen, seenAt, updatedAt: sql`now()` } })
  if (before?.seen !== seen) await changed(db, 'originVhosts', websiteId)
}
