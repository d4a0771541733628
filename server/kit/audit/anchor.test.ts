import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { cutBefore, NoAnchor, openAnchor } from './anchor.ts'
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
  it('is reported if its row was deleted and its seal kept', async () => {
    const { db } = t.app
    const anchored = anchor.read()
    const gone = db.transaction(async (tx) => {
      await tx.execute(sql`alter table action_logs disable trigger all`)
      await tx.execute(
        sql`delete from action_logs where action_log_id = (select max(action_log_id) from action_log_seals)`,
      )
      expect(await cutBefore(tx, anchored)).toMatchObject({ position: anchored?.position, reason: 'missing' })
      throw new Error('undone')
    })
    await expect(gone).rejects.toThrow('undone')
  })
  it('is stored in a folder that does not exist yet, and a file that cannot be read or written is named', async () => {
    const end = { position: 7, hash: 'abc' }
    const file = join(folder, 'new', 'anchor')
    const made = openAnchor(file)
    made.note(end, 0)
    made.note(end, 6_000)
    expect(made.read()).toEqual(end)
    writeFileSync(file, '')
    expect(() => made.read()).toThrow(NoAnchor)
    const blocked = openAnchor(join(file, 'below a file'))
    blocked.note(end, 0)
    expect(() => blocked.note(end, 6_000)).toThrow()
    expect(() => blocked.note(end, 7_000)).toThrow() // tried again
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
