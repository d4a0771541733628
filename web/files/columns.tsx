import type { StoredFile } from '@innkeeper/contract/files'
import { ActionIcon, Group, Menu, Text } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Column } from '../kit/columns.ts'
import { ago, bytes } from '../kit/format.ts'
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

/** Two lines on a phone, and what can be done: a file has no page of its own. */
export const FileCard = ({ file, menu }: { file: StoredFile; menu: ReactNode }) => (
  <Group justify="space-between" wrap="nowrap" gap="sm">
    <Name file={file} below={`${bytes(file.size)} · ${ago(file.createdAt)}`} />
    <Group gap={4} wrap="nowrap" style={{ flex: 'none' }}>
      <Text c={file.hidden ? 'dimmed' : 'warning'} fz="xs">
        {file.hidden ? 'Private' : 'Public'}
      </Text>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={`What can be done with ${file.name}`}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>{menu}</Menu.Dropdown>
      </Menu>
    </Group>
  </Group>
)
