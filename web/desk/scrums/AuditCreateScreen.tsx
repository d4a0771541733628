import { SimpleGrid, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { usersApi } from '../../access/users/api.ts'
import { useReason } from '../../kit/access/reasons.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { DateField } from '../../kit/form/DateField.tsx'
import { FormScreen } from '../../kit/form/FormScreen.tsx'
import { PickOne } from '../../kit/form/PickOne.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { scrumsApi } from './api.ts'

export default function AuditCreateScreen() {
  const navigate = useNavigate()
  const lacking = useReason()
  const form = useCallForm(scrumsApi.createAudit, {
    initial: { name: '', userId: null as number | null, periodStart: '', periodEnd: '' },
    labels: { name: 'Name', userId: 'Person', periodStart: 'From', periodEnd: 'To' },
    onDone: ({ id, name }) => {
      void readAgain(['scrums'])
      toast.success(`${name} is a draft`, 'Score its components here.')
      void navigate({ to: '/scrums/edit/audits/$auditId', params: { auditId: String(id) } })
    },
  })
  return (
    <FormScreen
      form={form}
      nothing="Nothing was created."
      left="Every active component is scored next. Nobody else sees a draft."
      save="Create audit"
      onCancel={() => void navigate({ to: '/scrums/audits/all' })}
    >
      <TextInput label="Name" placeholder="Such as Sprint 48" autoFocus autoComplete="off" {...form.text('name')} />
      <PickOne
        {...form.field('userId')}
        label="Person"
        placeholder="Name, user name or e-mail"
        call={usersApi.list}
        nameOf={({ name }) => name}
        hint={({ departmentName }) => departmentName ?? 'No department'}
        reason={lacking(usersApi.list)}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <DateField
          label="From"
          description="Empty: the usual length before the end"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...form.field('periodStart')}
        />
        <DateField
          label="To"
          description="Empty: today"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...form.field('periodEnd')}
        />
      </SimpleGrid>
    </FormScreen>
  )
}
