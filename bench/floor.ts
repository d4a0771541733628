import { createServer, type ServerResponse } from 'node:http'
import pg from 'pg'
import { type Recipe, renewed } from './recipe.ts'

/**
 * The minimal server of the comparison: node:http and pg with the same statements that the app sends for a request,
 * without token, permission, validation and contract. stage.ts starts it and sends the recipes; `/7` runs recipe 7.
 */
const asText = (text: string | null) => text
for (const type of [1082, 1114, 1184]) pg.types.setTypeParser(type, asText) // dates as text, like in the app
const pool = new pg.Pool({ connectionString: process.argv[2], max: 16, options: '-c timezone=UTC -c jit=off' })
let recipes: Recipe[] = []
let written = 0

const server = createServer((request, answer) => {
  const recipe = recipes[Number(request.url?.slice(1))]
  if (!recipe) return void answer.writeHead(404, { 'content-length': 0 }).end()
  const done = recipe.token ? write(recipe) : read(recipe)
  done.then(
    (rows) => send(answer, 200, rows),
    (error: unknown) => send(answer, 500, String(error)),
  )
})

function send(answer: ServerResponse, status: number, what: unknown): void {
  const text = JSON.stringify(what)
  answer.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text)
}

async function read({ statements }: Recipe): Promise<unknown> {
  let rows: unknown[] = []
  for (const statement of statements) rows = (await pool.query(statement)).rows
  return rows
}

/** Runs all statements on one connection, because the recipe contains begin and commit. */
async function write(recipe: Recipe): Promise<unknown> {
  const client = await pool.connect()
  const fresh = `f${process.pid.toString(36)}x${(written++).toString(36)}`
  const ids = new Map<number, unknown>()
  let rows: unknown[] = []
  try {
    for (const [n, statement] of recipe.statements.entries()) {
      const values = statement.values.map((value) => renewed(value, recipe, fresh, ids))
      const result = await client.query({ ...statement, values })
      const [row] = result.rows
      if (recipe.made.some((made) => made.statement === n) && row) ids.set(n, Object.values(row)[0])
      if (result.rows.length) rows = result.rows
    }
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
  return rows
}

process.on('message', (sent: Recipe[]) => {
  recipes = sent
  process.send?.('ready')
})
process.on('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' ? address?.port : 0 })
})
