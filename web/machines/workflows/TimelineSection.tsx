import type { Action, WorkflowWithActions } from '@innkeeper/contract/machines/workflows'
import { Text } from '@mantine/core'
import { Section } from '../../kit/frame/Section.tsx'
import { moment } from '../../kit/look/format.ts'
import { Glyph } from '../../kit/look/Glyph.tsx'
import { stateOf } from '../../kit/look/stateWords.ts'
import { useNow } from '../../kit/look/useNow.ts'
import { SpanChart } from '../../kit/timeline/SpanChart.tsx'
import { isStopped } from '../../kit/workflow/actions.ts'
import { lineOf, timesOf } from './timeline.ts'

/** How long each action of a workflow waited and ran, live; `of` selects the actions that the page is about. */
export function TimelineSection({ workflow, of }: { workflow: WorkflowWithActions; of?: (id: number) => boolean }) {
  const { actions, endedAt, status, startedAt, title } = workflow
  const now = useNow(endedAt === null && status !== 'failed' && 1000).getTime()
  const own = actions.filter(({ id }) => of?.(id)).length
  return (
    <Section title="Timeline" hint={`${title}, since ${moment(startedAt)}`}>
      <SpanChart
        title={`Timeline of ${title}`}
        rows={actions.map((action) => ({
          id: action.id,
          name: <Name action={action} />,
          line: lineOf(action, actions),
          times: timesOf(action, now),
          colour: ranIn(action),
          isOwn: own < actions.length && of?.(action.id),
        }))}
      />
    </Section>
  )
}

const Name = ({ action: { status, title, attempt } }: { action: Action }) => (
  <>
    <Glyph {...stateOf(status)} />
    <Text span truncate title={title}>
      {title}
    </Text>
    {attempt > 1 && (
      <Text span c="dimmed" fz="xs" style={{ whiteSpace: 'nowrap' }}>
        × {attempt}
      </Text>
    )}
  </>
)

const ranIn = (action: Action): string | undefined =>
  isStopped(action)
    ? 'var(--mantine-color-error-5)'
    : action.status === 'running'
      ? 'var(--mantine-color-info-4)'
      : undefined
