import { expect, it } from 'vitest'
import { openTestApp } from '../../test/app.ts'
import { carryOutAll, enrolled } from '../../test/work.ts'
import { owners } from '../owners/tables.ts'
import { formerNames } from './formerName.ts'

it('what was copied or kept before a rename has the former name, what came later has none', async () => {
  const t = await openTestApp()
  try {
    const { db } = t.app
    const token = (await t.somebody('admin')).token
    const server = await enrolled(db, 'web-names', { provisionedAt: new Date().toISOString() })
    const carryOut = () => carryOutAll(db, server, () => ({ status: 'done' }))
    const [kari] = await db.insert(owners).values({ name: 'Kari', email: 'kari@example.org' }).returning()
    const requested = { originServer: server, domain: 'first.example', plan: 'Business', userId: kari!.id }
    const { id } = (await t.call('POST', '/api/websites', { token, body: requested })).body.data
    await carryOut()
    const times = [null, new Date().toISOString()]
    for (const newDomain of ['second.example', 'third.example', 'first.example']) {
      await t.call('PATCH', `/api/websites/${id}/rename`, { token, body: { newDomain } })
      await carryOut()
      times.push(new Date().toISOString())
    }
    expect((await t.call('GET', `/api/websites/${id}`, { token })).body).toMatchObject({ domain: 'first.example' })
    const names = (domain: string) => formerNames(db, { id, domain }, times)
    expect(await names('first.example')).toEqual([null, null, 'second.example', 'third.example', null])
    expect((await names('third.example'))[1]).toBe('first.example')
  } finally {
    await t.close()
  }
})
