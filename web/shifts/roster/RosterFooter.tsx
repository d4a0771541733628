import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { attempt } from '../../kit/api/attempt.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { ago } from '../../kit/look/format.ts'
import { useNow } from '../../kit/look/useNow.ts'
import { shiftsApi } from '../api.ts'
import css from '../shifts.module.css'

/** Explains the figures, and offers to undo the last change of the plan. */
export function RosterFooter({ closed, mayPlan }: { closed: boolean; mayPlan: boolean }) {
  const now = useNow(60_000)
  const { data } = useQuery({ ...shiftsApi.batches.query(), enabled: mayPlan })
  const { data: rule } = useQuery(shiftsApi.settings.query())
  const last = data?.items.find(({ undoneAt }) => undoneAt === null)
  const undo = async (id: number) => {
    const done = await attempt(() => shiftsApi.undo({ id }), ['shifts'])
    if (done) toast.success('The change is undone', done.text)
  }
  return (
    <footer className={css.footer}>
      <Text c="dimmed" truncate>
        {rule && `Weighted hours: a night hour counts ${rule.nightNumerator}/${rule.nightDenominator}.`}
        {mayPlan && ' Dashed shifts are drafts, seen only by planners.'}
        {closed && ' The month is closed: nothing in it changes.'}
      </Text>
      {last && (
        <Group gap={8} wrap="nowrap" visibleFrom="sm">
          <Text c="dimmed" style={{ whiteSpace: 'nowrap' }}>
            {last.text}, {last.by}, {ago(last.at, now)}
          </Text>
          <Button size="xs" variant="default" aria-label={`Undo: ${last.text}`} onClick={() => void undo(last.id)}>
            Undo
          </Button>
        </Group>
      )}
    </footer>
  )
}
