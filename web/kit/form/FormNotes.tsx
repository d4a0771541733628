import { Alert, Button, Group, Table, Text } from '@mantine/core'

interface Noted {
  refused: Record<string, string>
  conflict: { key: string; stored: unknown; yours: unknown }[] | undefined
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
      {form.conflict && (
        <Alert role="alert" color="warning" p="10px 14px" title="Somebody else saved this first">
          <Text>Nothing of yours was saved or lost.</Text>
          {form.conflict.length > 0 && (
            <Table my={8}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Field</Table.Th>
                  <Table.Th>Stored now</Table.Th>
                  <Table.Th>Yours</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {form.conflict.map(({ key, stored, yours }) => (
                  <Table.Tr key={key}>
                    <Table.Td>{form.nameOf(key)}</Table.Td>
                    <Table.Td style={{ overflowWrap: 'anywhere' }}>{shown(stored, yours)}</Table.Td>
                    <Table.Td style={{ overflowWrap: 'anywhere' }}>{shown(yours, stored)}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          )}
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
