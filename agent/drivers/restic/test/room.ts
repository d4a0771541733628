import type { OperationInput } from '@innkeeper/contract/agent/operations'
import { expect } from 'vitest'
import type { Host, Practice } from '../../../test/practice.ts'

const base = '/home/.innkeeper-restores'

/** Restores a snapshot of 40 MB of data, of which the website has two copies, and of 50 MB of holes, onto small disks. */
export async function scarce(p: Practice<Host>, restored: OperationInput<'restore-files.prepare'>): Promise<void> {
  const onDisk = async (size: string) => {
    await p.sh('sh', '-c', `mkdir -p ${base} && mount -t tmpfs -o size=${size},mode=700 tmpfs ${base}`)
    try {
      return await p.op('restore-files.prepare', restored)
    } finally {
      await p.sh('umount', base)
    }
  }
  const none = { status: 'failed', reason: expect.stringContaining('no room for a second copy') }
  expect(await onDisk('30m')).toMatchObject(none) // no room even for the data
  expect(await onDisk('70m')).toMatchObject(none) // the second copy does not fit, which shows while restic writes
  expect(await onDisk('120m')).toMatchObject({ status: 'done' }) // holes of a sparse file need no room
}
