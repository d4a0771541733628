import type { Plan } from '@innkeeper/contract/hosting/plans'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { counted } from '../../kit/look/format.ts'
import { plansApi } from './api.ts'
import { labels, wantedOf } from './form.ts'
import { PlanFields } from './PlanFields.tsx'
import { WhoExceeds } from './WhoExceeds.tsx'

/** Domains invalidated by a change of a plan. */
const stale = ['plans', 'systemUsers', 'workflows']

export function AddPlan({ close }: { close: () => void }) {
  const form = useCallForm(plansApi.create, {
    initial: wantedOf(),
    labels,
    onDone: ({ name }) => {
      void readAgain(stale)
      toast.success(`${name} is added`)
      close()
    },
  })
  return (
    <FormModal opened close={close} title="Add plan" save="Add plan" form={form} nothing="Nothing was added.">
      <PlanFields text={form.text} php={form.field('phpVersions')} />
    </FormModal>
  )
}

/** Edits a plan; shows before saving which accounts exceed the new limits. */
export function EditPlan({ plan, close }: { plan: Plan; close: () => void }) {
  const form = useCallForm(plansApi.update, {
    // with '', the server refuses limits that accounts exceed
    initial: { ...wantedOf(plan), exceeding: '' as '' | 'keep', version: plan.version },
    fixed: { id: plan.id },
    labels,
    valuesOf: (stored: Plan) => wantedOf(stored),
    onDone: ({ name, workflowIds }) => {
      void readAgain(stale)
      const reach = counted(workflowIds.length, ['server gets', 'servers get'])
      toast.success(`${name} is saved`, workflowIds.length ? `${reach} the new limits of its accounts.` : undefined)
      close()
    },
  })
  return (
    <FormModal
      opened
      close={close}
      title={`Change ${plan.name}`}
      save="Save plan"
      form={form}
      nothing="Nothing was saved."
    >
      <PlanFields text={form.text} php={form.field('phpVersions')} />
      <WhoExceeds
        plan={plan}
        wanted={form.values}
        keep={form.values.exceeding === 'keep'}
        onKeep={(keep) => form.set('exceeding', keep ? 'keep' : '')}
      />
    </FormModal>
  )
}
