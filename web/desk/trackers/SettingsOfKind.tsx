import type { Setting } from '@innkeeper/contract/desk/trackers/shapes'
import type { SettingKind, Tracker } from '@innkeeper/contract/desk/trackers/values'
import { Badge, Button, Group, Select, Stack, Table, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { attempt } from '../../kit/api/attempt.ts'
import { Dialog } from '../../kit/dialogs/Dialog.tsx'
import { confirm } from '../../kit/dialogs/dialogs.ts'
import { Section } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { counted } from '../../kit/look/format.ts'
import { hintOf, type SettingsApi } from './api.ts'
import { groupNames, SettingModal } from './SettingModal.tsx'
import { words } from './trackerInfo.ts'

interface Props {
  tracker: Tracker
  kind: SettingKind
  title: string
  api: SettingsApi
}

/** One kind of setting as a table. */
export function SettingsOfKind({ tracker, kind, title, api }: Props) {
  const lacking = useReason()
  const hidden = lacking(api.list)
  const query = useQuery({ ...api.list.query({ take: 200 }), enabled: !hidden })
  const [open, setOpen] = useState<Setting | 'new'>()
  const [gone, setGone] = useState<Setting>()
  const rows = query.data?.items ?? []
  const { one, many } = words[tracker]
  const remove = async (row: Setting) => {
    if (row.uses) return setGone(row)
    const sure = await confirm({
      title: `Delete ${row.name}?`,
      text: `No ${one} has it.`,
      verb: 'Delete',
      danger: true,
    })
    if (sure) await attempt(() => api.remove({ id: row.id, version: row.version }), [hintOf[tracker]])
  }
  return (
    <Section
      title={title}
      pad={false}
      aside={
        <ActButton
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} />}
          reason={lacking(api.create)}
          onClick={() => setOpen('new')}
        >
          Add
        </ActButton>
      }
    >
      {(hidden || query.error) && (
        <Text c="dimmed" p={14}>
          {hidden ?? query.error?.message}
        </Text>
      )}
      <Table aria-label={title}>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.id}>
              <Table.Td>
                <Group gap={8}>
                  {row.name}
                  {row.isDefault && (
                    <Badge size="sm" color="secondary">
                      Default
                    </Badge>
                  )}
                </Group>
              </Table.Td>
              <Table.Td c="dimmed" visibleFrom="sm">
                {row.group ? groupNames[row.group] : row.description}
              </Table.Td>
              <Table.Td c="dimmed" ta="right" className="num" style={{ whiteSpace: 'nowrap' }}>
                {row.uses >= 1000 ? '1,000+' : counted(row.uses, [one, many])}
              </Table.Td>
              <Table.Td w={{ base: 120, sm: 150 }} px={{ base: 0, sm: 10 }}>
                <Group gap={6} justify="flex-end" wrap="nowrap">
                  <ActButton
                    size="xs"
                    variant="subtle"
                    reason={lacking(api.update)}
                    aria-label={`Change ${row.name}`}
                    onClick={() => setOpen(row)}
                  >
                    Change
                  </ActButton>
                  <ActButton
                    size="xs"
                    variant="subtle"
                    color="error"
                    reason={lacking(api.remove)}
                    aria-label={`Delete ${row.name}`}
                    onClick={() => void remove(row)}
                  >
                    Delete
                  </ActButton>
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {open && (
        <SettingModal
          key={open === 'new' ? 'new' : open.id}
          tracker={tracker}
          kind={kind}
          api={api}
          row={open === 'new' ? undefined : open}
          next={rows.length}
          close={() => setOpen(undefined)}
        />
      )}
      {gone && <Replace tracker={tracker} api={api} row={gone} rows={rows} close={() => setGone(undefined)} />}
    </Section>
  )
}

interface ReplaceProps {
  tracker: Tracker
  api: SettingsApi
  row: Setting
  rows: readonly Setting[]
  close: () => void
}

/** Asks what the items of a deleted setting get instead. */
function Replace({ tracker, api, row, rows, close }: ReplaceProps) {
  const [chosen, setChosen] = useState<string | null>(null)
  const { one, many } = words[tracker]
  const remove = async () => {
    const input = { id: row.id, version: row.version, replacementId: Number(chosen) }
    await attempt(() => api.remove(input), [hintOf[tracker]])
    close()
  }
  const others = rows.filter(({ id }) => id !== row.id).map(({ id, name }) => ({ value: String(id), label: name }))
  return (
    <Dialog opened onClose={close} title={`Delete ${row.name}?`}>
      <Stack gap={16}>
        <Text>
          {row.uses >= 1000 ? `1,000 or more ${many} have it` : `${counted(row.uses, [one, many])} with it`}: what do
          they get instead?
        </Text>
        <Select label="Replacement" data={others} value={chosen} onChange={setChosen} searchable data-autofocus />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <ActButton
            color="error"
            reason={chosen ? undefined : 'Choose what replaces it first.'}
            onClick={() => void remove()}
          >
            Delete and replace
          </ActButton>
        </Group>
      </Stack>
    </Dialog>
  )
}
