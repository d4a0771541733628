import type { Plan } from '@innkeeper/contract/hosting/plans'
import { Menu } from '@mantine/core'
import { IconHistory, IconPencil, IconPlus, IconTrash, IconUsers } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { succeeds } from '../../kit/api/attempt.ts'
import { confirmByName } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { Screen } from '../../kit/frame/Screen.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { listCount } from '../../kit/list/listCount.ts'
import { useList } from '../../kit/list/useList.ts'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { counted } from '../../kit/look/format.ts'
import { MenuAction } from '../../kit/look/MenuAction.tsx'
import { plansApi } from './api.ts'
import { columns, PlanCard } from './columns.tsx'
import { AddPlan, EditPlan } from './PlanModal.tsx'
import { PlanVersionsModal } from './PlanVersionsModal.tsx'

type Open = { what: 'add' } | { what: 'edit' | 'versions'; plan: Plan }

export default function PlansScreen() {
  const list = useList(plansApi.list, { filters: ['search'] })
  const [open, setOpen] = useState<Open>()
  const reason = useReason()(plansApi.create)
  const close = () => setOpen(undefined)
  const add = (
    <ActButton reason={reason} leftSection={<IconPlus size={15} />} onClick={() => setOpen({ what: 'add' })}>
      Add plan
    </ActButton>
  )
  return (
    <Screen scroll={false} count={listCount(list)} actions={add}>
      <ListTable
        name="plans"
        noun={['plan', 'plans']}
        list={list}
        columns={columns}
        card={(plan) => <PlanCard plan={plan} />}
        label={({ name }) => name}
        menu={(plan) => <PlanActs plan={plan} open={(what) => setOpen({ what, plan })} />}
        search={{ key: 'search', placeholder: 'Name' }}
        empty={{
          title: 'No plan yet',
          text: 'A plan is what an owner’s account on a server may use: disk, memory, CPU, and the number of websites, databases and mailboxes.',
          action: add,
          tag: 'PL',
        }}
      />
      {open?.what === 'add' && <AddPlan close={close} />}
      {open?.what === 'edit' && <EditPlan plan={open.plan} close={close} />}
      {open?.what === 'versions' && <PlanVersionsModal plan={open.plan} close={close} />}
    </Screen>
  )
}

function PlanActs({ plan, open }: { plan: Plan; open: (what: 'edit' | 'versions') => void }) {
  const lacking = useReason()
  const navigate = useNavigate()
  const inUse = plan.systemUsers
    ? `${counted(plan.systemUsers, ['system user is', 'system users are'])} on it. Give them another plan first.`
    : undefined
  return (
    <>
      <MenuAction
        label="Change…"
        icon={<IconPencil size={15} />}
        reason={lacking(plansApi.update)}
        onClick={() => open('edit')}
      />
      <MenuAction label="Versions" icon={<IconHistory size={15} />} onClick={() => open('versions')} />
      <MenuAction
        label="Its system users"
        icon={<IconUsers size={15} />}
        reason={lacking('system-user:user:read')}
        onClick={() => void navigate({ to: '/system-users/list', search: { plan: String(plan.id) } })}
      />
      <Menu.Divider />
      <MenuAction
        label="Delete…"
        danger
        icon={<IconTrash size={15} />}
        reason={lacking(plansApi.remove) ?? inUse}
        onClick={() => void remove(plan)}
      />
    </>
  )
}

async function remove({ id, name, version }: Plan): Promise<void> {
  const sure = await confirmByName({
    title: `Delete ${name}?`,
    name,
    verb: 'Delete plan',
    goes: [`The plan ${name}, for new websites too`],
    stays: 'Its versions and its history stay in the log.',
  })
  if (!sure) return
  const done = await succeeds(() => plansApi.remove({ id, version }), ['plans'])
  if (done) toast.success(`${name} is deleted`)
}
