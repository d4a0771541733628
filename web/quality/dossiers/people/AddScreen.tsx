import { SimpleGrid, Textarea } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { DateField } from '../../../kit/form/DateField.tsx'
import { FormScreen } from '../../../kit/form/FormScreen.tsx'
import { PickOne } from '../../../kit/form/PickOne.tsx'
import { type FieldProps, useCallForm } from '../../../kit/form/useCallForm.ts'
import { peopleApi, positionsApi, teamsApi } from '../api.ts'

const none = null as number | null
/** A dossier may begin without a team: the call then takes no team at all, not an empty one. */
const absent = undefined as number | undefined
const picked = ({ value, onChange, ...rest }: FieldProps<number | undefined>) => ({
  ...rest,
  value: value ?? null,
  onChange: (id: number | null) => onChange(id ?? undefined),
})

export default function AddScreen() {
  const navigate = useNavigate()
  const form = useCallForm(peopleApi.createUser, {
    initial: { userId: none, teamId: absent, positionId: absent, from: '', startedOn: '', about: '' },
    labels: {
      userId: 'Person',
      teamId: 'Team',
      positionId: 'Position',
      from: 'In the team from',
      startedOn: 'Started',
    },
    onDone: ({ id, name }) => {
      void readAgain(['dossiers'])
      toast.success(`The dossier of ${name} is open`)
      void navigate({ to: `/dossiers/${id}` })
    },
  })
  return (
    <FormScreen
      form={form}
      nothing="Nothing was created."
      left="The person can read the feedback that is shown to them."
      save="Open dossier"
      onCancel={() => void navigate({ to: '/dossiers' })}
    >
      <PickOne
        label="Person"
        placeholder="Staff without a dossier"
        call={peopleApi.freeUsers}
        nameOf={({ name }) => name}
        hint={({ username, departmentName }) => `${username}, ${departmentName ?? 'no department'}`}
        {...form.field('userId')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <PickOne label="Team" call={teamsApi.teams} nameOf={({ name }) => name} {...picked(form.field('teamId'))} />
        <PickOne
          label="Position"
          call={positionsApi.positions}
          nameOf={({ name }) => name}
          {...picked(form.field('positionId'))}
        />
        <DateField label="In the team from" description="Empty: today" {...form.field('from')} />
        <DateField label="Started with us" {...form.field('startedOn')} />
      </SimpleGrid>
      <Textarea
        label="About"
        description="Whoever may see dossiers reads it"
        autosize
        minRows={2}
        {...form.text('about')}
      />
    </FormScreen>
  )
}
