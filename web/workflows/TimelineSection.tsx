import type { WorkflowWithActions } from '@innkeeper/contract/workflows'
import { Text } from '@mantine/core'
import { ChartFrame } from '../kit/charts/ChartFrame.tsx'
import { colourOf } from '../kit/charts/scale.ts'
import { Section } from '../kit/frame/Section.tsx'
import { lasting, moment } from '../kit/look/format.ts'
import { Glyph } from '../kit/look/Glyph.tsx'
import { stateOf } from '../kit/look/stateWords.ts'
import { useNow } from '../kit/look/useNow.ts'
import { isStopped } from '../kit/workflow/actions.ts'
import css from './Timeline.module.css'
import { type Bar, lineOf, type Span, timelineOf } from './timeline.ts'

const legend = ['Ran', 'Waited']
const colour = (n: number) => (n === 0 ? colourOf(0) : 'var(--ink-bar)')

/** What each action of a workflow waited and ran, live; `of` are those that the page is about. */
export function TimelineSection({ workflow, of }: { workflow: WorkflowWithActions; of?: (id: number) => boolean }) {
  const { actions, endedAt, status, startedAt, title } = workflow
  const now = useNow(endedAt === null && status !== 'failed' && 1000).getTime()
  const { bars, pauses } = timelineOf(actions, now)
  const own = actions.flatMap(({ id }) => (of?.(id) ? id : []))
  return (
    <Section title="Timeline" hint={`${title}, since ${moment(startedAt)}`}>
      <ChartFrame
        title={`Timeline of ${title}`}
        data={{
          labels: actions.map((action) => lineOf(action, actions)),
          series: [
            { name: 'Ran', values: bars.map(({ ranMs }) => ranMs) },
            { name: 'Waited', values: bars.map(({ waitedMs }) => waitedMs) },
          ],
        }}
        legend={legend}
        colour={colour}
        format={(ms) => (ms === 0 ? '–' : lasting(ms))}
      >
        {(current, look) => (
          <div className={css.rows} onPointerLeave={() => look(undefined)}>
            {bars.map((bar, i) => (
              <div
                key={bar.action.id}
                className={css.row}
                data-current={i === current || undefined}
                data-own={(own.length < actions.length && own.includes(bar.action.id)) || undefined}
                onPointerEnter={() => look(i)}
              >
                <Row bar={bar} />
                <div className={css.track}>
                  {pauses.map(({ at, ms }) => (
                    <span
                      key={at}
                      className={css.pause}
                      style={{ left: `${at}%` }}
                      title={`Nothing went on for ${lasting(ms)}`}
                    />
                  ))}
                  {bar.waited && <Piece span={bar.waited} colour={colour(1)} />}
                  {bar.ran && <Piece span={bar.ran} colour={ranIn(bar)} />}
                </div>
                <Text span c="dimmed" fz="xs" className={`num ${css.took}`}>
                  {bar.ranMs + bar.waitedMs > 0 ? lasting(bar.ranMs + bar.waitedMs) : ''}
                </Text>
              </div>
            ))}
          </div>
        )}
      </ChartFrame>
      {pauses.length > 0 && (
        <Text c="dimmed" fz="xs">
          Left out, at the dashed lines: {pauses.map(({ ms }) => lasting(ms)).join(', ')} in which nothing went on.
        </Text>
      )}
    </Section>
  )
}

const Row = ({ bar: { action } }: { bar: Bar }) => (
  <div className={css.name}>
    <Glyph {...stateOf(action.status)} />
    <Text span truncate title={action.title}>
      {action.title}
    </Text>
    {action.attempt > 1 && (
      <Text span c="dimmed" fz="xs" style={{ whiteSpace: 'nowrap' }}>
        × {action.attempt}
      </Text>
    )}
  </div>
)

const Piece = ({ span: { from, to }, colour: background }: { span: Span; colour: string }) => (
  <span className={css.bar} style={{ left: `${from}%`, width: `${Math.max(0.4, to - from)}%`, background }} />
)

const ranIn = ({ action }: Bar): string =>
  isStopped(action)
    ? 'var(--mantine-color-error-5)'
    : action.status === 'running'
      ? 'var(--mantine-color-info-4)'
      : colour(0)
