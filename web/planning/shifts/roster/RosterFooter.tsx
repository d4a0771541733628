import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../../kit/access/session.ts'
import { ago } from '../../../kit/look/format.ts'
import { useNow } from '../../../kit/look/useNow.ts'
import { shiftsApi } from '../api.ts'
import { undoChange } from '../planning/undoChange.ts'
import css from '../shifts.module.css'
import { shiftTexts } from '../texts.ts'

interface Props {
  /** The visible days. */
  from: string
  to: string
  closed: boolean
  mayPlan: boolean
}

/** Explains the figures, and offers to undo this person's last change of the visible days. */
export function RosterFooter({ from, to, closed, mayPlan }: Props) {
  const now = useNow(60_000)
  const { data } = useQuery({ ...shiftsApi.batches.query(), enabled: mayPlan })
  const { data: rule } = useQuery(shiftsApi.settings.query())
  const { name } = useSession()
  const last = data?.items.find(
    (batch) => batch.by === name && !batch.undoneAt && (batch.from ?? to) <= to && (batch.to ?? from) >= from,
  )
  return (
    <footer className={css.footer}>
      <Text c="dimmed" lineClamp={2}>
        {rule && shiftTexts().weighted(`${rule.nightNumerator}/${rule.nightDenominator}`)}
        {mayPlan && ` ${shiftTexts().draftsAre}`}
        {closed && ` ${shiftTexts().isClosed}`}
      </Text>
      {last && (
        <Group gap={8} wrap="nowrap" visibleFrom="sm">
          <Text c="dimmed" style={{ whiteSpace: 'nowrap' }}>
            Your change: {last.text}, {ago(last.at, now)}
          </Text>
          <Button
            size="xs"
            variant="default"
            aria-label={`Undo: ${last.text}`}
            onClick={() => void undoChange(last.id)}
          >
            Undo
          </Button>
        </Group>
      )}
    </footer>
  )
}
