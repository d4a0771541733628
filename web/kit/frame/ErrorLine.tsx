import { Text } from '@mantine/core'

/** The error of one section that could not be read, while the rest of the page is shown. */
export const ErrorLine = ({ error }: { error: Error }) => (
  <Text p={14} c="var(--mantine-color-error-text)" role="status">
    {error.message}
  </Text>
)
