import { Alert, Badge, Button, Group, Text } from '@mantine/core'
import type { DraftOf } from './useDraft.ts'

export function Counts({ added, edited, deleted }: { added: number; edited: number; deleted: number }) {
  const all = added + edited + deleted
  return (
    <Group gap={8}>
      <Text span fw={600} c="var(--mantine-color-accent-text)">
        {all} unsaved {all === 1 ? 'change' : 'changes'}
      </Text>
      {added > 0 && <Badge color="success">{added} added</Badge>}
      {edited > 0 && <Badge color="accent">{edited} edited</Badge>}
      {deleted > 0 && <Badge color="error">{deleted} deleted</Badge>}
    </Group>
  )
}

export function Notes({ edit }: { edit: DraftOf }) {
  const wrong = Object.keys(edit.errors).length
  return (
    <>
      {edit.changedBy && (
        <Alert
          role="alert"
          color="warning"
          m="0 var(--ink-gutter) 10px"
          p="10px 14px"
          title="Somebody else saved this zone first"
        >
          <Text mb={8}>
            {edit.changedBy}. Nothing of yours was saved or lost: the records below are as they are now.
          </Text>
          <Group gap={8}>
            <Button size="xs" variant="default" loading={edit.busy} onClick={() => void edit.keepMine()}>
              Go on with mine
            </Button>
            <Button size="xs" variant="default" onClick={edit.discard}>
              Discard mine
            </Button>
          </Group>
        </Alert>
      )}
      {(wrong > 0 || edit.general) && (
        <Alert
          role="alert"
          color="error"
          m="0 var(--ink-gutter) 10px"
          p="10px 14px"
          title={
            wrong ? `${wrong === 1 ? '1 record needs' : `${wrong} records need`} another look` : 'This cannot be saved'
          }
        >
          {edit.general ? `${edit.general}. ` : ''}Nothing was saved.
        </Alert>
      )}
    </>
  )
}
