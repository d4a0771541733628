import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rows } from '../../kit/db/db.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { carryOutAll, enrolled } from '../../test/work.ts'

let t: TestApp
let admin: string
let mail: number
beforeAll(async () => {
  t = await openTestApp()
  admin = (await t.somebody('admin')).token
  mail = await enrolled(t.app.db, 'mail-1', { type: 'mail' })
})
afterAll(() => t.close())

const call = (method: 'GET' | 'POST' | 'DELETE' | 'PATCH', path: string, body?: unknown) =>
  t.call(method, `/api${path}`, { token: admin, body })
const box = (method: 'GET' | 'POST' | 'DELETE' | 'PATCH', path: string, body?: unknown) =>
  call(method, `/mailbox/${path}`, body)
const carryOut = async () => {
  await carryOutAll(t.app.db, mail, () => ({}))
}
const domain = async (name: string): Promise<number> => {
  const { body } = await box('POST', 'mailboxes', { domain: name })
  await carryOut()
  return body.data.id
}

describe('changes of a mail domain', () => {
  it('wait in line: forty mailboxes are made at once, and the last change applies all', async () => {
    const id = await domain('forty.example')
    const made = []
    for (let n = 0; n < 40; n++) made.push(await box('POST', `mailboxes/${id}/users`, { localPart: `box-${n}` }))
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]))
    expect((await call('GET', `/workflows/${made.at(-1)?.body.workflowId}`)).body).toMatchObject({
      status: 'waiting',
      waitsFor: expect.stringMatching(/“Create mailbox” .*number 39 in the line/),
    })
    expect((await box('DELETE', `mailboxes/${id}`, {})).status).toBe(409) // a contradiction
    await carryOut()
    expect((await box('GET', `mailboxes/${id}`)).body.state).toBe('applied')
    const [last] = await rows<{ users: unknown[] }>(
      t.app.db,
      sql`select input -> 'users' as users from actions where name = 'mail-domain.ensure' order by action_id desc limit 1`,
    )
    expect(last?.users).toHaveLength(40)
  })

  it('leave the line by a roll back; a deletion in line contradicts a restore', async () => {
    const id = await domain('line.example')
    const { body: made } = await box('POST', `mailboxes/${id}/users`, { localPart: 'busy' })
    await carryOut()
    const busy = made.data.id
    expect((await box('PATCH', `users/${busy}`, { name: 'Busy' })).status).toBe(202)
    const { body } = await box('DELETE', `users/${busy}`, {})
    expect((await box('POST', `users/${busy}/restore`)).status).toBe(409)
    const { actions } = (await call('GET', `/workflows/${body.workflowId}`)).body
    const at = `/workflows/${body.workflowId}/actions/${actions[0].id}`
    expect((await call('PATCH', at, { actionType: 'rollback' })).status).toBe(200)
    expect((await box('GET', `users/${busy}`)).body.address).toBe('busy@line.example')
    await carryOut()
    expect((await box('GET', `mailboxes/${id}`)).body.state).toBe('applied')
  })
})
