import { Text } from '@mantine/core'

/** A part of a page that could not be read; the rest of the page stands. */
export const ErrorLine = ({ error }: { error: Error }) => (
  <Text p={14} c="var(--mantine-color-error-text)" role="status">
    {error.message}
  </Text>
)
