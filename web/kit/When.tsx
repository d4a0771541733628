import { Text } from '@mantine/core'
import { ago, moment } from './format.ts'

/** "3 min ago"; the moment itself on pointing at it. A cell of lists. */
export const When = ({ at }: { at: string }) => (
  <Text span c="dimmed" style={{ whiteSpace: 'nowrap' }} title={moment(at)}>
    {ago(at)}
  </Text>
)
