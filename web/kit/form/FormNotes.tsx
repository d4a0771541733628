import { Alert, Button, Group, Table, Text } from '@mantine/core'
import { listed } from '../access/reasons.ts'
import type { Clash } from './merge.ts'

interface Noted {
  refused: Record<string, string>
  conflict: readonly Clash[] | undefined
  taken?: readonly string[] | undefined
  nameOf: (key: string) => string
  keepMine: () => void
  takeTheirs: () => void
}

/** Notes above a form: the number of refused fields, and changes that another person saved first. */
export function FormNotes({ form, nothing }: { form: Noted /** "Nothing was created." */; nothing: string }) {
  const refused = Object.keys(form.refused).length
  return (
    <>
      {refused > 0 && (
        <Alert
          role="alert"
          color="error"
          p="10px 14px"
          title={refused === 1 ? '1 field needs another look' : `${refused} fields need another look`}
        >
          {nothing}
        </Alert>
      )}
      {form.taken && (
        <Alert role="alert" color="info" p="10px 14px" title="Somebody else saved this first">
          {form.taken.length > 0
            ? `Their ${listed(form.taken)} ${form.taken.length === 1 ? 'is' : 'are'} in this form now.`
            : 'They changed none of your fields.'}{' '}
          Nothing of yours is lost: save again.
        </Alert>
      )}
      {form.conflict && (
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
              {form.conflict.map(({ path, theirs, mine }) => (
                <Table.Tr key={path.join(' ')}>
                  <Table.Td>{[form.nameOf(String(path[0])), ...path.slice(1)].join(' · ')}</Table.Td>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>{shown(theirs, mine)}</Table.Td>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>{shown(mine, theirs)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          <Group gap={8}>
            <Button size="xs" variant="default" onClick={form.takeTheirs}>
              Use the saved values
            </Button>
            <Button size="xs" variant="default" onClick={form.keepMine}>
              Keep mine
            </Button>
          </Group>
        </Alert>
      )}
    </>
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
