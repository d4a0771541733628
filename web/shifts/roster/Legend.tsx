import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../kit/access/reasons.ts'
import { shiftsApi } from '../api.ts'
import css from '../shifts.module.css'

/** Legend of the shift letters. */
export function Legend() {
  const lacking = useReason()(shiftsApi.types)
  const { data } = useQuery({ ...shiftsApi.types.query({ isActive: 'true' }), enabled: !lacking })
  return (
    <Group gap={12} visibleFrom="lg">
      {data?.items.slice(0, 5).map(({ id, code, name, startTime, endTime, colour }) => (
        <Group key={id} gap={6} wrap="nowrap">
          <span className={css.chip} data-colour={colour}>
            {code}
          </span>
          <Text c="dimmed" fz="xs" style={{ whiteSpace: 'nowrap' }} title={`${startTime}–${endTime}`}>
            {name}
          </Text>
        </Group>
      ))}
      <Group gap={6} wrap="nowrap">
        <span className={css.chip} data-away />
        <Text c="dimmed" fz="xs">
          Leave
        </Text>
      </Group>
    </Group>
  )
}
