import pg from 'pg'

/** `memory:`, or a new database on the tests' PostgreSQL, copied from `from`. */
export async function emptyDatabase(from = 'template1'): Promise<{ url: string; drop(): Promise<void> }> {
  const server = process.env.TEST_POSTGRES
  if (!server) return { url: 'memory:', drop: async () => {} }
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`
  const run = async (statement: string) => {
    const client = new pg.Client({ connectionString: server })
    await client.connect()
    await client.query(statement)
    await client.end()
  }
  await run(`create database ${name} template ${from}`)
  return { url: databaseOn(server, name), drop: () => run(`drop database ${name} with (force)`) }
}

/** The address of a database of this name on the same server. */
export function databaseOn(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}
