import type { StoredFile } from '@innkeeper/contract/desk/files'
import { Group, Text } from '@mantine/core'
import type { Column } from '../../kit/list/columns.ts'
import { ago, bytes } from '../../kit/look/format.ts'
import { KindIcon, seenBy } from './words.tsx'

const dim = (text: string) => (
  <Text span c="dimmed" truncate>
    {text}
  </Text>
)
const Name = ({ file, below }: { file: StoredFile; below: string }) => (
  <Group gap={10} wrap="nowrap" miw={0}>
    <KindIcon kind={file.kind} />
    <div style={{ minWidth: 0 }}>
      <Text fw={450} truncate title={file.name}>
        {file.name}
      </Text>
      <Text c="dimmed" fz="xs" truncate>
        {below}
      </Text>
    </div>
  </Group>
)

export const columns: readonly Column<StoredFile>[] = [
  {
    key: 'name',
    title: 'Name',
    sort: 'name',
    csv: ({ name }) => name,
    cell: (file) => <Name file={file} below={file.folder?.name ?? 'At the top'} />,
  },
  {
    key: 'seen',
    title: 'Seen by',
    width: 160,
    csv: seenBy,
    cell: (file) =>
      file.hidden ? (
        dim(seenBy(file))
      ) : (
        <Text span c="warning" truncate>
          Public
        </Text>
      ),
  },
  {
    key: 'owner',
    title: 'Owner',
    width: 170,
    csv: ({ ownerName }) => ownerName,
    cell: ({ ownerName }) => dim(ownerName),
  },
  {
    key: 'size',
    title: 'Size',
    sort: 'size',
    width: 96,
    align: 'right',
    csv: ({ size }) => size,
    cell: ({ size }) => <span className="num">{bytes(size)}</span>,
  },
  {
    key: 'createdAt',
    title: 'Uploaded',
    sort: 'createdAt',
    width: 116,
    csv: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => dim(ago(createdAt)),
  },
  {
    key: 'type',
    title: 'Type',
    width: 190,
    off: true,
    csv: ({ type }) => type,
    cell: ({ type }) => dim(type),
  },
]

/** Two lines on a phone. */
export const FileCard = ({ file }: { file: StoredFile }) => (
  <Group justify="space-between" wrap="nowrap" gap="sm">
    <Name file={file} below={`${bytes(file.size)} · ${ago(file.createdAt)}`} />
    <Text c={file.hidden ? 'dimmed' : 'warning'} fz="xs" style={{ flex: 'none' }}>
      {file.hidden ? 'Private' : 'Public'}
    </Text>
  </Group>
)
