import { USUAL_UNUSED_DAYS } from '@innkeeper/contract/access/accessReviews'
import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useReason } from '../../kit/access/reasons.ts'
import { useSession } from '../../kit/access/session.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { DateField } from '../../kit/form/DateField.tsx'
import { FormScreen } from '../../kit/form/FormScreen.tsx'
import { MultiSelectField } from '../../kit/form/MultiSelectField.tsx'
import { NumberField } from '../../kit/form/NumberField.tsx'
import { PickOne } from '../../kit/form/PickOne.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { counted } from '../../kit/look/format.ts'
import { rolesApi } from '../roles/api.ts'
import { usersApi } from '../users/api.ts'
import { accessReviewsApi } from './api.ts'

export default function AccessReviewCreateScreen() {
  const navigate = useNavigate()
  const lacking = useReason()
  const me = useSession()
  const noRoles = lacking(rolesApi.list)
  const noPeople = lacking(usersApi.list)
  const roles = useQuery({ ...rolesApi.list.query({ itemsPerPage: 200 }), enabled: !noRoles })
  const form = useCallForm(accessReviewsApi.create, {
    initial: {
      name: '',
      roleIds: [] as number[],
      reviewerId: null as number | null,
      unusedDays: USUAL_UNUSED_DAYS as number | string,
      dueOn: '',
    },
    labels: { name: 'Name', roleIds: 'Roles', reviewerId: 'Reviewer', unusedDays: 'Unused for days', dueOn: 'Due' },
    onDone: ({ id, items }) => {
      void readAgain(['accessReviews'])
      toast.success('The review began', `${counted(items, ['row', 'rows'])} wait for a decision.`)
      void navigate({ to: '/access-reviews/$reviewId', params: { reviewId: String(id) } })
    },
  })
  const chosen = form.field('roleIds')
  return (
    <FormScreen
      form={form}
      nothing="Nothing began."
      left="Nothing is removed before the review ends."
      save="Begin review"
      onCancel={() => void navigate({ to: '/access-reviews' })}
    >
      <TextInput label="Name" placeholder="Fourth quarter" autoFocus autoComplete="off" {...form.text('name')} />
      <MultiSelectField
        label="Roles"
        description={noRoles ?? 'Whose members are reviewed; none: everybody, and programs'}
        disabled={Boolean(noRoles)}
        searchable
        data={(roles.data?.items ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
        {...chosen}
        value={chosen.value.map(String)}
        onChange={(ids) => chosen.onChange(ids.map(Number))}
      />
      <PickOne
        label="Reviewer"
        placeholder={me.name}
        description="Is reminded; nobody decides about themselves"
        call={usersApi.list}
        nameOf={(one) => one.name}
        hint={(one) => one.roleName}
        {...(noPeople && { reason: noPeople })}
        {...form.field('reviewerId')}
      />
      <NumberField
        label="Unused for days"
        description="What was not used for so long is proposed for removal"
        min={7}
        max={730}
        {...form.field('unusedDays')}
      />
      <DateField label="Due" {...form.field('dueOn')} />
    </FormScreen>
  )
}
