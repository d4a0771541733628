import type { ConfigVersionView, VersionFile } from '@innkeeper/contract/recovery/configs/shapes'
import { Anchor, Text } from '@mantine/core'
import { useState } from 'react'
import { lazyPart } from '../../kit/frame/lazyScreen.tsx'
import { Section } from '../../kit/frame/Section.tsx'
import { bytes, counted, moment } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { SectionTable, type TableColumn } from '../../kit/look/SectionTable.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { authors } from './words.ts'

const FileModal = lazyPart(
  () => import('./FileModal.tsx'),
  () => null,
)

/** The files of a version with their authors. */
export function Files({ version }: { version: ConfigVersionView }) {
  const [open, setOpen] = useState<string>()
  return (
    <Section title="Files" hint={counted(version.items.length, ['file', 'files'])} pad={false}>
      <SectionTable
        label="Files of this version"
        columns={columnsOf(setOpen)}
        rows={version.items}
        keyOf={({ path }) => path}
        empty="This version has no file."
      />
      {open && <FileModal id={version.id} path={open} close={() => setOpen(undefined)} />}
    </Section>
  )
}

const hidden = { secret: 'secret, checksum only', binary: 'binary, checksum only', large: 'large, checksum only' }

const columnsOf = (open: (path: string) => void): readonly TableColumn<VersionFile>[] => [
  {
    title: 'File',
    cell: ({ path, shown, target, hidden: why }) => (
      <div style={{ minWidth: 0 }}>
        {shown ? (
          <Anchor component="button" type="button" onClick={() => open(path)} ta="left">
            <Mono style={{ overflowWrap: 'anywhere' }}>{path}</Mono>
          </Anchor>
        ) : (
          <Mono style={{ overflowWrap: 'anywhere' }}>{path}</Mono>
        )}
        {(target || why) && (
          <Text c="dimmed" fz="xs" style={{ overflowWrap: 'anywhere' }}>
            {target ? `→ ${target}` : why && hidden[why]}
          </Text>
        )}
      </div>
    ),
  },
  {
    title: 'Written by',
    width: 190,
    cell: ({ by, package: owner, drifted }) =>
      drifted ? (
        <StatusBadge state="degraded" label="A person, over Innkeeper" />
      ) : (
        <Text c={by === 'person' ? undefined : 'dimmed'}>{owner && by === 'package' ? owner : authors[by]}</Text>
      ),
  },
  {
    title: 'Mode',
    width: 170,
    cell: ({ mode, owner, group }) => (
      <Mono c="dimmed" fz="xs">
        {mode.toString(8)} {owner}:{group}
      </Mono>
    ),
  },
  { title: 'Size', width: 90, align: 'right', cell: ({ size }) => <span className="num">{bytes(size)}</span> },
  { title: 'Changed', width: 140, cell: ({ changedAt }) => <Text c="dimmed">{moment(changedAt)}</Text> },
]
