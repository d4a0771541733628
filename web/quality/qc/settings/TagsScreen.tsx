import type { Tag } from '@innkeeper/contract/quality/qc/settings'
import { Group, Menu, Text } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useReason } from '../../../kit/access/reasons.ts'
import { succeeds } from '../../../kit/api/attempt.ts'
import { confirmByName } from '../../../kit/dialogs/dialogs.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { CreateButton } from '../../../kit/list/CreateButton.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { listCount } from '../../../kit/list/listCount.ts'
import { RowName } from '../../../kit/list/NameCell.tsx'
import { useList } from '../../../kit/list/useList.ts'
import { count, counted } from '../../../kit/look/format.ts'
import { MenuAction } from '../../../kit/look/MenuAction.tsx'
import { qcSettingsApi } from '../api.ts'
import { rowPath, usePaths } from '../paths.ts'
import { TagChip } from '../TagChip.tsx'
import { usedForNames } from '../words.ts'

const columns: readonly Column<Tag>[] = [
  {
    key: 'name',
    title: 'Tag',
    sort: 'name',
    width: 220,
    csv: ({ name }) => name,
    cell: ({ name, colour }) => (
      <RowName>
        <TagChip name={name} colour={colour} />
      </RowName>
    ),
  },
  {
    key: 'description',
    title: 'Description',
    csv: ({ description }) => description,
    cell: ({ description }) => description,
  },
  {
    key: 'usedFor',
    title: 'For',
    width: 150,
    csv: ({ usedFor }) => usedFor,
    cell: ({ usedFor }) => <Text c="dimmed">{usedForNames[usedFor]}</Text>,
  },
  {
    key: 'uses',
    title: 'Used',
    width: 90,
    align: 'right',
    csv: ({ uses }) => uses,
    cell: ({ uses }) => <span className="num">{count(uses)}</span>,
  },
]

export default function TagsScreen() {
  const paths = usePaths()
  const list = useList(qcSettingsApi.tags, { filters: ['search', 'usedFor'] })
  const create = (
    <CreateButton call={qcSettingsApi.createTag} to={paths.createTag}>
      Create tag
    </CreateButton>
  )
  return (
    <Screen scroll={false} count={listCount(list)} actions={create}>
      <ListTable
        name="qc-tags"
        noun={['tag', 'tags']}
        list={list}
        columns={columns}
        card={(tag) => (
          <Group justify="space-between" wrap="nowrap">
            <TagChip name={tag.name} colour={tag.colour} />
            <Text c="dimmed" fz="xs">
              {usedForNames[tag.usedFor]}, used {counted(tag.uses, ['time', 'times'])}
            </Text>
          </Group>
        )}
        label={({ name }) => name}
        open={({ id }) => rowPath(paths.tag, id)}
        menu={(tag) => <TagActs tag={tag} />}
        search={{ key: 'search', placeholder: 'Name' }}
        filters={[
          {
            key: 'usedFor',
            label: 'For',
            single: true,
            options: Object.entries(usedForNames).map(([value, label]) => ({ value, label })),
          },
        ]}
        empty={{
          title: 'No tag yet',
          text: 'Tags mark chats, tickets and reviews: Refund, Outage, Praise.',
          action: create,
          tag: 'TG',
        }}
      />
    </Screen>
  )
}

function TagActs({ tag: { id, name, version, uses } }: { tag: Tag }) {
  const lacking = useReason()
  const navigate = useNavigate()
  const paths = usePaths()
  const remove = async () => {
    const sure = await confirmByName({
      title: `Delete ${name}?`,
      name,
      verb: 'Delete tag',
      goes: [`The tag ${name}, for new conversations and reviews`],
      stays: uses ? `The tag stays on ${counted(uses, ['conversation', 'conversations'])}.` : 'Nothing has the tag.',
    })
    if (!sure) return
    const gone = await succeeds(() => qcSettingsApi.removeTag({ id, version }), ['qc'])
    if (gone) toast.success(`${name} is deleted`)
  }
  return (
    <>
      <MenuAction
        label="Change"
        icon={<IconPencil size={15} />}
        reason={lacking(qcSettingsApi.updateTag)}
        onClick={() => void navigate({ to: rowPath(paths.tag, id) })}
      />
      <Menu.Divider />
      <MenuAction
        label="Delete…"
        danger
        icon={<IconTrash size={15} />}
        reason={lacking(qcSettingsApi.removeTag)}
        onClick={() => void remove()}
      />
    </>
  )
}
