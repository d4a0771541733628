import type { Hours } from '@innkeeper/contract/recovery/backups/when'
import { Group, Input, Switch } from '@mantine/core'
import { TimeField } from '../../kit/form/TimeField.tsx'

interface Props {
  value: Hours | null
  error?: string | undefined
  onChange: (value: Hours | null) => void
}
const night: Hours = { from: '22:00', to: '06:00' }

/** Hours of the day in which backups may start; a backup that is late waits for them. */
export const HoursField = ({ value, error, onChange }: Props) => (
  <Input.Wrapper error={error}>
    <Switch
      label="Only in some hours of the day"
      description="In UTC. A backup that is due outside these hours waits for them; a running backup is not stopped."
      checked={value !== null}
      onChange={(event) => onChange(event.currentTarget.checked ? night : null)}
    />
    {value && (
      <Group gap={8} mt={8} grow>
        <TimeField label="From" value={value.from} onChange={(from) => onChange({ ...value, from })} />
        <TimeField label="To" value={value.to} onChange={(to) => onChange({ ...value, to })} />
      </Group>
    )}
  </Input.Wrapper>
)
