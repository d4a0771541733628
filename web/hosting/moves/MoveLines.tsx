import type { MigrationRow } from '@innkeeper/contract/hosting/moves/shapes'
import { Text } from '@mantine/core'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { Mono } from '../../kit/look/Mono.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { progressText, Way } from './columns.tsx'
import { MoveReason } from './MoveReason.tsx'
import css from './moves.module.css'
import { freezeText } from './words.ts'

/** Moves in the given order, one line each, with the reason of a stopped or waiting move below. */
export const MoveLines = ({ moves }: { moves: readonly MigrationRow[] }) => (
  <ol className={css.lines}>
    {moves.map((move) => (
      <li key={move.id} className={css.line}>
        <div className={css.who}>
          <LinkTo to="/website-migrations/$id" params={{ id: String(move.id) }} c="inherit" truncate>
            <Mono>{move.domain}</Mono>
          </LinkTo>
          <MoveReason move={move} />
        </div>
        <span className={css.wide}>
          <Way {...move} />
        </span>
        <Text span c="dimmed" fz="xs" className={css.wide}>
          {move.freezeMs === null ? progressText(move) : `frozen ${freezeText(move)}`}
        </Text>
        <StatusBadge state={move.status} />
      </li>
    ))}
  </ol>
)
