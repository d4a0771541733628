import pg from 'pg'

/**
 * The least that starts an action on another process: one connection commits a row and a NOTIFY, another one hears the
 * NOTIFY, a third one changes the row. `time` answers the milliseconds from the first commit to the second.
 */
export async function openCommits(url: string) {
  const clients = [1, 2, 3].map(() => new pg.Client({ connectionString: url }))
  const [writer, ear, claimant] = clients as [pg.Client, pg.Client, pg.Client]
  for (const client of clients) await client.connect()
  await writer.query('create table if not exists bench_commits (id int generated always as identity, claimed boolean)')
  await ear.query('listen bench_commits')
  return {
    async time(): Promise<number> {
      const { promise: heard, resolve } = Promise.withResolvers<void>()
      ear.once('notification', () => resolve())
      await writer.query('begin')
      const { rows } = await writer.query(
        `insert into bench_commits default values returning id, pg_notify('bench_commits', '')`,
      )
      const began = performance.now()
      await Promise.all([writer.query('commit'), heard])
      await claimant.query('update bench_commits set claimed = true where id = $1', [rows[0].id])
      return performance.now() - began
    },
    async close() {
      await writer.query('drop table bench_commits')
      for (const client of clients) await client.end()
    },
  }
}
