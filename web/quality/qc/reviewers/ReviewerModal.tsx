import type { Reviewer } from '@innkeeper/contract/quality/qc/reviewers'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { departmentsApi } from '../../../access/departments/api.ts'
import { useReason } from '../../../kit/access/reasons.ts'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { FormModal } from '../../../kit/form/FormModal.tsx'
import { MultiSelectField } from '../../../kit/form/MultiSelectField.tsx'
import { NumberField } from '../../../kit/form/NumberField.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { teamsApi } from '../../dossiers/api.ts'
import { qcReviewersApi } from '../api.ts'

const labels = { departmentIds: 'Departments', teamIds: 'Teams', weeklyGoal: 'Reviews a week' }
const valuesOf = ({ departments, teams, weeklyGoal }: Reviewer) => ({
  departmentIds: departments.map(({ id }) => id),
  teamIds: teams.map(({ id }) => id),
  weeklyGoal,
})
const optionsOf = (...lists: readonly (readonly { id: number; name: string }[] | undefined)[]) => [
  ...new Map(
    lists.flatMap((list) => list ?? []).map(({ id, name }) => [id, { value: String(id), label: name }]),
  ).values(),
]

/** Limits and goal of a reviewer. */
export function ReviewerModal({ reviewer, close }: { reviewer: Reviewer; close: () => void }) {
  const lacking = useReason()
  const all = { itemsPerPage: 200 }
  const [noDepartments, noTeams] = [lacking(departmentsApi.list), lacking(teamsApi.teams)]
  const departments = useQuery({ ...departmentsApi.list.query(all), enabled: !noDepartments }).data
  const teams = useQuery({ ...teamsApi.teams.query(all), enabled: !noTeams }).data
  const form = useCallForm(qcReviewersApi.updateReviewer, {
    initial: valuesOf(reviewer),
    fixed: { id: reviewer.id, version: reviewer.version },
    labels,
    valuesOf,
    onDone: () => {
      void readAgain(['qc'])
      toast.success(`${reviewer.name} is saved`)
      close()
    },
  })
  const goal = form.field('weeklyGoal')
  const lists = [
    ['departmentIds', noDepartments, optionsOf(reviewer.departments, departments?.items)],
    ['teamIds', noTeams, optionsOf(reviewer.teams, teams?.items)],
  ] as const
  return (
    <FormModal opened close={close} title={reviewer.name} save="Save reviewer" form={form} nothing="Nothing was saved.">
      {lists.map(([key, reason, data]) => {
        const { value, onChange, onBlur, error } = form.field(key)
        return (
          <MultiSelectField
            key={key}
            label={labels[key]}
            placeholder={value.length ? undefined : 'All'}
            description={reason}
            disabled={reason !== undefined}
            searchable
            data={data}
            value={value.map(String)}
            onChange={(next) => onChange(next.map(Number))}
            onBlur={onBlur}
            error={error}
          />
        )
      })}
      <NumberField
        label={labels.weeklyGoal}
        placeholder="No goal"
        min={1}
        max={1000}
        value={goal.value ?? ''}
        onChange={(next) => goal.onChange(Number(next) || null)}
        onBlur={goal.onBlur}
        error={goal.error}
      />
      <Text c="dimmed" fz="xs">
        The person reads only conversations of these departments and teams, by what the agents belonged to on that day,
        in lists, pages, searches, statistics and exports. Nothing chosen: all.
      </Text>
    </FormModal>
  )
}
