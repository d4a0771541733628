import type { ChartTeam } from '@innkeeper/contract/quality/dossiers/shapes'
import { Button, Group, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { ApiError } from '../../../kit/api/client.ts'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { Dialog } from '../../../kit/dialogs/Dialog.tsx'
import { errorDialog } from '../../../kit/dialogs/dialogs.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { writeDay } from '../../../kit/form/dates.ts'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { membershipsApi, teamsApi } from '../api.ts'
import type { ChartRow } from './chartRows.ts'

interface Props {
  row: ChartRow
  to?: number
  /** The day of the chart: a person moves on that day. */
  date: string
  teams: readonly ChartTeam[]
  close: () => void
}

const TOP = '0'

/** Moves a person to another team from a day on, or a team below another one. */
export function MoveModal({ row, to, date, teams, close }: Props) {
  const { team, person } = row
  const [target, setTarget] = useState<string | null>(to === undefined ? null : String(to))
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const name = person?.name ?? team.name
  const run = async () => {
    setBusy(true)
    try {
      const id = Number(target)
      if (person)
        await membershipsApi.moveMembership({
          id: person.membershipId,
          version: person.version,
          teamId: id,
          from: date,
        })
      else await teamsApi.updateTeam({ id: team.id, version: team.version, parentId: target === TOP ? null : id })
      toast.success(`${name} is moved`)
      close()
    } catch (failure) {
      const fields = failure instanceof ApiError ? Object.values(failure.body.fields ?? {}) : []
      setError(fields[0])
      if (!fields.length) void errorDialog(failure)
    } finally {
      setBusy(false)
      void readAgain(['dossiers', 'dossierFeedback'])
    }
  }
  const options = teams.filter(({ id }) => id !== team.id).map(({ id, name: label }) => ({ value: String(id), label }))
  return (
    <Dialog opened onClose={close} title={`Move ${name}`}>
      <Stack gap={18}>
        <Text c="dimmed">
          {person
            ? `In the new team from ${writeDay(date)}, with the same position. In ${team.name} until the day before.`
            : 'Its members and the teams below move along.'}
        </Text>
        <Select
          label={person ? 'To the team' : 'Below the team'}
          searchable
          {...(to === undefined && { 'data-autofocus': true })}
          data={person ? options : [{ value: TOP, label: 'At the top' }, ...options]}
          value={target}
          onChange={setTarget}
          error={error}
        />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <ActButton
            loading={busy}
            reason={target === null ? 'Choose a team first.' : undefined}
            {...(to !== undefined && { 'data-autofocus': true })} // dropped on its team: Enter moves
            onClick={() => void run()}
          >
            Move
          </ActButton>
        </Group>
      </Stack>
    </Dialog>
  )
}
