import {
  ActionIcon,
  Button,
  Chip,
  Group,
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
import { type Day, dayText, rangeText } from '../../../kit/calendar/days.ts'
import { Dialog } from '../../../kit/dialogs/Dialog.tsx'
import { toast } from '../../../kit/dialogs/toast.ts'
import { DateField } from '../../../kit/form/DateField.tsx'
import { FormNotes } from '../../../kit/form/FormNotes.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { kitWords } from '../../../kit/look/texts.ts'
import { shiftsApi } from '../api.ts'
import { ownShiftTexts } from '../dialogTexts.ts'
import css from '../shifts.module.css'
import { shiftTexts } from '../texts.ts'
import { wishKindsShown, wishText } from './words.ts'

type WishKind = keyof ReturnType<typeof wishKindsShown>

// 1 January 2024 is a Monday
const shortDays = () => [1, 2, 3, 4, 5, 6, 7].map((n) => dayText(`2024-01-0${n}`, 'weekday'))

/** The person's own wishes: cannot work, rather not, likes to work. Planners see these and are warned. */
export default function WishesModal({ day, close }: { day: Day; close: () => void }) {
  const { data } = useQuery(shiftsApi.wishes.query())
  return (
    <Dialog opened onClose={close} title={shiftTexts().wishes} size={520}>
      <Stack gap={18}>
        {data?.items.map((wish) => (
          <div key={wish.id} className={css.swap}>
            <div>
              <Text fw={500}>
                {wishKindsShown()[wish.kind].word}
                {wishText(wish) && `: ${wishText(wish)}`}
              </Text>
              <Text c="dimmed" fz="xs">
                {[rangeText(wish.from, wish.to), wish.note].filter(Boolean).join(' · ')}
              </Text>
            </div>
            <ActionIcon
              variant="subtle"
              size={32}
              aria-label={ownShiftTexts().deleteWish(rangeText(wish.from, wish.to))}
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
    </Dialog>
  )
}

function AddWish({ day, close }: { day: Day; close: () => void }) {
  const words = ownShiftTexts()
  const lacking = useReason()(shiftsApi.types)
  const types = useQuery({ ...shiftsApi.types.query({ isActive: 'true' }), enabled: !lacking })
  const form = useCallForm(shiftsApi.addWish, {
    initial: {
      kind: 'cannot' as WishKind,
      ...{ from: day, to: day, weekdays: [] as number[], shiftTypeId: null as number | null, note: '' },
    },
    labels: { kind: words.wish, from: words.from, to: words.until, weekdays: words.weekdays, note: words.note },
    onDone: () => {
      void readAgain(['shifts'])
      toast.success(words.wishSaved, words.wishSeen)
    },
  })
  const weekdays = form.field('weekdays')
  return (
    <form {...form.form}>
      <Stack gap={14}>
        <FormNotes form={form} nothing={words.nothingSaved} />
        <SegmentedControl
          aria-label={words.wish}
          data={Object.entries(wishKindsShown()).map(([value, { word }]) => ({ value, label: word }))}
          value={form.values.kind}
          onChange={(next) => form.set('kind', next as WishKind)} // one of its own values
        />
        <SimpleGrid cols={2}>
          <DateField label={words.from} data-autofocus {...form.field('from')} />
          <DateField label={words.until} {...form.field('to')} />
        </SimpleGrid>
        <Chip.Group
          multiple
          value={weekdays.value.map(String)}
          onChange={(next) => weekdays.onChange(next.map(Number).sort((a, b) => a - b))}
        >
          <Group gap={6} role="group" aria-label={words.weekdaysNone}>
            {shortDays().map((name, n) => (
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
            label={words.onlyType}
            clearable
            placeholder={words.any}
            data={(types.data?.items ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
            value={form.values.shiftTypeId === null ? null : String(form.values.shiftTypeId)}
            onChange={(next) => form.set('shiftTypeId', next === null ? null : Number(next))}
          />
        )}
        <TextInput label={words.note} maxLength={200} {...form.text('note')} />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={close}>
            {kitWords().close}
          </Button>
          <ActButton type="submit" loading={form.busy} reason={form.wanting}>
            {words.addWish}
          </ActButton>
        </Group>
      </Stack>
    </form>
  )
}
