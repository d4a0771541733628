import { eq, sql } from 'drizzle-orm'
import * as drizzleUtils from 'drizzle-orm/utils'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { users } from '../../../access/users/tables.ts'
import { serverStates, servers } from '../../../machines/servers/tables.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { actions } from '../../work/tables.ts'
import { type Selected, shaperOf } from './mapping.ts'

type Joined = Record<string, boolean>
const { mapResultRow } = drizzleUtils as unknown as {
  mapResultRow(fields: Selected[], row: unknown[], joined: Joined): unknown
} // present, but missing in the types

let t: TestApp
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())

/** The fields and joins inside a prepared select. */
const insideOf = (prepared: unknown) => prepared as { fields: Selected[]; joinsNotNullableMap: Joined }

describe('rows have the shape that Drizzle gives them', () => {
  it('for one table', () => {
    const query = t.app.db.select({ at: actions.startedAt, id: actions.id, input: actions.input }).from(actions)
    const { fields, joinsNotNullableMap: joined } = insideOf(query.prepare('one_table'))
    for (const row of [
      ['2026-11-21 09:00:00.5+00', '7', '{"a":1}'],
      [null, '7', null],
    ])
      expect(shaperOf(fields, joined)(row)).toEqual(mapResultRow(fields, row, joined))
  })
  it('for joins, aliases and expressions, with and without a match', () => {
    const query = t.app.db
      .select({
        server: servers,
        state: serverStates,
        n: sql<number>`1`.mapWith(Number),
        two: sql`2`.as('two'),
        who: users.username,
      })
      .from(servers)
      .leftJoin(serverStates, eq(serverStates.serverId, servers.id))
      .leftJoin(users, eq(users.id, servers.id))
    const { fields, joinsNotNullableMap: joined } = insideOf(query.prepare('joined'))
    const found = fields.map(({ path }) => (path.at(-1)?.endsWith('At') ? '2026-11-21 09:00:00+00' : '[]'))
    const notFound = found.map((value, i) => (/^(state|who)$/.test(fields[i]?.path[0] ?? '') ? null : value))
    for (const row of [found, notFound])
      expect(shaperOf(fields, joined)(row)).toEqual(mapResultRow(fields, row, joined))
    expect(shaperOf(fields, joined)(notFound)).toMatchObject({ state: null, who: null, n: expect.any(Number) })
  })
  it.each([
    '2026-11-21 09:00:00+00',
    '2026-11-21 09:00:00.5+00',
    '1999-01-02 03:04:05.123+00',
    '2026-11-21 09:00:00+02',
  ])('the instant %s equals the one of a Date', (text) =>
    expect(actions.startedAt.mapFromDriverValue(text)).toBe(new Date(text).toISOString()))
})
