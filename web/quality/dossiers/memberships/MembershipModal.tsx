import type { Membership } from '@innkeeper/contract/quality/dossiers/shapes'
import { SimpleGrid, Switch } from '@mantine/core'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { DateField } from '../../../kit/form/DateField.tsx'
import { FormModal } from '../../../kit/form/FormModal.tsx'
import { PickOne } from '../../../kit/form/PickOne.tsx'
import { type FieldProps, useCallForm } from '../../../kit/form/useCallForm.ts'
import { membershipsApi, peopleApi, positionsApi, teamsApi } from '../api.ts'

const none = null as number | null
const labels = {
  ...{ userId: 'Person', teamId: 'Team', positionId: 'Position', from: 'First day', to: 'Last day' },
  ...{ isAdditional: 'Besides the main team', endsPrevious: 'End the former main membership on the day before' },
}
const done = (close: () => void, what: string) => {
  void readAgain(['dossiers', 'dossierFeedback'])
  toast.success(`The membership is ${what}`)
  close()
}

/** Adds a person to a team. `of`: the person, if the screen is about one. */
export function AddMembership({
  of,
  teamId,
  close,
}: {
  of?: { id: number; name: string }
  teamId?: number
  close: () => void
}) {
  const form = useCallForm(membershipsApi.createMembership, {
    initial: {
      ...{ userId: of?.id ?? none, teamId: teamId ?? none, positionId: none, from: '', to: '' },
      ...{ isAdditional: false, endsPrevious: true },
    },
    labels,
    onDone: () => done(close, 'added'),
  })
  return (
    <FormModal {...{ opened: true, close, form }} title="Add to a team" save="Add" nothing="Nothing was added.">
      {!of && (
        <PickOne label={labels.userId} call={peopleApi.users} nameOf={({ name }) => name} {...form.field('userId')} />
      )}
      <Fields form={form} />
      {!form.values.isAdditional && (
        <Switch
          label={labels.endsPrevious}
          checked={form.values.endsPrevious}
          onChange={(event) => form.set('endsPrevious', event.currentTarget.checked)}
        />
      )}
    </FormModal>
  )
}

const valuesOf = ({ team, position, from, to, isAdditional }: Membership) => ({
  ...{ teamId: team.id as number | null, positionId: position?.id ?? none },
  ...{ from, to: to ?? '', isAdditional },
})

export function ChangeMembership({ membership, close }: { membership: Membership; close: () => void }) {
  const { id, version, user, team } = membership
  const form = useCallForm(membershipsApi.updateMembership, {
    initial: valuesOf(membership),
    fixed: { id, version },
    valuesOf,
    labels,
    onDone: () => done(close, 'saved'),
  })
  return (
    <FormModal
      {...{ opened: true, close, form }}
      title={`${user.name} in ${team.name}`}
      save="Save membership"
      nothing="Nothing was saved."
    >
      <Fields form={form} team={team.name} position={membership.position?.name} />
    </FormModal>
  )
}

interface Form {
  field: {
    (key: 'teamId' | 'positionId'): FieldProps<number | null>
    (key: 'from' | 'to'): FieldProps<string>
  }
  values: { isAdditional: boolean }
  set: (key: 'isAdditional', value: boolean) => void
}
const Fields = ({ form, team, position }: { form: Form; team?: string; position?: string | undefined }) => (
  <>
    <PickOne
      label={labels.teamId}
      call={teamsApi.teams}
      nameOf={({ name }) => name}
      valueName={team ?? null}
      {...form.field('teamId')}
    />
    <PickOne
      label={labels.positionId}
      call={positionsApi.positions}
      nameOf={({ name }) => name}
      valueName={position ?? null}
      {...form.field('positionId')}
    />
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <DateField label={labels.from} {...form.field('from')} />
      <DateField label={labels.to} description="Empty: open" {...form.field('to')} />
    </SimpleGrid>
    <Switch
      label={labels.isAdditional}
      checked={form.values.isAdditional}
      onChange={(event) => form.set('isAdditional', event.currentTarget.checked)}
    />
  </>
)
