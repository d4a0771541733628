import type { StoredFile } from '@innkeeper/contract/desk/files'
import { Group, Text, UnstyledButton } from '@mantine/core'
import type { Column } from '../../kit/list/columns.ts'
import { ago, bytes } from '../../kit/look/format.ts'
import css from './Files.module.css'
import { KindIcon, seenBy } from './words.tsx'

const dim = (text: string) => (
  <Text span c="dimmed" truncate>
    {text}
  </Text>
)
interface NameProps {
  file: StoredFile
  below?: string | undefined
  /** Shows the file, or saves it where the browser cannot show it. */
  onOpen?: ((file: StoredFile) => void) | undefined
}
const Name = ({ file, below, onOpen }: NameProps) => (
  <Group gap={10} wrap="nowrap" miw={0}>
    <KindIcon kind={file.kind} />
    <div style={{ minWidth: 0 }}>
      {onOpen ? (
        <UnstyledButton className={css.open} title={file.name} onClick={() => onOpen(file)}>
          {file.name}
        </UnstyledButton>
      ) : (
        <Text fw={450} truncate title={file.name}>
          {file.name}
        </Text>
      )}
      {below && (
        <Text c="dimmed" fz="xs" truncate>
          {below}
        </Text>
      )}
    </div>
  </Group>
)

interface Shown {
  /** Names the folder of each file, in lists of several folders. */
  folders?: boolean | undefined
  onOpen: (file: StoredFile) => void
}

export const columnsOf = ({ folders, onOpen }: Shown): readonly Column<StoredFile>[] => [
  {
    key: 'name',
    title: 'Name',
    sort: 'name',
    csv: ({ name }) => name,
    cell: (file) => (
      <Name
        file={file}
        below={folders ? (file.folder?.name ?? 'At the top') : undefined}
        onOpen={file.deletedAt ? undefined : onOpen}
      />
    ),
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
