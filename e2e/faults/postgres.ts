import { must, run } from '@innkeeper/lab/run'
import { until } from '../until.ts'
import type { World } from './world.ts'

/** kill -9 of it and all its backends. */
export const crash = ({ database }: World) => must(database.crash)

/** Starts it where it has ended, as its service manager does; returns when it answers. */
export const revive = (world: World) =>
  until('PostgreSQL answers', 30_000, async () => {
    if ((await run(world.database.status)).code !== 0) await must(world.database.start())
    return (await world.look('select')).length > 0
  })

/** One process of it at random: the others then end by themselves, and it starts anew without anybody's help. */
export async function killOne(world: World, choose: <T>(of: readonly T[]) => T): Promise<string> {
  const processes = await world.look<{ pid: number; type: string }>(
    `select pid, backend_type as type from pg_stat_activity where application_name <> 'storm' order by backend_type, pid`,
  )
  const { pid, type } = choose(processes)
  process.kill(pid, 'SIGKILL')
  return type
}

/** Ends connections; `which` is a condition over pg_stat_activity. */
export const endConnections = (world: World, which: string) =>
  world.look(`select pg_terminate_backend(pid) from pg_stat_activity
    where backend_type = 'client backend' and application_name <> 'storm' and ${which}`)
