import { Text, Tooltip } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useAway } from '../../kit/api/connection.ts'
import css from './Header.module.css'

/** A notice while the live connection is down: data may be slightly stale, and everything still works. */
export function LiveSign() {
  const away = useAway()
  return (
    <div role="status" className={css.away}>
      {away && (
        <Tooltip label="Live updates are interrupted. Innkeeper reconnects automatically and catches up.">
          <Text span c="dimmed" fz="xs" className={css.awayWords}>
            <IconPlugConnectedX size={15} aria-hidden />
            <span>Not live</span>
          </Text>
        </Tooltip>
      )}
    </div>
  )
}
