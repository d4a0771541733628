import { afterAll, beforeAll, expect, it } from 'vitest'
import { owners } from '../owners/tables.ts'
import {
  asked,
  bergen,
  call,
  closeMoves,
  comesTo,
  move,
  openMoves,
  oslo,
  site,
  t,
  until,
  update,
} from './test/moves.ts'

beforeAll(openMoves)
afterAll(closeMoves)

it('FTP users move with their passwords: closed at the freeze, open on the new server, removed from the old one', async () => {
  const email = 'post@uploads.example'
  const [person] = await t.app.db.insert(owners).values({ name: 'Kari', email }).returning()
  const id = await site('uploads.example', person!.id)
  const { body } = await call('POST', '/ftp/ftp-users', { websiteId: id, name: 'kari' })
  const user = async () => (await call('GET', `/ftp/ftp-users/${body.data.id}`)).body
  await until(async () => (await user()).state === 'ready')
  const { username } = await user()
  const { findings } = (await call('GET', `/websites/${id}/migrate?targetServerId=${bergen}`)).body
  const text = `${username}: with the same passwords`
  expect(findings).toContainEqual({ key: 'ftp', title: 'FTP users', level: 'ok', text })
  asked.length = 0
  const { id: moved } = await move(id)
  await comesTo(moved, 'soaking')
  const order = asked.map(({ server, name, input }) => `${server === oslo} ${name} ${input.state ?? input.mode ?? ''}`)
  const closed = order.indexOf('true ftp-user.ensure suspended')
  expect(closed).toBeGreaterThan(order.indexOf('true nginx-site.ensure moving'))
  expect(closed).toBeLessThan(order.indexOf('false transfer.pull delta'))
  expect(order.indexOf('false ftp.ensure ')).toBeGreaterThan(-1)
  expect(order.indexOf('false ftp-user.ensure active')).toBeGreaterThan(closed)
  expect(await user()).toMatchObject({ serverId: bergen, username, state: 'ready' })
  asked.length = 0
  await update(moved, 'retire')
  await comesTo(moved, 'done')
  expect(asked.map(({ server, name }) => `${server === oslo} ${name}`)).toContain('true ftp-user.remove')
  expect((await user()).state).toBe('ready')
})
