import { sweepReads } from '../agents/liveRead.ts'
import type { App } from '../app/app.ts'
import { sweepBlobs } from '../storage/blobs.ts'
import { blockUnknown, sweep } from './claim.ts'
import { admit } from './line.ts'
import { openQueue } from './queue.ts'
import { retain } from './retention.ts'
import { startRunner } from './runner.ts'
import { type Rounds, repeat, type Schedule } from './schedule.ts'

/** Schedules of the kit; domains add theirs. */
const own: readonly Schedule[] = [
  {
    name: 'sweep',
    everyMs: 2000,
    async work({ db }) {
      await sweep(db)
      await blockUnknown(db)
      await sweepReads(db)
      await db.transaction(admit)
    },
  },
  { name: 'retention', everyMs: 3_600_000, work: retain },
  { name: 'blobs', everyMs: 60_000, work: (app) => sweepBlobs(app) },
]

/** Starts the background work of a node: actions without a server and all schedules. */
export async function startWorker(
  app: App,
  schedules: readonly Schedule[],
): Promise<{ rounds: Rounds; stop(): Promise<void> }> {
  const queue = await openQueue(app)
  const runner = startRunner(app, queue)
  const rounds: Rounds = new Map()
  const stops = [...own, ...schedules].map((schedule) => repeat(app, schedule, rounds))
  return {
    rounds,
    async stop() {
      queue.close()
      await Promise.all([...stops.map((stop) => stop()), runner.stop()])
    },
  }
}
