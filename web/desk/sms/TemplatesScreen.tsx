import type { SmsTemplate } from '@innkeeper/contract/desk/sms/calls'
import { Menu, Text } from '@mantine/core'
import { IconPencil, IconSend, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useReason } from '../../kit/access/reasons.ts'
import { succeeds } from '../../kit/api/attempt.ts'
import { confirmByName } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { Screen } from '../../kit/frame/Screen.tsx'
import { CreateButton } from '../../kit/list/CreateButton.tsx'
import type { Column } from '../../kit/list/columns.ts'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { listCount } from '../../kit/list/listCount.ts'
import { NameCell, NameLink } from '../../kit/list/NameCell.tsx'
import { useList } from '../../kit/list/useList.ts'
import { counted } from '../../kit/look/format.ts'
import { MenuAction } from '../../kit/look/MenuAction.tsx'
import { smsApi } from './api.ts'

const columns: readonly Column<SmsTemplate>[] = [
  {
    key: 'name',
    title: 'Template',
    sort: 'name',
    width: 230,
    csv: ({ name }) => name,
    cell: ({ name, description }) => (
      <NameCell below={description || 'no description'}>
        <NameLink to="/sms/templates/edit/$name" params={{ name }}>
          {name}
        </NameLink>
      </NameCell>
    ),
  },
  { key: 'body', title: 'Text', csv: ({ body }) => body, cell: ({ body }) => <Text truncate>{body}</Text> },
  {
    key: 'placeholders',
    title: 'Placeholders',
    width: 170,
    csv: ({ placeholders }) => placeholders.join(' '),
    cell: ({ placeholders }) => (
      <Text c="dimmed" truncate>
        {placeholders.join(', ') || '–'}
      </Text>
    ),
  },
  {
    key: 'segments',
    title: 'Length',
    width: 150,
    csv: ({ segments }) => segments,
    cell: ({ segments, encoding }) => (
      <Text c="dimmed" className="num">
        {counted(segments, ['segment', 'segments'])}, {encoding}
      </Text>
    ),
  },
]

export default function TemplatesScreen() {
  const list = useList(smsApi.templates, { filters: ['search'] })
  const create = (
    <CreateButton call={smsApi.createTemplate} to="/sms/templates/create">
      Create template
    </CreateButton>
  )
  return (
    <Screen scroll={false} count={listCount(list)} actions={create}>
      <ListTable
        name="sms-templates"
        noun={['template', 'templates']}
        list={list}
        columns={columns}
        card={({ name, body }) => (
          <div style={{ minWidth: 0 }}>
            <Text fw={450} truncate>
              {name}
            </Text>
            <Text c="dimmed" fz="xs" truncate>
              {body}
            </Text>
          </div>
        )}
        label={({ name }) => name}
        open={({ name }) => `/sms/templates/edit/${name}`}
        menu={(template) => <TemplateActs template={template} />}
        search={{ key: 'search', placeholder: 'Name or text' }}
        empty={{
          title: 'No template yet',
          text: 'A template is a text with placeholders: it announces an outage in seconds.',
          action: create,
          tag: 'SM',
        }}
      />
    </Screen>
  )
}

function TemplateActs({ template: { name, version } }: { template: SmsTemplate }) {
  const lacking = useReason()
  const navigate = useNavigate()
  const remove = async () => {
    const sure = await confirmByName({
      title: `Delete ${name}?`,
      name,
      verb: 'Delete template',
      goes: [`The template ${name}`],
      stays: 'Messages that were made from it keep their text, scheduled ones too.',
    })
    if (!sure) return
    const gone = await succeeds(() => smsApi.removeTemplate({ name, version }), ['sms'])
    if (gone) toast.success(`${name} is deleted`)
  }
  return (
    <>
      <MenuAction
        label="Send…"
        icon={<IconSend size={15} />}
        reason={lacking(smsApi.send)}
        onClick={() => void navigate({ to: '/sms/messages/create', search: { template: name } })}
      />
      <MenuAction
        label="Edit"
        icon={<IconPencil size={15} />}
        reason={lacking(smsApi.updateTemplate)}
        onClick={() => void navigate({ to: '/sms/templates/edit/$name', params: { name } })}
      />
      <Menu.Divider />
      <MenuAction
        label="Delete…"
        danger
        icon={<IconTrash size={15} />}
        reason={lacking(smsApi.removeTemplate)}
        onClick={() => void remove()}
      />
    </>
  )
}
