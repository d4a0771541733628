import { expect } from 'vitest'
import type { Practice } from '../../../test/practice.ts'

interface Remote {
  account: string
  address: string
  port: number
  key: string
  password: string
  certificate: string
}

/** Copies a snapshot into a second repository on the same host, and answers the copy. */
export async function copied(
  p: Pick<Practice<never>, 'done' | 'op' | 'sh'>,
  remote: Remote,
  snapshot: string,
): Promise<{ copy: string; to: Remote }> {
  const to = { ...remote, account: 'copy-7', key: 'another-account-password', password: 'another-repository-pass' }
  await p.done('backup-account.ensure', { account: to.account, key: to.key })
  await p.sh('rm', '-rf', '/var/lib/innkeeper/backup') // a backup server that only sends copies lacks the folder
  const wanted = { ...to, from: remote.account, fromPassword: remote.password }
  await p.done('backup-copy.prepare', wanted)
  await p.done('backup-copy.prepare', wanted)
  const run = async (...snapshots: string[]) =>
    (await p.done('backup-copy.run', { ...wanted, snapshots })).output as {
      copied: { snapshot: string; copy: string }[]
    }
  const gone = 'f'.repeat(64)
  const first = await run(snapshot, gone)
  expect(first).toMatchObject({ copied: [{ snapshot }], missing: [gone], added: 1 })
  expect(await run(snapshot)).toMatchObject({ copied: first.copied, added: 0 })
  const polynomial = async ({ account, password }: Pick<Remote, 'account' | 'password'>) =>
    JSON.parse(
      await p.sh(
        ...(['setpriv', '--reuid=innkeeper-backup', '--regid=innkeeper-backup', '--clear-groups', 'env'] as const),
        ...['HOME=/tmp', `RESTIC_PASSWORD=${password}`, '/opt/innkeeper/backup/restic', '--no-cache', '--json'],
        ...['-r', `/srv/innkeeper/backups/${account}`, 'cat', 'config'],
      ),
    ).chunker_polynomial
  expect(await polynomial(to)).toBe(await polynomial(remote))
  expect(await p.sh('sh', '-c', 'ls /srv/innkeeper/backups/*/locks')).not.toMatch(/[0-9a-f]{64}/)
  const wrong = await p.op('backup-copy.run', { ...wanted, key: 'a-wrong-password-of-24-ch', snapshots: [snapshot] })
  expect(wrong).toMatchObject({ status: 'failed' })
  return { copy: first.copied[0]?.copy ?? '', to }
}
