import { Text, Tooltip } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useAway } from '../../kit/api/connection.ts'
import { useFrameTexts } from '../texts.ts'
import css from './Header.module.css'

/** A notice while the live connection is down: data may be slightly stale, and everything still works. */
export function LiveSign() {
  const away = useAway()
  const words = useFrameTexts()
  return (
    <div role="status" className={css.away}>
      {away && (
        <Tooltip label={words.away}>
          <Text span c="dimmed" fz="xs" className={css.awayWords}>
            <IconPlugConnectedX size={15} aria-hidden />
            <span>{words.notLive}</span>
          </Text>
        </Tooltip>
      )}
    </div>
  )
}
