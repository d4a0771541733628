import type { ScrumComponent } from '@innkeeper/contract/desk/scrums/shapes'
import { Group, Menu, Text } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
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
import { count, counted } from '../../kit/look/format.ts'
import { MenuAction } from '../../kit/look/MenuAction.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { scrumsApi } from './api.ts'

const state = ({ status }: ScrumComponent) => (
  <StatusBadge
    state={status === 'active' ? 'active' : 'suspended'}
    label={status === 'active' ? 'Active' : 'Inactive'}
  />
)

const columns: readonly Column<ScrumComponent>[] = [
  {
    key: 'name',
    title: 'Component',
    sort: 'name',
    csv: ({ name }) => name,
    cell: ({ id, name, description }) => (
      <NameCell below={description || 'no description'}>
        <NameLink to="/scrums/edit/$componentId" params={{ componentId: String(id) }}>
          {name}
        </NameLink>
      </NameCell>
    ),
  },
  {
    key: 'weight',
    title: 'Weight',
    sort: 'weight',
    width: 100,
    align: 'right',
    csv: ({ weight }) => weight,
    cell: ({ weight }) => <span className="num">{weight}</span>,
  },
  { key: 'status', title: 'Status', width: 130, csv: ({ status }) => status, cell: state },
  {
    key: 'audits',
    title: 'Audits',
    width: 100,
    align: 'right',
    csv: ({ audits }) => audits,
    cell: ({ audits }) => <span className="num">{count(audits)}</span>,
  },
]

export default function ComponentsScreen() {
  const list = useList(scrumsApi.components, { filters: ['search', 'status'] })
  const create = (
    <CreateButton call={scrumsApi.createComponent} to="/scrums/create/component">
      Create component
    </CreateButton>
  )
  return (
    <Screen scroll={false} count={listCount(list)} actions={create}>
      <ListTable
        name="scrum-components"
        noun={['component', 'components']}
        list={list}
        columns={columns}
        card={(component) => (
          <Group justify="space-between" wrap="nowrap">
            <Text truncate>{component.name}</Text>
            <Text c="dimmed" fz="xs">
              weight {component.weight}
            </Text>
          </Group>
        )}
        label={({ name }) => name}
        open={({ id }) => `/scrums/edit/${id}`}
        menu={(component) => <ComponentActs component={component} />}
        search={{ key: 'search', placeholder: 'Name' }}
        filters={[
          {
            key: 'status',
            label: 'Status',
            options: [
              { value: 'active', label: 'Active' },
              { value: 'inactive', label: 'Inactive' },
            ],
          },
        ]}
        empty={{
          title: 'No component yet',
          text: 'Audits score components by their weight: delivery, code review, tests.',
          action: create,
          tag: 'CO',
        }}
      />
    </Screen>
  )
}

function ComponentActs({ component: { id, name, version, audits } }: { component: ScrumComponent }) {
  const lacking = useReason()
  const navigate = useNavigate()
  const remove = async () => {
    const sure = await confirmByName({
      title: `Delete ${name}?`,
      name,
      verb: 'Delete component',
      goes: [`The component ${name}, for new audits`],
      stays: audits ? `${counted(audits, ['audit keeps', 'audits keep'])} its scores.` : 'No audit scores it.',
    })
    if (!sure) return
    const gone = await succeeds(() => scrumsApi.removeComponent({ id, version }), ['scrums'])
    if (gone) toast.success(`${name} is deleted`)
  }
  return (
    <>
      <MenuAction
        label="Edit"
        icon={<IconPencil size={15} />}
        reason={lacking(scrumsApi.updateComponent)}
        onClick={() => void navigate({ to: '/scrums/edit/$componentId', params: { componentId: String(id) } })}
      />
      <Menu.Divider />
      <MenuAction
        label="Delete…"
        danger
        icon={<IconTrash size={15} />}
        reason={lacking(scrumsApi.removeComponent)}
        onClick={() => void remove()}
      />
    </>
  )
}
