import { type Migration, type Phase, phases } from '@innkeeper/contract/hosting/moves/shapes'
import { Group, Text, Tooltip } from '@mantine/core'
import { Glyph } from '../../kit/look/Glyph.tsx'
import { stateOf } from '../../kit/look/stateWords.ts'
import css from './moves.module.css'
import { freezeText, phaseWords } from './words.ts'

/** Phases of a move as steps: finished, current and upcoming. */
export function Phases({ move }: { move: Migration }) {
  const at = phases.indexOf(move.phase)
  return (
    <ol className={css.phases} aria-label="Phases">
      {phases.map((phase, n) => {
        const place = placeOf(move, n, at)
        const { colour, shape } = stateOf(glyphs[place] ?? move.status)
        return (
          <Tooltip key={phase} label={phaseWords[phase].text} openDelay={400}>
            <li className={css.phase} data-at={place} aria-current={place === 'now' ? 'step' : undefined}>
              <Group gap={7} wrap="nowrap">
                <Glyph shape={shape} colour={colour} size={13} />
                <Text span fz="xs" fw={place === 'now' ? 600 : 450} truncate>
                  {phaseWords[phase].title}
                </Text>
              </Group>
              <Figure move={move} phase={phase} />
            </li>
          </Tooltip>
        )
      })}
    </ol>
  )
}

type Place = 'past' | 'now' | 'later'
const glyphs: Partial<Record<Place, string>> = { past: 'done', later: 'pending' }

function placeOf({ status }: Migration, n: number, at: number): Place {
  if (status === 'done') return 'past'
  if (status === 'waiting' || status === 'rolled-back') return 'later'
  return n < at ? 'past' : n === at ? 'now' : 'later'
}

/** Shows the length of the freeze at its phase. */
const Figure = ({ move, phase }: { move: Migration; phase: Phase }) =>
  phase === 'freeze' && move.freezeMs !== null ? (
    <Text fz="xs" c="dimmed" className="num">
      {freezeText(move)}
    </Text>
  ) : null
