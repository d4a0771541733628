import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rows } from '../../../kit/db/db.ts'
import { openWorld, type World } from '../../../test/hostile/world/world.ts'
import { allParts, leftOut, ways } from './parts.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

it('every part says what becomes of it in a backup, a new website, a copy and a move', () => {
  for (const { kind, along, keep, move } of allParts())
    for (const way of ways) {
      const fate = along[way]
      // what comes along needs no words; what does not is one sentence for people
      if (fate !== true) expect(fate, `${kind} ${way}`).toMatch(/^[A-Z][^.]{10,150}$/)
      if (keep) expect(along.backup, kind).toBe(true)
      if (move) expect(along.move, kind).toBe(true)
    }
})

it('only what a website has is named, and only where it does not come along', async () => {
  const { app } = world
  const [one] = await rows<{ id: number }>(
    app.db,
    sql`select website_id as id from ftp_users where deleted_at is null limit 1`,
  )
  const texts = await leftOut(app.db, one!.id)
  expect(texts.backup.join()).not.toContain('FTP users')
  expect(texts.copy).toContainEqual(expect.stringContaining('FTP users are not copied'))
  expect((await leftOut(app.db, 999_999)).backup).toEqual([])
})
