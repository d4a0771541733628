import type { ZoneView } from '@innkeeper/contract/net/dns/calls'
import { nextSerial } from '@innkeeper/contract/net/dns/records'
import { Alert, Button, Group, List, Text } from '@mantine/core'
import { Dialog } from '../../../kit/dialogs/Dialog.tsx'
import { lasting } from '../../../kit/look/format.ts'
import { Mono } from '../../../kit/look/Mono.tsx'
import { cellsOf, lineOf } from './draft.ts'
import css from './Records.module.css'
import type { DraftOf } from './useDraft.ts'

/** Review before saving: the diff, warnings, and how long resolvers may cache old answers. */
export function ReviewModal({ zone, edit, close }: { zone: ZoneView; edit: DraftOf; close: () => void }) {
  const edited = Object.values(edit.draft.edited)
  const gone = Object.values(edit.draft.gone)
  const n = edited.length + gone.length + edit.draft.added.length
  const longest = Math.max(0, ...gone.map(({ ttl }) => ttl), ...edited.map(({ was }) => was.ttl))
  const save = () => void edit.save().then(close)
  return (
    <Dialog opened onClose={close} title={`Review ${n === 1 ? '1 change' : `${n} changes`}`} size={760}>
      <Text c="dimmed" mb={10}>
        Serial <Mono>{zone.serial}</Mono> becomes <Mono>{nextSerial(zone.serial)}</Mono> or later.
        {longest > 0 && ` Resolvers may give old answers for up to ${lasting(longest * 1000)}.`}
      </Text>
      {edit.warnings !== undefined && edit.warnings.length > 0 && (
        <Alert color="warning" p="10px 14px" mb={10} title="Worth another look">
          <List spacing={2}>
            {edit.warnings.map(({ message }) => (
              <List.Item key={message}>{message}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <section className={css.diff} tabIndex={0} aria-label="Changes">
        {edited.map(({ was, cells }) => (
          <div key={was.id}>
            <del>- {lineOf(cellsOf(was))}</del>
            <ins>+ {lineOf(cells)}</ins>
          </div>
        ))}
        {gone.map((record) => (
          <del key={record.id}>- {lineOf(cellsOf(record))}</del>
        ))}
        {edit.draft.added.map(({ key, cells }) => (
          <ins key={key}>+ {lineOf(cells)}</ins>
        ))}
      </section>
      <Group justify="flex-end" gap={8} mt="md">
        <Button variant="default" onClick={close}>
          Back to the records
        </Button>
        <Button data-autofocus loading={edit.busy} onClick={save}>
          Save changes
        </Button>
      </Group>
    </Dialog>
  )
}
