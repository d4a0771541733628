import { Text } from '@mantine/core'

/** A value of a row of a customer's database, cut after three lines. */
export const Value = ({ children }: { children: string | null | undefined }) =>
  children === null || children === undefined ? (
    <Text span c="dimmed" fz="xs">
      NULL
    </Text>
  ) : (
    <Text span lineClamp={3} ff="monospace" fz="xs">
      {children}
    </Text>
  )
