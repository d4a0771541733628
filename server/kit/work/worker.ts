import { sweepReads } from '../agents/liveRead.ts'
import type { App } from '../app/app.ts'
import type { Schedule } from '../app/domain.ts'
import { isAway } from '../db/failures.ts'
import { sweepBlobs } from '../storage/blobs.ts'
import { blockUnknown, sweep } from './claim.ts'
import { openQueue } from './queue.ts'
import { retain } from './retention.ts'
import { startRunner } from './runner.ts'

/** The schedules of the kit itself; domains add theirs. */
const own: readonly Schedule[] = [
  {
    name: 'sweep',
    everyMs: 2000,
    async work({ db }) {
      await sweep(db)
      await blockUnknown(db)
      await sweepReads(db)
    },
  },
  { name: 'retention', everyMs: 3_600_000, work: ({ db }) => retain(db) },
  { name: 'blobs', everyMs: 60_000, work: (app) => sweepBlobs(app) },
]

/** The background half of a node: carries out actions without a server, and repeats the schedules of kit and domains. */
export async function startWorker(app: App, schedules: readonly Schedule[]): Promise<{ stop(): Promise<void> }> {
  const queue = await openQueue(app)
  const runner = startRunner(app, queue)
  const since = performance.now()
  const stops = [...own, ...schedules].map(({ name, everyMs, work }) =>
    every(app, everyMs, name, () => work(app, performance.now() - since)),
  )
  return {
    async stop() {
      queue.close()
      await Promise.all([...stops.map((stop) => stop()), runner.stop()])
    },
  }
}

/** Runs again and again, never twice at once. Answers how to stop it: after the round that is under way. */
function every(app: App, ms: number, name: string, work: () => Promise<unknown>): () => Promise<unknown> {
  let round: Promise<unknown> = Promise.resolve()
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
