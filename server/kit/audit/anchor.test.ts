import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../../testing/testApp.ts'
import { openAnchor } from './anchor.ts'
import { writeLog } from './audit.ts'
import { endOfChain, sealNext } from './seal.ts'
import { holdToAnchor } from './sealing.ts'
import { askCheck, checkOn, lastCheck } from './verifyChain.ts'

let t: TestApp
const folder = mkdtempSync(join(tmpdir(), 'innkeeper-anchor-'))
const anchor = openAnchor(join(folder, 'anchor'))
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(async () => {
  await t.close()
  rmSync(folder, { recursive: true })
})

const entry = (n: number) => ({
  ...{ staffId: 1, staffName: 'Ingrid Solberg', service: 'website', action: 'delete', resource: 'website' },
  ...{ resourceId: String(n), workflowId: null, ip: null, requestId: null },
})
const log = async (count: number) => {
  for (let n = 0; n < count; n++) await writeLog(t.app.db, entry(n), 'success')
  await sealNext(t.app.db)
}

describe('the end of the action log', () => {
  it('is stored in the file some seconds after sealing', async () => {
    await log(5)
    const end = await endOfChain(t.app.db)
    anchor.note(end, 0)
    anchor.note(end, 4_000)
    expect(anchor.read()).toBeUndefined()
    anchor.note(end, 6_000)
    expect(anchor.read()).toEqual(end)
    await holdToAnchor(t.app, anchor, anchor.read())
    expect(await lastCheck(t.app.db, undefined)).toBeUndefined()
  })
  it('is reported missing if rows and seals were deleted together, even after new rows, and by a check', async () => {
    const anchored = anchor.read()
    await t.app.db.execute(sql`alter table action_logs disable trigger all`)
    await t.app.db.execute(sql`alter table action_log_seals disable trigger all`)
    await t.app.db.execute(sql`delete from action_log_seals where position > 2`)
    await t.app.db.execute(
      sql`delete from action_logs where action_log_id not in (select action_log_id from action_log_seals)`,
    )
    await holdToAnchor(t.app, anchor, anchored)
    const broken = { brokenPosition: 3, brokenReason: 'missing' }
    expect(await lastCheck(t.app.db, undefined)).toMatchObject(broken)
    expect(anchor.read()).toEqual(anchored) // the anchor stays as evidence

    await t.app.db.transaction((tx) => askCheck(tx, 'Ingrid Solberg', true))
    while (await checkOn(t.app.db, anchored));
    expect(await lastCheck(t.app.db, undefined)).toMatchObject(broken)

    await log(9) // the chain is longer than before, with other hashes
    await t.app.db.transaction((tx) => askCheck(tx, 'Ingrid Solberg', true))
    while (await checkOn(t.app.db, anchored));
    const altered = { brokenPosition: anchored?.position, brokenReason: 'altered' }
    expect(await lastCheck(t.app.db, undefined)).toMatchObject(altered)
  })
})
