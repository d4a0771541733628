import type pg from 'pg'

/** Drops all indexes of a table except those of constraints, and notes their definitions, so that the fill is fast. */
export async function setIndexesAside(client: pg.Client, table: string): Promise<void> {
  await inOne(client, async () => {
    const { rows } = await client.query(
      `insert into bench_indexes select i.relname, $1, pg_get_indexdef(i.oid) from pg_index x join pg_class i on i.oid = x.indexrelid
        where x.indrelid = to_regclass($2) and not exists (select from pg_constraint c where c.conindid = i.oid)
        on conflict do nothing returning name`,
      [table, `public.${table}`],
    )
    for (const { name } of rows as { name: string }[]) await client.query(`drop index "${name}"`)
  })
}

/** Creates the noted indexes of a table again. */
export async function setIndexesBack(client: pg.Client, table: string): Promise<void> {
  const { rows } = await client.query('select name, definition from bench_indexes where owner = $1', [table])
  for (const { name, definition } of rows as { name: string; definition: string }[]) {
    await inOne(client, async () => {
      await client.query(definition)
      await client.query('delete from bench_indexes where name = $1', [name])
    })
  }
}

export async function inOne(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin')
  try {
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
