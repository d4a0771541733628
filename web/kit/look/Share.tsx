import { Progress, Text } from '@mantine/core'

interface Props {
  label: string
  /** 0 to 1. */
  share: number
  /** Much of it is good: there is no limit to warn of. */
  good?: boolean
}

/** A figure in words with its share of a limit as a bar below, which warns near the limit. */
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
