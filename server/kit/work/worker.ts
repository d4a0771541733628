import { sql } from 'drizzle-orm'
import { syncOverdue } from '../../dns/sync.ts'
import { emptyTrash } from '../../files/trash.ts'
import { compareOverdue } from '../../ipsets/compare.ts'
import { endExpired, forgetEnded } from '../../ipsets/expiry.ts'
import { turnYears } from '../../leaves/yearEnd.ts'

import { retireOverdue } from '../../moves/soak.ts'
import { endOldNames } from '../../names/oldNames.ts'
import { STALE_S } from '../../servers/online.ts'
import { tellOffline } from '../../servers/outage.ts'
import { planAhead } from '../../shifts/planAhead.ts'
import { askWindows, renewDue } from '../../ssl/renew.ts'
import { markOver } from '../../systemUsers/overPlan.ts'
import { askDue } from '../../systemUsers/usage.ts'
import { collectTraffic } from '../../vhosts/edgeTraffic.ts'
import { purgeOverdue } from '../../websites/trash.ts'
import { sweepReads } from '../agents/liveRead.ts'
import type { App } from '../app/app.ts'
import { rows } from '../db/db.ts'
import { isAway } from '../db/failures.ts'
import { changed } from '../live/live.ts'
import { sweepBlobs } from '../storage/blobs.ts'
import { blockUnknown, sweep } from './claim.ts'
import { openQueue } from './queue.ts'
import { retain } from './retention.ts'
import { startRunner } from './runner.ts'

const SWEEP_MS = 2000
const RETAIN_MS = 3_600_000
const BLOBS_MS = 60_000
const TRASH_MS = 60_000
const SOAK_MS = 15_000
const ZONES_MS = 3_600_000
const USAGE_MS = 60_000
const BANS_MS = 5000
const SETS_MS = 600_000
const CERTIFICATES_MS = 30_000
const TRAFFIC_MS = 60_000

/** The background half of a node: actions without a server, leases that ended, what is kept no longer, files of nobody. */
export async function startWorker(app: App): Promise<{ stop(): Promise<void> }> {
  const queue = await openQueue(app)
  const since = performance.now()
  const runner = startRunner(app, queue)
  const sweeping = every(app, SWEEP_MS, 'sweep', async () => {
    await sweep(app.db)
    await blockUnknown(app.db)
    await sweepReads(app.db)
    await tellOfSilence(app)
    // while nobody listened all of them were silent
    if (performance.now() - since > STALE_S * 1000) await tellOffline(app.db)
  })
  const retaining = every(app, RETAIN_MS, 'retention', async () => {
    await retain(app.db)
    await emptyTrash(app.db)
    await markOver(app.db) // plans change too
    await planAhead(app)
    await turnYears(app.db)
    await forgetEnded(app)
  })
  const tidying = every(app, BLOBS_MS, 'blobs', () => sweepBlobs(app))
  const emptying = every(app, TRASH_MS, 'trash', async () => {
    await purgeOverdue(app)
    await endOldNames(app)
  })
  const soaking = every(app, SOAK_MS, 'moves', async () => void (await retireOverdue(app)))
  const comparing = every(app, ZONES_MS, 'zones', () => syncOverdue(app))
  const measuring = every(app, USAGE_MS, 'usage', async () => void (await askDue(app)))
  const ending = every(app, BANS_MS, 'bans', () => endExpired(app))
  const checking = every(app, SETS_MS, 'ip sets', () => compareOverdue(app))
  const renewing = every(app, CERTIFICATES_MS, 'certificates', async () => {
    await renewDue(app)
    await askWindows(app)
  })
  const counting = every(app, TRAFFIC_MS, 'traffic', async () => void (await collectTraffic(app)))
  return {
    async stop() {
      queue.close()
      await Promise.all([
        sweeping(),
        retaining(),
        tidying(),
        emptying(),
        soaking(),
        comparing(),
        measuring(),
        ending(),
        checking(),
        renewing(),
        counting(),
        runner.stop(),
      ])
    },
  }
}

/** Runs again and again, never twice at once. Answers how to stop it: after the round that is under way. */
function every(app: App, ms: number, name: string, work: () => Promise<void>): () => Promise<void> {
  let round = Promise.resolve()
  const run = () => {
    round = round.then(work).catch((error) => {
      if (!isAway(error)) app.log.error({ err: error }, name)
    })
  }
  const timer = setInterval(run, ms)
  run()
  return () => {
    clearInterval(timer)
    return round
  }
}

/** Nobody writes when a server falls silent: the screens that show it, or work that waits for it, are told here. */
async function tellOfSilence({ db }: App): Promise<void> {
  const within = (s: number) =>
    sql`last_seen_at between now() - make_interval(secs => ${s + SWEEP_MS / 1000 + 1}) and now() - make_interval(secs => ${s})`
  const silent = await rows<{ id: number }>(
    db,
    sql`select server_id as id from server_states where ${within(15)} or ${within(90)}`,
  )
  for (const { id } of silent) await changed(db, 'servers', id)
  if (silent.length) await changed(db, 'workflows')
}
