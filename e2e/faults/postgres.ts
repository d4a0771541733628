import { must, run } from '@innkeeper/lab/run'
import { until } from '../until.ts'
import type { World } from './world.ts'

/** Kills PostgreSQL with all its backends by kill -9. */
export const crash = ({ database }: World) => must(database.crash)

/** Starts PostgreSQL if it has ended, like a service manager; returns when it answers. */
export const revive = (world: World) =>
  until('PostgreSQL answers', async () => {
    if ((await run(world.database.status)).code !== 0) await must(world.database.start())
    return (await world.look('select')).length > 0
  })

/** Kills one random backend. The others then end, and PostgreSQL restarts by itself. */
export async function killOne(world: World, choose: <T>(of: readonly T[]) => T): Promise<string> {
  const processes = await world.look<{ pid: number; type: string }>(
    `select pid, backend_type as type from pg_stat_activity where application_name <> 'storm' order by backend_type, pid`,
  )
  const { pid, type } = choose(processes)
  process.kill(pid, 'SIGKILL')
  return type
}

/** Terminates connections; `which` is a condition over pg_stat_activity. */
export const endConnections = (world: World, which: string) =>
  world.look(`select pg_terminate_backend(pid) from pg_stat_activity
    where backend_type = 'client backend' and application_name <> 'storm' and ${which}`)
