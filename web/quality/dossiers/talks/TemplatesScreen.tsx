import type { TalkTemplate } from '@innkeeper/contract/quality/dossiers/talkTemplates'
import { talkKinds } from '@innkeeper/contract/quality/dossiers/values'
import { Group, Menu, Text } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { confirm } from '../../../kit/dialogs/dialogs.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { Screen } from '../../../kit/frame/Screen.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { listCount } from '../../../kit/list/listCount.ts'
import { NameCell } from '../../../kit/list/NameCell.tsx'
import { useList } from '../../../kit/list/useList.ts'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { ago, counted } from '../../../kit/look/format.ts'
import { MenuAction } from '../../../kit/look/MenuAction.tsx'
import { useAct } from '../../../kit/look/useAct.ts'
import { talkTemplatesApi as api } from '../api.ts'
import { talkKindNames } from '../words.ts'
import { ChangeModal, CreateModal } from './TemplateModals.tsx'

const asked = ({ questions }: TalkTemplate) => counted(questions.length, ['question', 'questions'])
const columns: readonly Column<TalkTemplate>[] = [
  {
    ...{ key: 'name', title: 'Template', sort: 'name', csv: ({ name }) => name },
    cell: (template) => <NameCell below={asked(template)}>{template.name}</NameCell>,
  },
  {
    ...{ key: 'kind', title: 'Kind', width: 140, csv: ({ kind }) => talkKindNames[kind] },
    cell: ({ kind }) => <Text c="dimmed">{talkKindNames[kind]}</Text>,
  },
  {
    ...{ key: 'isActive', title: 'Offered', width: 100, csv: ({ isActive }) => (isActive ? 'yes' : 'no') },
    cell: ({ isActive }) => <Text c="dimmed">{isActive ? 'Yes' : 'No'}</Text>,
  },
  {
    ...{ key: 'createdAt', title: 'Created', sort: 'createdAt', width: 120, csv: ({ createdAt }) => createdAt },
    cell: ({ createdAt }) => <Text c="dimmed">{ago(createdAt)}</Text>,
  },
]

/** Templates of questions for talks, edited in dialogs. */
export default function TemplatesScreen() {
  const lacking = useReason()
  const list = useList(api.talkTemplates, { filters: ['search', 'kind', 'isActive'] })
  const [edited, edit] = useState<TalkTemplate | 'new'>()
  const { run } = useAct()
  const remove = async ({ id, version, name }: TalkTemplate) => {
    const text = 'Talks that are planned already keep their questions.'
    if ((await confirm({ title: `Delete ${name}?`, text, verb: 'Delete template', danger: true })) === undefined) return
    await api.removeTalkTemplate({ id, version })
    toast.success(`${name} is deleted`)
    await readAgain(['dossiers'])
  }
  const add = (
    <ActButton
      reason={lacking(api.createTalkTemplate)}
      leftSection={<IconPlus size={15} />}
      onClick={() => edit('new')}
    >
      Create template
    </ActButton>
  )
  return (
    <Screen scroll={false} count={listCount(list)} actions={add}>
      <ListTable
        name="dossier-talk-templates"
        noun={['template', 'templates']}
        list={list}
        columns={columns}
        card={(template) => (
          <Group justify="space-between" wrap="nowrap">
            <Text truncate>{template.name}</Text>
            <Text c="dimmed" fz="xs">
              {asked(template)}
            </Text>
          </Group>
        )}
        label={({ name }) => name}
        menu={(template) => (
          <>
            <MenuAction
              label="Change…"
              icon={<IconPencil size={15} />}
              reason={lacking(api.updateTalkTemplate)}
              onClick={() => edit(template)}
            />
            <Menu.Divider />
            <MenuAction
              label="Delete…"
              danger
              icon={<IconTrash size={15} />}
              reason={lacking(api.removeTalkTemplate)}
              onClick={() => void run(() => remove(template))}
            />
          </>
        )}
        search={{ key: 'search', placeholder: 'Name' }}
        filters={[
          {
            ...{ key: 'kind', label: 'Kind', single: true },
            options: talkKinds.map((kind) => ({ value: kind, label: talkKindNames[kind] })),
          },
          {
            ...{ key: 'isActive', label: 'Offered', single: true },
            options: [
              { value: 'true', label: 'Yes' },
              { value: 'false', label: 'No' },
            ],
          },
        ]}
        empty={{
          title: 'No template yet',
          text: 'A template holds the questions that a talk begins with.',
          action: add,
          tag: 'TA',
        }}
      />
      {edited === 'new' && <CreateModal close={() => edit(undefined)} />}
      {edited && edited !== 'new' && <ChangeModal template={edited} close={() => edit(undefined)} />}
    </Screen>
  )
}
