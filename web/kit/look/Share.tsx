import { Progress, Text } from '@mantine/core'

interface Props {
  label: string
  /** 0 to 1. */
  share: number
  /** Whether a high share is good, so that no warning applies. */
  good?: boolean
}

/** A value in words with a bar for its share of a limit; warns near the limit. */
export const Share = ({ label, share, good = false }: Props) => (
  <div>
    <Text className="num">{label}</Text>
    <Progress
      size={4}
      maw={320}
      value={100 * Math.min(1, share)}
      color={share > 0.85 && !good ? 'warning.5' : 'primary'}
      aria-label={label}
    />
  </div>
)
