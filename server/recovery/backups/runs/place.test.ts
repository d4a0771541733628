import { afterAll, beforeAll, expect, it } from 'vitest'
import { enrolled } from '../../../test/work.ts'
import { good, keep, openBackups } from '../test/backups.ts'

let opened: Awaited<ReturnType<typeof openBackups>>
beforeAll(async () => {
  opened = await openBackups()
})
afterAll(() => opened.t.close())

it('backs up where the newest backup is, or on the only backup server that is ready, when nobody chose one', async () => {
  const { t, s, web, work, backUp } = opened
  const known = await s.site('known.example', web)
  const fresh = await s.site('fresh.example', web)
  const asked = (websiteId: number) => s.call('POST', '/backups/backups', { websiteId })
  const { repositoryId } = await backUp(known, good(1))

  const serverId = await enrolled(t.app.db, 'backup-2', { address: '10.77.1.14', type: 'backup' })
  await s.call('POST', '/backups/servers', { serverId, keep })
  const { body: first } = await asked(fresh)
  expect(first.data).toMatchObject({ repositoryId })
  await work()

  const other = await s.site('other.example', web)
  expect(await asked(other)).toMatchObject({
    status: 422,
    body: { fields: { backupServerId: 'Choose a backup server' } },
  })
  expect((await asked(known)).body.data).toMatchObject({ repositoryId })
})
