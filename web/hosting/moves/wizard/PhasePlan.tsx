import { type Phase, phases } from '@innkeeper/contract/hosting/moves/shapes'
import type { Output } from '@innkeeper/contract/kit/endpoint'
import { Text } from '@mantine/core'
import { Section } from '../../../kit/frame/Section.tsx'
import { Mono } from '../../../kit/look/Mono.tsx'
import type { movesApi } from '../api.ts'
import { phaseWords } from '../words.ts'
import css from './findings.module.css'

type Planned = Output<(typeof movesApi.preflight)['endpoint']>['actions'][number]

/** Planned actions by phase. */
export const PhasePlan = ({ actions }: { actions: readonly Planned[] }) => (
  <Section title="Phases" hint="in this order" pad={false}>
    <ol className={css.findings}>
      {phases
        .filter((phase) => actions.some((action) => action.phase === phase))
        .map((phase) => (
          <li key={phase} className={css.planned}>
            <Text fw={500}>{phaseWords[phase].title}</Text>
            <div>
              {linesOf(actions, phase).map(([key, { title, what, serverName }]) => (
                <Text key={key} fz="xs" c="dimmed" className={css.text}>
                  {title}: {what}
                  {serverName && (
                    <>
                      , on <Mono fz="inherit">{serverName}</Mono>
                    </>
                  )}
                </Text>
              ))}
            </div>
          </li>
        ))}
    </ol>
  </Section>
)

/** Merges repeated lines of a phase; for instance, the source is opened once more before the freeze. */
const linesOf = (actions: readonly Planned[], phase: Phase): [string, Planned][] => [
  ...new Map(
    actions
      .filter((action) => action.phase === phase)
      .map((action) => [`${action.title} ${action.what} ${action.serverName}`, action]),
  ),
]
