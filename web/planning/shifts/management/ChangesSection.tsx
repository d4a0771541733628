import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ErrorLine } from '../../../kit/frame/ErrorLine.tsx'
import { Section } from '../../../kit/frame/Section.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { ago } from '../../../kit/look/format.ts'
import { useAct } from '../../../kit/look/useAct.ts'
import { useNow } from '../../../kit/look/useNow.ts'
import { shiftsApi } from '../api.ts'
import css from '../automations/automation.module.css'
import { undoChange } from '../planning/undoChange.ts'
import { outcomeText } from '../words.ts'

/** The last changes of the plan (planned, copied, removed, published), each with an undo. */
export function ChangesSection() {
  const now = useNow(60_000)
  const { busy, run } = useAct()
  const { data, error } = useQuery(shiftsApi.batches.query())
  return (
    <Section title="Last changes" hint="each is undone completely" pad={false}>
      {error && <ErrorLine error={error} />}
      {data?.items.slice(0, 8).map((batch) => (
        <Group key={batch.id} className={css.line} justify="space-between" wrap="nowrap" px={14} mih={46}>
          <span className={css.cell}>
            <Text span truncate>
              {batch.text}
            </Text>
            <Text span c="dimmed" fz="xs" truncate>
              {batch.by}, {ago(batch.at, now)}. {batch.undoneAt ? `Undone by ${batch.undoneBy}` : outcomeText(batch)}
            </Text>
          </span>
          {!batch.undoneAt && (
            <ActButton
              size="xs"
              variant="default"
              aria-label={`Undo: ${batch.text}`}
              reason={busy ? 'An undo is running.' : undefined}
              onClick={() => void run(() => undoChange(batch.id))}
            >
              Undo
            </ActButton>
          )}
        </Group>
      ))}
      {data?.total === 0 && (
        <Text c="dimmed" p={14}>
          Nothing yet.
        </Text>
      )}
    </Section>
  )
}
