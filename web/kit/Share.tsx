import { Progress, Text } from '@mantine/core'

/** A figure in words with its share of a limit, 0 to 1, as a bar below. */
export const Share = ({ label, share }: { label: string; share: number }) => (
  <div>
    <Text className="num">{label}</Text>
    <Progress
      size={4}
      maw={320}
      value={100 * Math.min(1, share)}
      color={share > 0.85 ? 'warning.5' : 'primary'}
      aria-label={label}
    />
  </div>
)
