import { departmentsApi } from '../../access/departments/api.ts'
import { usersApi } from '../../access/users/api.ts'
import { useReason } from '../../kit/access/reasons.ts'
import { PickOne } from '../../kit/form/PickOne.tsx'
import type { FieldProps } from '../../kit/form/useCallForm.ts'

interface Props {
  organizer: FieldProps<number | undefined>
  organizerName?: string
  department: FieldProps<number | null>
  departmentName?: string | null
}

/** Organizer of an event, and the department that sees the event. */
export function PeopleFields({ organizer, organizerName, department, departmentName }: Props) {
  const lacking = useReason()
  const { value, onChange, required: _, ...rest } = organizer
  return (
    <>
      <PickOne
        label="Organizer"
        placeholder="You"
        call={usersApi.list}
        nameOf={({ name }) => name}
        hint={({ departmentName: of }) => of}
        valueName={organizerName}
        reason={lacking(usersApi.list)}
        value={value ?? null}
        onChange={(id) => onChange(id ?? undefined)}
        {...rest}
      />
      <PickOne
        label="For"
        placeholder="Everybody"
        description="Others see it only if they are invited"
        call={departmentsApi.list}
        nameOf={({ name }) => name}
        hint={({ description }) => description}
        valueName={departmentName}
        reason={lacking(departmentsApi.list)}
        {...department}
      />
    </>
  )
}
