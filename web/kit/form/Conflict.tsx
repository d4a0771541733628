import { Alert, Button, Group, Table, Text } from '@mantine/core'
import type { Clash } from './merge.ts'

export interface Conflicting {
  conflict: readonly Clash[]
  nameOf: (key: string) => string
  keepMine: () => void
  takeTheirs: () => void
}

/** The values that two people changed, and the choice between them. */
export default function Conflict({ conflict, nameOf, keepMine, takeTheirs }: Conflicting) {
  return (
    <Alert role="alert" color="warning" p="10px 14px" title="Somebody else saved this first">
      <Text>You both changed these values. Your other changes stay, and so do the other person’s.</Text>
      <Table my={8}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Field</Table.Th>
            <Table.Th>Stored now</Table.Th>
            <Table.Th>Yours</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {conflict.map(({ path, theirs, mine }) => (
            <Table.Tr key={path.join(' ')}>
              <Table.Td>{[nameOf(String(path[0])), ...path.slice(1)].join(' · ')}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{shown(theirs, mine)}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{shown(mine, theirs)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Group gap={8}>
        <Button size="xs" variant="default" onClick={takeTheirs}>
          Use the saved values
        </Button>
        <Button size="xs" variant="default" onClick={keepMine}>
          Keep mine
        </Button>
      </Group>
    </Alert>
  )
}

/** Shortens two lists to their differences. */
function shown(value: unknown, other: unknown): string {
  if (value === null || value === undefined || value === '') return '—'
  if (Array.isArray(value) && Array.isArray(other)) {
    const own = value.filter((item) => !other.includes(item)).map(String)
    return own.length ? `with ${own.join(', ')}` : 'without those'
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
