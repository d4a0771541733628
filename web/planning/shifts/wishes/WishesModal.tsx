import {
  ActionIcon,
  Button,
  Chip,
  Group,
  Modal,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../../kit/access/reasons.ts'
import { attempt } from '../../../kit/api/attempt.ts'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { type Day, rangeText } from '../../../kit/calendar/days.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { DateField } from '../../../kit/form/DateField.tsx'
import { FormNotes } from '../../../kit/form/FormNotes.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { shiftsApi } from '../api.ts'
import css from '../shifts.module.css'
import { wishKindsShown, wishText } from './words.ts'

const short = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** The person's own wishes: cannot work, rather not, likes to work. Planners see these and are warned. */
export default function WishesModal({ day, close }: { day: Day; close: () => void }) {
  const { data } = useQuery(shiftsApi.wishes.query())
  return (
    <Modal opened onClose={close} title="My wishes" size={520}>
      <Stack gap={18}>
        {data?.items.map((wish) => (
          <div key={wish.id} className={css.swap}>
            <div>
              <Text fw={500}>
                {wishKindsShown[wish.kind].word}
                {wishText(wish) && `: ${wishText(wish)}`}
              </Text>
              <Text c="dimmed" fz="xs">
                {[rangeText(wish.from, wish.to), wish.note].filter(Boolean).join(' · ')}
              </Text>
            </div>
            <ActionIcon
              variant="subtle"
              size={32}
              aria-label={`Delete the wish of ${rangeText(wish.from, wish.to)}`}
              onClick={() =>
                void attempt(() => shiftsApi.removeWish({ id: wish.id, version: wish.version }), ['shifts'])
              }
            >
              <IconX size={16} />
            </ActionIcon>
          </div>
        ))}
        <AddWish key={data?.total} day={day} close={close} />
      </Stack>
    </Modal>
  )
}

function AddWish({ day, close }: { day: Day; close: () => void }) {
  const lacking = useReason()(shiftsApi.types)
  const types = useQuery({ ...shiftsApi.types.query({ isActive: 'true' }), enabled: !lacking })
  const form = useCallForm(shiftsApi.addWish, {
    initial: {
      kind: 'cannot' as keyof typeof wishKindsShown,
      ...{ from: day, to: day, weekdays: [] as number[], shiftTypeId: null as number | null, note: '' },
    },
    labels: { kind: 'Wish', from: 'From', to: 'To', weekdays: 'Days of the week', note: 'Note' },
    onDone: () => {
      void readAgain(['shifts'])
      toast.success('The wish is saved', 'Planners see it on the roster.')
    },
  })
  const weekdays = form.field('weekdays')
  return (
    <form {...form.form}>
      <Stack gap={14}>
        <FormNotes form={form} nothing="Nothing was saved." />
        <SegmentedControl
          aria-label="Wish"
          data={Object.entries(wishKindsShown).map(([value, { word }]) => ({ value, label: word }))}
          value={form.values.kind}
          onChange={(next) => form.set('kind', next as keyof typeof wishKindsShown)} // one of its own values
        />
        <SimpleGrid cols={2}>
          <DateField label="From" data-autofocus {...form.field('from')} />
          <DateField label="To" {...form.field('to')} />
        </SimpleGrid>
        <Chip.Group
          multiple
          value={weekdays.value.map(String)}
          onChange={(next) => weekdays.onChange(next.map(Number).sort((a, b) => a - b))}
        >
          <Group gap={6} role="group" aria-label="Days of the week; none: each day">
            {short.map((name, n) => (
              <Chip key={name} size="xs" value={String(n + 1)}>
                {name}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
        {weekdays.error && (
          <Text c="error" fz="xs">
            {weekdays.error}
          </Text>
        )}
        {!lacking && (
          <Select
            label="Only shifts of this type"
            clearable
            placeholder="Any"
            data={(types.data?.items ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
            value={form.values.shiftTypeId === null ? null : String(form.values.shiftTypeId)}
            onChange={(next) => form.set('shiftTypeId', next === null ? null : Number(next))}
          />
        )}
        <TextInput label="Note" maxLength={200} {...form.text('note')} />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={close}>
            Close
          </Button>
          <ActButton type="submit" loading={form.busy} reason={form.wanting}>
            Add wish
          </ActButton>
        </Group>
      </Stack>
    </form>
  )
}
