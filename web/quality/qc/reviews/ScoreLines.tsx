import type { Review } from '@innkeeper/contract/quality/qc/shapes'
import { Text } from '@mantine/core'
import css from '../qc.module.css'

/** The given scores with their comments, one line each. */
export const ScoreLines = ({ scores }: Pick<Review, 'scores'>) =>
  scores.map(({ typeId, typeName, gradeName, value, comment, isCritical, weight }) => (
    <div key={typeId} className={css.line}>
      <div className={css.score}>
        <Text>
          {typeName}
          <Text span c="dimmed" fz="xs" ml={8}>
            {weight} %{isCritical && ', critical'}
          </Text>
        </Text>
        <Text className="num">{value === null ? 'N/A' : `${gradeName} ${value}`}</Text>
      </div>
      {comment && (
        <Text c="dimmed" fz="xs" dir="auto">
          {comment}
        </Text>
      )}
    </div>
  ))
