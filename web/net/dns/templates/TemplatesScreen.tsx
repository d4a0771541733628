import type { Template } from '@innkeeper/contract/net/dns/calls'
import { Text } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { succeeds } from '../../../kit/api/attempt.ts'
import { confirm } from '../../../kit/dialogs/dialogs.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { lazyPart } from '../../../kit/frame/lazyScreen.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { listCount } from '../../../kit/list/listCount.ts'
import { useList } from '../../../kit/list/useList.ts'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { ago, counted } from '../../../kit/look/format.ts'
import { MenuAction } from '../../../kit/look/MenuAction.tsx'
import { dnsApi } from '../api.ts'

const TemplateEdit = lazyPart(
  () => import('./TemplateEdit.tsx'),
  () => null,
)

/** Templates for the records of new zones. */
export default function TemplatesScreen() {
  const lacking = useReason()
  const list = useList(dnsApi.templates, { filters: ['search'] })
  const [edited, setEdited] = useState<{ template?: Template }>()
  const add = (
    <ActButton leftSection={<IconPlus size={15} />} reason={lacking(dnsApi.addTemplate)} onClick={() => setEdited({})}>
      Add template
    </ActButton>
  )
  return (
    <Screen scroll={false} count={listCount(list)} actions={add}>
      <ListTable
        name="dns-templates"
        noun={['template', 'templates']}
        list={list}
        columns={columns}
        card={({ name, records }) => (
          <>
            <Text fw={450}>{name}</Text>
            <Text c="dimmed" fz="xs">
              {counted(records.length, ['record', 'records'])}
            </Text>
          </>
        )}
        label={({ name }) => name}
        menu={(template) => (
          <>
            <MenuAction
              label="Edit…"
              icon={<IconPencil size={15} />}
              reason={lacking(dnsApi.updateTemplate)}
              onClick={() => setEdited({ template })}
            />
            <MenuAction
              label="Delete…"
              danger
              icon={<IconTrash size={15} />}
              reason={lacking(dnsApi.removeTemplate)}
              onClick={() => void remove(template)}
            />
          </>
        )}
        search={{ key: 'search', placeholder: 'Name' }}
        empty={{
          title: 'No template yet',
          text: 'A template is the records that new zones begin with. Write one here, or save the records of a zone as one.',
          action: add,
          tag: 'DNS',
        }}
      />
      {edited && <TemplateEdit {...edited} close={() => setEdited(undefined)} />}
    </Screen>
  )
}

async function remove({ id, name, version }: Template): Promise<void> {
  const question = {
    title: `Delete ${name}?`,
    text: 'Existing zones stay unchanged.',
    verb: 'Delete template',
    danger: true,
  }
  if (!(await confirm(question))) return
  if (await succeeds(() => dnsApi.removeTemplate({ id, version }), ['dns'])) toast.success(`${name} is deleted`)
}

const columns: readonly Column<Template>[] = [
  {
    key: 'name',
    title: 'Template',
    sort: 'name',
    csv: ({ name }) => name,
    cell: ({ name }) => (
      <Text fw={450} truncate>
        {name}
      </Text>
    ),
  },
  {
    key: 'records',
    title: 'Records',
    width: 320,
    csv: ({ records }) => records.length,
    cell: ({ records }) => (
      <Text c="dimmed" truncate>
        {counted(records.length, ['record', 'records'])}: {[...new Set(records.map(({ type }) => type))].join(', ')}
      </Text>
    ),
  },
  {
    key: 'updatedAt',
    title: 'Edited',
    width: 140,
    csv: ({ updatedAt }) => updatedAt,
    cell: ({ updatedAt }) => <Text c="dimmed">{ago(updatedAt)}</Text>,
  },
]
