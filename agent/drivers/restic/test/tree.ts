import type { OperationInput } from '@innkeeper/contract/agent/operations'
import { expect } from 'vitest'
import type { Host, Practice } from '../../../test/practice.ts'

interface Items {
  items: { name: string; path: string; type: string; mode: number; size: number }[]
  next?: number
}

/** Lists, searches and compares the folders of a snapshot as restic does, and a large folder in several answers. */
export async function browsed(
  p: Practice<Host>,
  repository: { account: string; password: string },
  snapshot: string,
  restic: (...words: string[]) => Promise<{ stdout: string }>,
): Promise<void> {
  const ask = async (name: 'list' | 'find', input: object) =>
    (await p.done(`backup-tree.${name}`, { ...repository, snapshot, ...input } as never)).output as Items
  const { items } = await ask('list', { path: '/public/up' })
  expect(items).toMatchObject([
    { name: 'a.txt', path: '/public/up/a.txt', type: 'file', mode: 0o640 },
    { name: 'b.txt', type: 'file' },
  ])
  const printed = (await restic('ls', '--json', '--no-lock', snapshot, '/')).stdout.split('\n').flatMap((line) => {
    const node = line.startsWith('{') ? JSON.parse(line) : {}
    return node.message_type === 'node' && !node.path.slice(1).includes('/') ? node.name : []
  })
  const top = await ask('list', { path: '/' })
  expect(top.items.map(({ name }) => name)).toEqual(printed)
  expect(printed).toContain('new\nline')
  // read without restic, which would load the whole index
  expect(await p.sh('ls', `/var/lib/innkeeper/backup-trees/${repository.account}`)).toMatch(/^[0-9a-f]{64}/)
  const many: string[] = []
  for (let from: number | undefined = 0; from !== undefined; ) {
    const answer: Items = await ask('list', { path: '/public/many', ...(from && { from }) })
    many.push(...answer.items.map(({ name }) => name))
    from = answer.next
  }
  expect(new Set(many).size).toBe(2000)
  expect((await ask('find', { text: 'A.TX' })).items).toMatchObject([{ path: '/public/up/a.txt' }])
  expect((await ask('find', { text: 'entry-' })).items).toHaveLength(501)
  await p.sh('sh', '-c', 'rm -r /var/lib/innkeeper/backup-trees/*')
  const versions = await p.done('backup-tree.versions', {
    ...repository,
    snapshots: [snapshot],
    path: '/public/up/a.txt',
  })
  expect(versions.output).toMatchObject({ items: [{ snapshot, size: items[0]?.size }] })
  expect(
    await p.op('backup-tree.list', { ...repository, password: 'y'.repeat(24), snapshot, path: '/' }),
  ).toMatchObject({
    status: 'failed',
    reason: expect.stringContaining('the password of the repository is wrong'),
  })
}

/** Reads pieces of an archive, those of a group at the same time, and answers them in their order. */
export async function pieces(
  p: Practice<Host>,
  asked: Omit<OperationInput<'backup-archive.read'>, 'piece'>,
  ...groups: number[][]
): Promise<Buffer> {
  const read: { piece: number; data: string }[] = []
  for (const group of groups)
    await Promise.all(
      group.map(async (piece) => {
        const { output } = await p.done('backup-archive.read', { ...asked, piece })
        read.push({ piece, data: (output as { data: string }).data })
      }),
    )
  read.sort((a, b) => a.piece - b.piece)
  return Buffer.concat(read.map(({ data }) => Buffer.from(data, 'base64')))
}
