import type { Backup, TreeEntry } from '@innkeeper/contract/recovery/backups/shapes'
import { Button, Checkbox, CloseButton, Group, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { lazyPart } from '../../../kit/frame/lazyScreen.tsx'
import { Reading } from '../../../kit/frame/Reading.tsx'
import { Section } from '../../../kit/frame/Section.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { bytes, moment } from '../../../kit/look/format.ts'
import { Mono } from '../../../kit/look/Mono.tsx'
import { SectionTable } from '../../../kit/look/SectionTable.tsx'
import { backupsApi } from '../api.ts'
import css from '../Backups.module.css'
import { download } from './download.ts'
import { EntryName } from './EntryName.tsx'
import type { Props as VersionsProps } from './Versions.tsx'

const Versions = lazyPart<VersionsProps>(
  () => import('./Versions.tsx'),
  () => null,
)

interface Props {
  backup: Backup
  restore: (paths: string[]) => void
}

/** The files of a backup, folder by folder or by a part of their name. Chosen ones can be restored or downloaded. */
export function Tree({ backup, restore }: Props) {
  const [path, setPath] = useState('/')
  const [typed, setTyped] = useState('')
  const [text] = useDebouncedValue(typed.trim(), 400)
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [file, setFile] = useState<string>()
  const lacking = useReason()
  const still = { staleTime: Number.POSITIVE_INFINITY }
  const folder = useQuery({ ...backupsApi.tree.query({ id: backup.id, path }), ...still, enabled: !text })
  const found = useQuery({ ...backupsApi.find.query({ id: backup.id, text }), ...still, enabled: text !== '' })
  const { data, error, isPending } = text ? found : folder
  const toggle = (one: string) =>
    setChosen((now) => (now.includes(one) ? now.filter((other) => other !== one) : [...now, one]))
  const open = (to: string) => {
    setTyped('')
    setPath(to)
  }
  const parts = path.split('/').filter(Boolean)
  const single = chosen.length ? (chosen.length === 1 ? chosen[0] : undefined) : path
  return (
    <Section
      title="Files"
      hint={chosen.length ? `${chosen.length} chosen` : undefined}
      pad={false}
      aside={
        <Group gap={8} wrap="nowrap">
          <ActButton
            size="xs"
            variant="default"
            reason={
              lacking(backupsApi.download) ??
              (single ? undefined : 'Choose one file or folder, or none for this folder.')
            }
            onClick={() => single && void download(backup.id, single)}
          >
            Download
          </ActButton>
          <ActButton
            size="xs"
            variant="default"
            reason={lacking(backupsApi.restore) ?? (chosen.length ? undefined : 'Choose files or folders first.')}
            onClick={() => restore(chosen.map((one) => one.slice(1)))}
          >
            Restore chosen…
          </ActButton>
        </Group>
      }
    >
      <div className={css.ways}>
        <nav className={css.crumbs} aria-label="Folder">
          {['', ...parts].map((name, n) => (
            <Fragment key={`/${parts.slice(0, n).join('/')}`}>
              {n > 0 && (
                <Text span c="dimmed" aria-hidden>
                  /
                </Text>
              )}
              <Button size="compact-xs" variant="subtle" onClick={() => open(`/${parts.slice(0, n).join('/')}`)}>
                {name || backup.domain}
              </Button>
            </Fragment>
          ))}
        </nav>
        <TextInput
          size="xs"
          className={css.search}
          aria-label="Search in this backup"
          placeholder="Search in this backup"
          leftSection={<IconSearch size={14} aria-hidden />}
          rightSection={typed && <CloseButton size="xs" aria-label="End the search" onClick={() => setTyped('')} />}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </div>
      <SectionTable<TreeEntry>
        label="Files"
        rows={data?.items ?? []}
        keyOf={({ path: one }) => one}
        empty={
          <Text c="dimmed">
            {error?.message ?? (isPending ? <Reading /> : text ? `No name has ${text}.` : 'This folder is empty.')}
          </Text>
        }
        columns={[
          {
            title: '',
            width: 40,
            cell: ({ path: one, name }) => (
              <Checkbox
                size="xs"
                aria-label={`Choose ${name}`}
                checked={chosen.includes(one)}
                onChange={() => toggle(one)}
              />
            ),
          },
          {
            title: 'Name',
            cell: (entry) => <EntryName entry={entry} whole={text !== ''} open={open} versions={setFile} />,
          },
          { title: 'Size', align: 'right', width: 100, cell: ({ type, size }) => (type === 'file' ? bytes(size) : '') },
          { title: 'Mode', width: 80, cell: ({ mode }) => <Mono>{mode.toString(8).padStart(4, '0')}</Mono> },
          { title: 'Changed', width: 150, cell: ({ modifiedAt }) => moment(modifiedAt) },
        ]}
      />
      {data?.more && (
        <Text c="dimmed" p={10}>
          Only the first {text ? '500 matches' : '5,000 entries'} are shown.
        </Text>
      )}
      {file && <Versions backup={backup} path={file} close={() => setFile(undefined)} />}
    </Section>
  )
}
