import type { LeaveAccount } from '@innkeeper/contract/planning/leaves/calls'
import { Select, Text, Textarea } from '@mantine/core'
import { useRef } from 'react'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { FormModal } from '../../../kit/form/FormModal.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { useOpened } from '../../../kit/form/useOpened.ts'
import { daysWords } from '../words.ts'
import { adjustForm, entitleForm } from './allowanceForm.ts'
import { DaysInput } from './DaysInput.tsx'

interface Props {
  account: LeaveAccount
  close: () => void
}

const saved = (title: string, close: () => void) => () => {
  void readAgain(['leaves'])
  toast.success(title)
  close()
}

const entitlementOf = ({ balances }: LeaveAccount, id: number | undefined): number | '' =>
  balances.find(({ type }) => type.id === id)?.entitlement ?? ''

/** Sets a person's yearly entitlement for a leave type. */
export function EntitleModal({ account: shown, close }: Props) {
  const account = useOpened(shown)
  const kinds = account.balances.filter(({ type }) => type.deductsBalance)
  const [first] = kinds
  const kind = useRef(first?.type.id)
  const form = useCallForm(entitleForm, {
    initial: {
      typeId: first?.type.id,
      yearlyDays: entitlementOf(account, first?.type.id),
      version: account.version,
    },
    fixed: { id: account.id },
    // the days of the chosen kind, if somebody else changed them
    valuesOf: (stored: LeaveAccount) => {
      const now = entitlementOf(stored, kind.current)
      return { yearlyDays: now === entitlementOf(account, kind.current) ? entitlementOf(account, first?.type.id) : now }
    },
    labels: { typeId: 'Kind', yearlyDays: 'Days a year' },
    onDone: saved(`The entitlement of ${account.name} is saved`, close),
  })
  const chosen = kinds.find(({ type }) => type.id === form.values.typeId)
  const choose = (id: number) => {
    kind.current = id
    form.set('typeId', id)
    form.set('yearlyDays', entitlementOf(account, id))
  }
  return (
    <FormModal
      opened
      close={close}
      title={`Entitlement of ${account.name}`}
      save="Save entitlement"
      form={form}
      nothing="Nothing was saved."
    >
      <Kind kinds={kinds} value={form.values.typeId} onChange={choose} error={form.field('typeId').error} />
      <DaysInput
        label="Days a year"
        description={chosen && `Empty: as everybody, ${daysWords(chosen.type.yearlyDays)}`}
        {...form.field('yearlyDays')}
        required={false}
      />
      <Text c="dimmed" fz="xs">
        Years that are already granted change by the difference, from this year on.
      </Text>
    </FormModal>
  )
}

/** Adjusts a balance in one year by a number of days, with a reason. */
export function AdjustModal({ account, close }: Props) {
  const kinds = account.balances.filter(({ type }) => type.deductsBalance)
  const form = useCallForm(adjustForm, {
    initial: {
      typeId: kinds[0]?.type.id,
      year: account.year,
      days: '' as number | '',
      note: '',
      version: account.version,
    },
    fixed: { id: account.id },
    labels: { typeId: 'Kind', days: 'Days', note: 'Why' },
    // the days are added, whatever the balance is by then
    valuesOf: () => ({ year: account.year }),
    onDone: saved(`The balance of ${account.name} is corrected`, close),
  })
  const chosen = kinds.find(({ type }) => type.id === form.values.typeId)
  return (
    <FormModal
      opened
      close={close}
      title={`Correct a balance of ${account.year}`}
      save="Correct balance"
      form={form}
      nothing="Nothing was corrected."
    >
      <Kind
        kinds={kinds}
        value={form.values.typeId}
        onChange={(id) => form.set('typeId', id)}
        error={form.field('typeId').error}
      />
      <DaysInput
        label="Days"
        description={chosen && `${daysWords(chosen.balance)} left; a negative number takes days away`}
        min={-400}
        {...form.field('days')}
      />
      <Textarea label="Reason" description="Shown beside the entry" autosize minRows={2} {...form.text('note')} />
    </FormModal>
  )
}

interface KindProps {
  kinds: LeaveAccount['balances']
  value: number | undefined
  onChange: (id: number) => void
  error?: string
}

const Kind = ({ kinds, value, onChange, error }: KindProps) => (
  <Select
    label="Kind"
    allowDeselect={false}
    data={kinds.map(({ type }) => ({ value: String(type.id), label: type.name }))}
    value={value === undefined ? null : String(value)}
    onChange={(id) => id !== null && onChange(Number(id))}
    error={error}
  />
)
