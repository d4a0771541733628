import type { DevAudit } from '@innkeeper/contract/desk/scrums/shapes'
import { Menu } from '@mantine/core'
import { IconChartLine, IconPencil, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useReason } from '../../kit/access/reasons.ts'
import { succeeds } from '../../kit/api/attempt.ts'
import { confirmByName } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { Screen } from '../../kit/frame/Screen.tsx'
import { CreateButton } from '../../kit/list/CreateButton.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { listCount } from '../../kit/list/listCount.ts'
import { useList } from '../../kit/list/useList.ts'
import { MenuAction } from '../../kit/look/MenuAction.tsx'
import { scrumsApi } from './api.ts'
import { AuditCard, columns } from './columns.tsx'
import { statusWords } from './words.ts'

export default function AuditsScreen() {
  const list = useList(scrumsApi.audits, { filters: ['search', 'status', 'userId', 'from', 'to'] })
  const create = (
    <CreateButton call={scrumsApi.createAudit} to="/scrums/create">
      Create audit
    </CreateButton>
  )
  return (
    <Screen scroll={false} count={listCount(list)} actions={create}>
      <ListTable
        name="scrum-audits"
        noun={['audit', 'audits']}
        list={list}
        columns={columns}
        card={(audit) => <AuditCard audit={audit} />}
        label={({ name, user }) => `${name} of ${user.name}`}
        open={({ id }) => `/scrums/edit/audits/${id}`}
        menu={(audit) => <AuditActs audit={audit} />}
        search={{ key: 'search', placeholder: 'Name of an audit' }}
        filters={[
          {
            key: 'status',
            label: 'Status',
            options: Object.entries(statusWords).map(([value, label]) => ({ value, label })),
          },
        ]}
        empty={{
          title: 'No audit yet',
          text: 'An audit scores how a developer worked over a period, component by component.',
          action: create,
          tag: 'AU',
        }}
      />
    </Screen>
  )
}

function AuditActs({ audit: { id, name, version, user, mayEdit, status, actions } }: { audit: DevAudit }) {
  const lacking = useReason()
  const navigate = useNavigate()
  const closed =
    status === 'acknowledged' ? 'The audit is acknowledged' : mayEdit ? undefined : 'Only its auditor changes an audit'
  const remove = async () => {
    const sure = await confirmByName({
      title: `Delete ${name}?`,
      name,
      verb: 'Delete audit',
      goes: [`The scores and comments of ${user.name}`],
      stays: actions.length ? 'The tickets of its actions stay.' : 'The audit has no actions.',
    })
    if (!sure) return
    const gone = await succeeds(() => scrumsApi.removeAudit({ id, version }), ['scrums'])
    if (gone) toast.success(`${name} is deleted`)
  }
  return (
    <>
      <MenuAction
        label="Open"
        icon={<IconPencil size={15} />}
        reason={lacking(scrumsApi.updateAudit)}
        onClick={() => void navigate({ to: '/scrums/edit/audits/$auditId', params: { auditId: String(id) } })}
      />
      <MenuAction
        label={`Trend of ${user.name}`}
        icon={<IconChartLine size={15} />}
        reason={lacking(scrumsApi.trend)}
        onClick={() => void navigate({ to: '/scrums/dev-audit/$userId', params: { userId: String(user.id) } })}
      />
      <Menu.Divider />
      <MenuAction
        label="Delete…"
        danger
        icon={<IconTrash size={15} />}
        reason={lacking(scrumsApi.removeAudit) ?? closed}
        onClick={() => void remove()}
      />
    </>
  )
}
