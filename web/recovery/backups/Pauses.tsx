import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../kit/access/reasons.ts'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { counted, moment } from '../../kit/look/format.ts'
import { endPause } from './acts.ts'
import { backupsApi } from './api.ts'
import css from './Backups.module.css'
import { Note } from './Note.tsx'

/** Servers from which nothing is backed up for a while. */
export function Pauses() {
  const { data } = useQuery(backupsApi.pauses.query({}))
  const lacking = useReason()
  if (!data?.items.length) return null
  return (
    <div className={css.notes}>
      {data.items.map((pause) => (
        <Group key={pause.id} gap={10} justify="space-between" wrap="nowrap">
          <Note>
            Nothing is backed up from {pause.serverName} until {moment(pause.until)}: {pause.reason}
            {pause.stopped > 0 && (
              <Text span c="dimmed" fz="sm">
                {' '}
                ({counted(pause.stopped, ['backup', 'backups'])} stopped)
              </Text>
            )}
          </Note>
          <ActButton
            size="xs"
            variant="default"
            reason={lacking(backupsApi.endPause)}
            onClick={() => void endPause(pause)}
          >
            End pause
          </ActButton>
        </Group>
      ))}
    </div>
  )
}
