import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rows } from '../../../kit/db/db.ts'
import { actions, workflows } from '../../../kit/work/tables.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { enrolled } from '../../../test/work.ts'
import { noteFound } from './noteFound.ts'

let t: TestApp
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())

it('a name server is believed only about zones that it was asked about, and nonsense stops no sync', async () => {
  const { db } = t.app
  await db.execute(
    sql`insert into zones (domain, digest, serial) values ('asked.example', '', 5), ('other.example', '', 5)`,
  )
  const [workflow] = await db
    .insert(workflows)
    .values({
      kind: 'zones.sync',
      subjectType: 'zones',
      subjectId: 0,
      subjectName: 'zones',
      holder: 'x',
      request: 'one',
    })
    .returning()
  const compared = async (name: string, output: unknown) => {
    const server = await enrolled(db, name)
    await db.insert(actions).values({
      ...{ workflowId: workflow!.id, position: server, name: 'dns-zones.compare', title: '', what: '', lane: 'long' },
      ...{ serverId: server, resourceType: 'server', resourceId: server, resourceName: name, status: 'done', output },
      input: { zones: [{ domain: 'asked.example', serial: 5 }] },
    })
  }
  const differs = (domain: string, serial: number | null) => ({ domain, serial, digest: null })
  await compared('dns-false', { differing: 'x' })
  await compared('dns-huge', { differing: [differs('asked.example', 2 ** 40)], present: [] })
  const both = [differs('other.example', 9), differs('asked.example', 3), differs('asked.example', 4)]
  await compared('dns-twice', { differing: both, present: [] })
  const said: string[] = []
  const { drifted } = await noteFound(db, 'one', new Map(), (line) => said.push(line))
  expect([...drifted.keys()]).toEqual(['asked.example'])
  expect(said).toEqual([
    'dns-false: its answer was not understood',
    'dns-huge: its answer was not understood',
    'dns-twice: asked.example is behind, serial 4',
  ])
  expect(await rows(db, sql`select serial::int as serial from zone_states`)).toEqual([{ serial: 4 }])
})
